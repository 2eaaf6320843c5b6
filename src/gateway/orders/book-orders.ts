import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { NONE, Side } from '../../engine/terms.ts';
import type { PublicOrderIds } from './public-order-ids.ts';

/** Number of orders per side that the checksum covers. */
const CHECKSUM_ORDERS = 10;

/** Returns the slots of the best orders of a side, in order of the queue. */
export function bestOrders({ book }: Market, side: Side, maxOrders: number): number[] {
  const slots: number[] = [];
  let level = book.bestLevel(side);
  for (; level !== NONE && slots.length < maxOrders; level = book.nextLevel(level)) {
    let slot = book.firstOrder(level);
    for (; slot !== NONE && slots.length < maxOrders; slot = book.nextOrder(slot)) slots.push(slot);
  }
  return slots;
}

/** Returns `["id",price,amount]` of each order: its public id, and the amount that remains. */
export function orderEntries(
  state: State,
  market: Market,
  ids: PublicOrderIds,
  slots: readonly number[],
): string {
  return orderParts(state, market, ids, slots)
    .map(([id, price, amount]) => `["${id}",${price},${amount}]`)
    .join(',');
}

/**
 * Returns the checksum of a book's best orders: CRC-32 of `id:price:amount` of the best ten bids and then the
 * best ten asks, joined by `|`, with the numbers as they are in messages.
 */
export function topChecksum(state: State, market: Market, ids: PublicOrderIds): number {
  const bids = bestOrders(market, Side.buy, CHECKSUM_ORDERS);
  const slots = bids.concat(bestOrders(market, Side.sell, CHECKSUM_ORDERS));
  const parts = orderParts(state, market, ids, slots);
  return Bun.hash.crc32(parts.map((part) => part.join(':')).join('|'));
}

function orderParts(
  { details, orders }: State,
  { rules }: Market,
  ids: PublicOrderIds,
  slots: readonly number[],
): [id: string, price: string, amount: string][] {
  const texts = ids.texts(slots.map((slot) => details.id(slot)));
  return slots.map((slot, index) => [
    texts[index]!,
    formatUnits(orders.price(slot), rules.priceDecimals),
    formatUnits(orders.remaining(slot), rules.amountDecimals),
  ]);
}
