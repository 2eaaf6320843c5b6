import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into an exchange (bun --preload): how long its serving thread does nothing else at a time.
 * A timer of 1 ms notes the longest gap between two of its ticks; SIGUSR2 prints it in milliseconds,
 * one line, and begins anew.
 */
if (isMainThread) {
  let last = performance.now();
  let longestMs = 0;
  const note = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  setInterval(note, 1).unref();
  process.on('SIGUSR2', () => {
    note();
    console.log(`longest pause ${longestMs.toFixed(2)}`);
    longestMs = 0;
  });
}
