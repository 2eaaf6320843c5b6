import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into an exchange (bun --preload) to measure pauses of its serving thread. A timer of 1 ms records the
 * longest gap between two ticks, and the maximum processor time of the thread in one, which excludes other work of
 * the machine. SIGUSR2 prints both in milliseconds on one line and resets them.
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
