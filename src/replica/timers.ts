/** The timers of a replica. A node's are real; a simulator's follow its own schedule. */
export interface Timers {
  /** Runs `work` after all input that has already arrived was handled. */
  soon(work: () => void): void;
  /** Runs `work` once, at least `delayMs` from now. */
  after(delayMs: number, work: () => void): void;
  /** Runs `work` at an interval until the returned function is called. */
  every(intervalMs: number, work: () => void): () => void;
}

export const realTimers: Timers = {
  soon(work) {
    setImmediate(work);
  },
  after(delayMs, work) {
    // The timer must not keep the process alive.
    setTimeout(work, delayMs).unref();
  },
  every(intervalMs, work) {
    const timer = setInterval(work, intervalMs);
    return () => clearInterval(timer);
  },
};
