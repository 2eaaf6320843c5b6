import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dir, '../../bin/buttonwood.mjs');

/** A sandbox of one's own: a process with a data directory that is removed with it. */
export interface Sandbox {
  /** Holds where it listens and the operator's key. */
  readonly credentialsPath: string;
  stop(): Promise<void>;
}

/** Starts an exchange on a free port, without rate limits, and waits until it serves. */
export async function startSandbox(): Promise<Sandbox> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-replay-'));
  const child = Bun.spawn(['node', LAUNCHER, 'start'], {
    env: {
      ...process.env,
      PORT: '0',
      BUTTONWOOD_DATA: directory,
      BUTTONWOOD_RATE_LIMITS: 'off',
      BUTTONWOOD_MAKERS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await child.exited;
    rmSync(directory, { recursive: true, force: true });
  };
  // It greets once it serves.
  const output = child.stdout.getReader();
  const greeting = await output.read();
  if (greeting.done) {
    await stop();
    throw new Error('the exchange did not start, see above');
  }
  output.releaseLock();
  return { credentialsPath: join(directory, 'sandbox.json'), stop };
}
