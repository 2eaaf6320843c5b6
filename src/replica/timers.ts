/** What a replica puts off. A node's timers are real; a simulator's follow a schedule of its own. */
export interface Timers {
  /** Runs `work` once everything that has come in by now is seen to. */
  soon(work: () => void): void;
  /** Runs `work` once, at least `delayMs` from now. */
  after(delayMs: number, work: () => void): void;
  /** Runs `work` every so often until what this returns is called. */
  every(intervalMs: number, work: () => void): () => void;
}

export const realTimers: Timers = {
  soon(work) {
    setImmediate(work);
  },
  after(delayMs, work) {
    // Nothing is kept waiting for what becomes due later.
    setTimeout(work, delayMs).unref();
  },
  every(intervalMs, work) {
    const timer = setInterval(work, intervalMs);
    return () => clearInterval(timer);
  },
};
