import type { Book } from './book.ts';
import { NONE, type OrderStore, Side } from './orders.ts';

export const STOP = -1;
export interface CrossHandler {
  fill(maker: number, quantity: number): void;
  filled(maker: number): void;
  selfTrade(maker: number, remaining: number): number;
}

export function cross(
  book: Book,
  orders: OrderStore,
  side: number,
  limitPrice: number,
  quantity: number,
  account: number,
  handler: CrossHandler,
): number {
  const buying = side === Side.buy;
  const ladder = buying ? book.asks : book.bids;
  const limitKey = buying ? -limitPrice : limitPrice;
  let left = quantity;
  while (left > 0) {
    const level = ladder.best;
    if (level === NONE) break;
    if (book.levels.key(level) < limitKey) break;
    const maker = book.levels.head(level);
    if (account !== NONE && orders.account(maker) === account) {
      const after = handler.selfTrade(maker, left);
      if (after < 0) break;
      left = after;
      continue;
    }
    const available = orders.remaining(maker);
    if (available > left) {
      handler.fill(maker, left);
      book.reduce(maker, left);
      return 0;
    }
    handler.fill(maker, available);
    book.remove(maker);
    handler.filled(maker);
    left -= available;
  }
  return left;
}

export function canFill(
  book: Book,
  orders: OrderStore,
  side: Side,
  limitPrice: number,
  quantity: number,
  account: number,
  skipsOwn: boolean,
): boolean {
  let left = quantity;
  let blocked = false;
  book.forEachOrder(side === Side.buy ? Side.sell : Side.buy, (slot) => {
    if (left <= 0 || blocked) return;
    const price = orders.price(slot);
    if (side === Side.buy ? price > limitPrice : price < limitPrice) return;
    if (orders.account(slot) === account) {
      blocked = !skipsOwn;
      return;
    }
    left -= orders.remaining(slot);
  });
  return left <= 0;
}

export function marketCost(
  book: Book,
  orders: OrderStore,
  side: Side,
  quantity: number,
  account: number,
): bigint {
  let left = quantity;
  let cost = 0n;
  book.forEachOrder(side === Side.buy ? Side.sell : Side.buy, (slot) => {
    if (left <= 0 || orders.account(slot) === account) return;
    const taken = Math.min(left, orders.remaining(slot));
    cost += BigInt(taken) * BigInt(orders.price(slot));
    left -= taken;
  });
  return cost;
}
