import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into an exchange (bun --preload): how long its serving thread does nothing else at a time.
 * A timer of 1 ms notes the longest gap between two of its ticks, and the most processor time that this
 * thread used between two of them, whatever else the machine runs; SIGUSR2 prints both in milliseconds,
 * one line, and begins again.
 */
if (isMainThread) {
  let last = performance.now();
  let longestMs = 0;
  let lastBusy = busyMs();
  let longestBusyMs = 0;
  const note = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    const busy = busyMs();
    longestBusyMs = Math.max(longestBusyMs, busy - lastBusy);
    lastBusy = busy;
  };
  setInterval(note, 1).unref();
  process.on('SIGUSR2', () => {
    note();
    console.log(`longest pause ${longestMs.toFixed(2)} ${longestBusyMs.toFixed(2)}`);
    longestMs = 0;
    longestBusyMs = 0;
  });
}

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
