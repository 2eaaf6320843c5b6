import { fstatSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';

const VARIABLE = 'BUTTONWOOD_LAUNCHER_FD';

/**
 * Calls `onEnd` once when the launcher (bin/buttonwood.mjs) has ended, even by kill -9: its pipe, the file descriptor in
 * BUTTONWOOD_LAUNCHER_FD, ends then. Does nothing without a launcher, and does not keep the process alive.
 * @throws Error if the variable is not the descriptor of that pipe
 */
export function exitWithLauncher(onEnd: () => void): void {
  const value = process.env[VARIABLE];
  if (value === undefined) return;
  // Child processes do not inherit the descriptor.
  delete process.env[VARIABLE];
  const fd = Number(value);
  if (!isSocket(fd)) {
    throw new Error(
      `${VARIABLE}=${value} is not the launcher's pipe. Unset it; only the launcher sets it`,
    );
  }
  // Bun never reports the end of `new Socket({ fd })`.
  const pipe = connect({ fd } as unknown as NetConnectOpts);
  pipe.unref();
  pipe.resume();
  pipe.once('close', onEnd);
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, and `stopNow` at a later one. Ctrl-C arrives twice, from the terminal
 * and from the launcher, so signals within half a second of the first one are ignored.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void, stopNow = () => {}): void {
  let stoppedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppedAt === undefined) {
        stoppedAt = performance.now();
        stop(signal);
      } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) stopNow();
    });
  }
}

const SAME_SIGNAL_MS = 500;
