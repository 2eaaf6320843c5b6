import { fstatSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';

const variable = 'BUTTONWOOD_LAUNCHER_FD';

/**
 * Calls `onGone` once when the launcher (bin/buttonwood.mjs) has died, even by kill -9: the pipe it
 * left open on the file descriptor named by BUTTONWOOD_LAUNCHER_FD then ends. Does nothing without a
 * launcher, and does not keep the process alive. Throws when the variable names anything but that pipe.
 */
export function exitWithLauncher(onGone: () => void): void {
  const value = process.env[variable];
  if (value === undefined) return;
  // The descriptor is this process's own: one that it starts must not look for it.
  delete process.env[variable];
  const fd = Number(value);
  if (!isSocket(fd)) {
    throw new Error(`${variable}=${value} is not the launcher's pipe: unset it, only bin/ sets it`);
  }
  // Not `new Socket({ fd })`: for that one Bun never reports the end.
  const pipe = connect({ fd } as unknown as NetConnectOpts);
  pipe.unref();
  pipe.resume();
  pipe.once('close', onGone);
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, and `stopNow` at one that comes later. Ctrl-C arrives
 * twice, from the terminal and from the launcher: what comes within a moment of the first is the same.
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
