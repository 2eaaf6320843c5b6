import type { Market } from '../../markets/markets.ts';
import type { State } from '../../state.ts';
import type { Side } from '../../terms.ts';

/** Sets the unfilled quantity of an order that is in no book, and how much of it the book will show. */
export function setRemaining(
  { orders, details }: State,
  slot: number,
  remaining: number,
  displayAmount: number | undefined,
): void {
  const shown = Math.min(displayAmount ?? remaining, remaining);
  orders.setRemaining(slot, shown);
  if (displayAmount !== undefined) details.setIceberg(slot, displayAmount, remaining - shown);
}

/** Shows the next part of an iceberg whose shown part was filled, at the end of its price level. */
export function refill(state: State, slot: number, market: Market): void {
  const { orders, details } = state;
  const { book } = market;
  const displayAmount = details.displayAmount(slot);
  const hidden = details.hidden(slot);
  const shown = Math.min(displayAmount, hidden);
  const side = orders.side[slot] as Side;
  const price = orders.price(slot);
  // It moves to the end of the queue, which followers of single orders must know.
  state.freed.push(market.index, side, price, details.id(slot));
  state.excludeOrder(slot);
  book.takeHidden(side, price, shown);
  details.setIceberg(slot, displayAmount, hidden - shown);
  orders.setRemaining(slot, shown);
  book.add(slot);
  state.includeOrder(slot, shown);
}

/**
 * Lowers the remaining quantity of an open order by less than all of it: first what the book does not show, so that
 * the order keeps its place in the queue.
 */
export function reduceInBook(state: State, slot: number, { book }: Market, quantity: number): void {
  const { orders, details } = state;
  const hidden = details.hidden(slot);
  const fromHidden = Math.min(hidden, quantity);
  if (fromHidden > 0) {
    book.takeHidden(orders.side[slot] as Side, orders.price(slot), fromHidden);
    details.setIceberg(slot, details.displayAmount(slot), hidden - fromHidden);
  }
  if (fromHidden < quantity) book.reduce(slot, quantity - fromHidden);
}
