import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dir, '../../bin/buttonwood.mjs');

/** A sandbox process with a temporary data directory. */
export interface Sandbox {
  /** File with its URL and the operator's key. */
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
  // It prints its first line when it is ready.
  const output = child.stdout.getReader();
  const firstLine = await output.read();
  if (firstLine.done) {
    await stop();
    throw new Error('the exchange did not start; see its message above');
  }
  output.releaseLock();
  return { credentialsPath: join(directory, 'sandbox.json'), stop };
}
