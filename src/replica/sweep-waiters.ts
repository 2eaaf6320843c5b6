import type { OrderRecord, Outcome, Swept } from '../engine/event.ts';

interface Waiter {
  readonly orders: OrderRecord[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** Callers whose orders end in several portions, and the orders that have ended so far. */
export class SweepWaiters {
  private readonly waiters = new Map<number, Waiter>();

  get size(): number {
    return this.waiters.size;
  }

  /** Resolves with the outcome once all its orders have ended; for a delisting at once, with the number of orders left. */
  settle(outcome: Outcome, resolve: Waiter['resolve'], reject: Waiter['reject']): void {
    if (outcome.kind !== 'orders' || outcome.sweep === undefined || outcome.left !== undefined) {
      resolve(outcome);
    } else this.waiters.set(outcome.sweep, { orders: [...outcome.orders], resolve, reject });
  }

  /** Records the orders that a command ended for sweeps. */
  note(swept: readonly Swept[]): void {
    for (const { sweep, orders, isDone } of swept) {
      const waiter = this.waiters.get(sweep);
      if (waiter === undefined) continue;
      waiter.orders.push(...orders);
      if (!isDone) continue;
      this.waiters.delete(sweep);
      waiter.resolve({ kind: 'orders', orders: waiter.orders });
    }
  }

  /** Rejects all waiting callers. */
  fail(error: Error): void {
    for (const { reject } of this.waiters.values()) reject(error);
    this.waiters.clear();
  }
}
