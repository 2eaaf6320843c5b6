/** Waiters for the two kinds of stream sequences: trade ids, and batches of the log. */
export type StreamWaiters = Readonly<Record<'trades' | 'batches', PositionWaiters>>;

/** Maximum time that a node may lag behind the node that its client was connected to before. */
const MAX_WAIT_MS = 5000;

interface Waiter {
  readonly resolve: (isReached: boolean) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Resuming subscriptions that wait until this node has applied a position which another node has
 * delivered. The cost of a batch does not depend on how many of them wait.
 */
export class PositionWaiters {
  /** By the position that each waits for. */
  private readonly waiters = new Map<number, Set<Waiter>>();
  /** Waiters up to this position have been notified. */
  private notified = 0;

  /** @param applied Returns the highest position that this node has applied. It never decreases. */
  constructor(
    private readonly applied: () => number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /** Resolves with true once `position` is applied, or with false after the maximum wait. */
  wait(position: number): Promise<boolean> {
    if (position <= this.applied()) return Promise.resolve(true);
    if (!this.hasWaiters) this.notified = this.applied();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.remove(position, waiter);
        resolve(position <= this.applied());
      }, this.maxWaitMs);
      const waiter: Waiter = { resolve, timer };
      const others = this.waiters.get(position);
      if (others === undefined) this.waiters.set(position, new Set([waiter]));
      else others.add(waiter);
    });
  }

  get hasWaiters(): boolean {
    return this.waiters.size > 0;
  }

  /** Notifies the waiters of all applied positions. Call this after a batch was applied. */
  notify(): void {
    const applied = this.applied();
    for (let position = this.notified + 1; position <= applied; position++) {
      for (const waiter of this.waiters.get(position) ?? []) {
        this.remove(position, waiter);
        clearTimeout(waiter.timer);
        waiter.resolve(true);
      }
    }
    this.notified = applied;
  }

  private remove(position: number, waiter: Waiter): void {
    const waiters = this.waiters.get(position)!;
    waiters.delete(waiter);
    if (waiters.size === 0) this.waiters.delete(position);
  }
}
