import type { OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Market } from '../markets/markets.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { hasLimit } from '../orders/order-terms.ts';
import { invariant } from '../rejection.ts';

/** The open orders, as far as their notional needs them. */
export interface OpenOrders {
  readonly markets: readonly Market[];
  readonly accounts: readonly Account[];
  readonly orders: OrderStore;
  readonly details: OrderDetails;
}

interface Followed {
  /** The notional of each open order that has one, by slot. */
  readonly bySlot: Map<number, Exact>;
  /** The sums by quote asset. */
  readonly totals: Exact[];
}

/**
 * The open notional of accounts: limit price × unfilled amount of their open orders, pending ones included. Orders
 * without a limit price never rest and do not count. It is derived from the orders, so it is no part of the state. An account
 * is followed from the first check of its limit on, and each change of its orders then updates a sum.
 */
export class OpenNotional {
  private readonly followed = new Map<number, Followed>();

  constructor(private readonly state: OpenOrders) {}

  /** Whether changes of orders must be noted. */
  get isFollowing(): boolean {
    return this.followed.size > 0;
  }

  /** Returns the open notional of an account in markets quoted in an asset, in minor units. */
  total(account: Account, asset: number): Exact {
    let followed = this.followed.get(account.index);
    if (followed === undefined) {
      followed = { bySlot: new Map(), totals: [] };
      this.followed.set(account.index, followed);
      for (const slot of account.openSlots) this.update(followed, slot);
    }
    return followed.totals[asset] ?? 0;
  }

  /** Returns the notional of an open order, in minor units of its quote asset. @param shown What the book shows of it. */
  notional(slot: number, shown = this.state.orders.remaining(slot)): Exact {
    const { orders, details, markets } = this.state;
    if (!hasLimit(details.type(slot))) return 0;
    const remaining = shown + details.hidden(slot);
    return markets[details.market(slot)]!.notional(orders.price(slot), remaining);
  }

  /** Notes that an open order was added or changed. @param shown What the book will show of it. */
  note(slot: number, shown: number): void {
    const followed = this.followed.get(this.state.orders.account(slot));
    if (followed !== undefined) this.update(followed, slot, shown);
  }

  /** Notes that an order is no longer open. */
  forget(slot: number): void {
    const followed = this.followed.get(this.state.orders.account(slot));
    const before = followed?.bySlot.get(slot);
    if (followed === undefined || before === undefined) return;
    const asset = this.findQuote(slot);
    followed.totals[asset] = difference(followed.totals[asset]!, before);
    followed.bySlot.delete(slot);
  }

  /** Stops following all accounts: their limits may have been removed. */
  clear(): void {
    this.followed.clear();
  }

  /** @throws InvariantError if a sum differs from the orders. */
  audit(): void {
    for (const [index, { totals }] of this.followed) {
      const counted: Exact[] = [];
      for (const slot of this.state.accounts[index]!.openSlots) {
        const asset = this.findQuote(slot);
        counted[asset] = sum(counted[asset] ?? 0, this.notional(slot));
      }
      for (let asset = 0; asset < Math.max(totals.length, counted.length); asset++) {
        const isSame = (totals[asset] ?? 0) === (counted[asset] ?? 0);
        invariant(isSame, `the open notional of account ${index} differs from its orders`);
      }
    }
  }

  private update({ bySlot, totals }: Followed, slot: number, shown?: number): void {
    const asset = this.findQuote(slot);
    const notional = this.notional(slot, shown);
    totals[asset] = sum(difference(totals[asset] ?? 0, bySlot.get(slot) ?? 0), notional);
    bySlot.set(slot, notional);
  }

  private findQuote(slot: number): number {
    const { details, markets } = this.state;
    return markets[details.market(slot)]!.quote.index;
  }
}
