import { openOrders } from './account.ts';
import { type BookScale, groupPrice, toUnits } from './book-view.ts';
import type { Side } from './draft.ts';
import { symbol } from './markets.ts';
import type { ExactOrder } from './records.ts';

/** Returns the user's open orders on a side of the current market, those with a pending trigger included. */
export function ownOrders(side: Side): readonly ExactOrder[] {
  return openOrders.value.filter((each) => each.symbol === symbol.value && each.side === side);
}

/** Returns the user's resting orders on a side of the book by the price of their row. */
export function ownOrdersByRow(
  side: 'bid' | 'ask',
  step: bigint,
  scale: BookScale,
): Map<bigint, ExactOrder[]> {
  const resting = ownOrders(side === 'bid' ? 'buy' : 'sell').filter(
    ({ type, price }) => type === 'limit' && price !== null,
  );
  return Map.groupBy(resting, ({ price }) => groupPrice(toUnits(price!, scale.price), side, step));
}

/** Returns the remaining amounts of the user's resting orders by the price of their row. */
export function ownAmounts(
  side: 'bid' | 'ask',
  step: bigint,
  scale: BookScale,
): Map<bigint, bigint> {
  const remaining = ({ amount, filled }: ExactOrder) =>
    toUnits(amount, scale.amount) - toUnits(filled, scale.amount);
  return new Map(
    [...ownOrdersByRow(side, step, scale)].map(([row, orders]) => [
      row,
      orders.reduce((sum, order) => sum + remaining(order), 0n),
    ]),
  );
}
