import type { Book } from '../../book/book.ts';
import type { OrderDetails } from '../../book/order-details.ts';
import type { OrderStore } from '../../book/order-store.ts';
import type { Account } from '../../ledger/accounts.ts';
import type { Market } from '../../markets/markets.ts';
import { difference, type Exact, product, sum } from '../../numbers/exact.ts';
import { NONE, oppositeSide, Side } from '../../terms.ts';

/** Maximum orders that a check of a book examines one by one before it continues level by level. */
export const MAX_SCANNED_ORDERS = 32;

/** Totals by level number, in amount units. */
export type LevelTotals = ReadonlyMap<number, Exact>;

const NO_TOTALS: LevelTotals = new Map();

/** The parts of the state that a scan needs. */
export interface ScannedState {
  readonly accounts: readonly Account[];
  readonly details: OrderDetails;
  readonly markets: readonly Market[];
  readonly orders: OrderStore;
}

/** Checks one side of a book by the totals of its levels, in a time that does not depend on the orders per level. */
export class BookScan {
  /** Work of the current order's check: price levels examined, and orders ahead of the own order that ended it. */
  examined = 0;

  constructor(private readonly state: ScannedState) {}

  /** Returns the quantity of a resting order that the book does not show. */
  hidden(slot: number): number {
    return this.state.details.hidden(slot);
  }

  /** Returns the remaining amounts of an owner's orders on one side of a book, by level. */
  ownTotals(book: Book, side: Side, owner: number): LevelTotals {
    if (owner === NONE) return NO_TOTALS;
    const { accounts, details, markets, orders } = this.state;
    const totals = new Map<number, Exact>();
    for (const { openSlots } of accounts[owner]!.group) {
      for (const slot of openSlots) {
        if (orders.side[slot] !== side || details.isPending(slot)) continue;
        if (markets[details.market(slot)]!.book !== book) continue;
        const level = orders.level(slot);
        const remaining = orders.remaining(slot) + details.hidden(slot);
        totals.set(level, sum(totals.get(level) ?? 0, remaining));
      }
    }
    return totals;
  }
}

/** Does the same as `canFill` by the totals of the levels; only a level with an own order is examined order by order. */
export function canFillByLevels(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  quantity: number,
  owner: number,
  skipsOwn: boolean,
  scan: BookScan,
): boolean {
  const isBuy = side === Side.buy;
  const opposite = oppositeSide(side);
  const own = scan.ownTotals(book, opposite, owner);
  let missing = quantity;
  scan.examined = 0;
  for (let level = book.bestLevel(opposite); level !== NONE; level = book.nextLevel(level)) {
    const price = book.levelPrice(level);
    if (isBuy ? price > limitPrice : price < limitPrice) return false;
    scan.examined++;
    let offered = sum(book.levelTotal(level), book.levelHidden(level));
    const ownTotal = own.size === 0 ? undefined : own.get(level);
    if (ownTotal !== undefined) {
      if (!skipsOwn) return canFillBeforeOwn(book, orders, level, missing, owner, scan);
      offered = difference(offered, ownTotal);
    }
    if (offered >= missing) return true;
    missing -= Number(offered);
  }
  return false;
}

/** Whether the orders of a level before the first one of the owner offer `missing`. */
function canFillBeforeOwn(
  book: Book,
  orders: OrderStore,
  level: number,
  missing: number,
  owner: number,
  scan: BookScan,
): boolean {
  let left = missing;
  let ahead = 0;
  let slot = book.firstOrder(level);
  for (; orders.owner(slot) !== owner; slot = book.nextOrder(slot)) {
    left -= orders.remaining(slot);
    if (left <= 0) return true;
    ahead++;
  }
  scan.examined += ahead;
  return false;
}

/** The level up to which a cost within the budget was counted, and the amount still to buy there. */
export interface CostSoFar {
  level: number;
  left: number;
  cost: Exact;
}

/**
 * Computes the cost of a market order level by level, while it is within the budget.
 * @returns The first level that would exceed it, NONE if nothing is left to count.
 */
export function costByLevels(
  book: Book,
  side: Side,
  limitPrice: number,
  quantity: number,
  budget: Exact,
  own: LevelTotals,
): CostSoFar {
  let left = quantity;
  let cost: Exact = 0;
  let level = book.bestLevel(oppositeSide(side));
  for (; level !== NONE && left > 0; level = book.nextLevel(level)) {
    const price = book.levelPrice(level);
    if (side === Side.buy ? price > limitPrice : price < limitPrice) break;
    const all = sum(book.levelTotal(level), book.levelHidden(level));
    const offered = difference(all, own.get(level) ?? 0);
    const taken = offered > left ? left : Number(offered);
    const after = sum(cost, product(price, taken, 1));
    if (after > budget) return { level, left, cost };
    cost = after;
    left -= taken;
  }
  return { level: NONE, left, cost };
}
