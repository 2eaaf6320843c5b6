import type { OrderRecord, Outcome } from '../engine/event.ts';
import type { Swept } from '../engine/orders/sweeps.ts';

interface Waiter {
  readonly orders: OrderRecord[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** Callers whose orders end in several portions, and what has ended so far. */
export class SweepWaiters {
  private readonly waiters = new Map<number, Waiter>();

  get size(): number {
    return this.waiters.size;
  }

  /** Resolves with an outcome once all of it has happened; a delisting at once, with how many orders are left. */
  settle(outcome: Outcome, resolve: Waiter['resolve'], reject: Waiter['reject']): void {
    if (outcome.kind !== 'orders' || outcome.sweep === undefined || outcome.left !== undefined) {
      resolve(outcome);
    } else this.waiters.set(outcome.sweep, { orders: [...outcome.orders], resolve, reject });
  }

  /** Takes note of what a command ended of sweeps. */
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

  /** Rejects all that wait. */
  fail(error: Error): void {
    for (const { reject } of this.waiters.values()) reject(error);
    this.waiters.clear();
  }
}
