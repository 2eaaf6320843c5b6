/** What sequences of streams count: trades, or batches of the log. */
export type PositionWaitersOf = Readonly<Record<'trades' | 'batches', PositionWaiters>>;

/** How long a node may be behind another that its client was connected to before. */
const MAX_WAIT_MS = 5000;

interface Waiter {
  readonly resolve: (isReached: boolean) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Clients that wait until this node has applied what another node has told them of. The cost of a batch
 * does not depend on how many wait.
 */
export class PositionWaiters {
  /** By the number that each waits for. */
  private readonly waiters = new Map<number, Set<Waiter>>();
  /** Everything up to here was looked at. */
  private seen = 0;

  /** @param reached The highest number that this node has applied: it never decreases. */
  constructor(
    private readonly reached: () => number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /** Resolves with true once `number` is reached, or with false if that takes too long. */
  wait(number: number): Promise<boolean> {
    if (number <= this.reached()) return Promise.resolve(true);
    if (!this.isAwaited) this.seen = this.reached();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.remove(number, waiter);
        resolve(number <= this.reached());
      }, this.maxWaitMs);
      const waiter: Waiter = { resolve, timer };
      const others = this.waiters.get(number);
      if (others === undefined) this.waiters.set(number, new Set([waiter]));
      else others.add(waiter);
    });
  }

  get isAwaited(): boolean {
    return this.waiters.size > 0;
  }

  /** Call this after something was applied. */
  look(): void {
    const reached = this.reached();
    for (let number = this.seen + 1; number <= reached; number++) {
      for (const waiter of this.waiters.get(number) ?? []) {
        this.remove(number, waiter);
        clearTimeout(waiter.timer);
        waiter.resolve(true);
      }
    }
    this.seen = reached;
  }

  private remove(number: number, waiter: Waiter): void {
    const waiters = this.waiters.get(number)!;
    waiters.delete(waiter);
    if (waiters.size === 0) this.waiters.delete(number);
  }
}
