import type { Market } from '../../engine/markets/markets.ts';
import type { State } from '../../engine/state.ts';
import type { Side } from '../../engine/terms.ts';

/** An open order of an account in a market. Price and amount are in units. */
export interface OpenOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
  readonly filled: number;
}

/** Returns an account's open orders in a market. */
export function openOrders(state: State, account: number, market: Market): OpenOrder[] {
  const { details, orders } = state;
  return state.accounts[account]!.openSlots.flatMap((slot) => {
    if (details.market(slot) !== market.index) return [];
    const remaining = orders.remaining(slot);
    return [
      {
        orderId: details.id(slot),
        side: orders.side[slot] as Side,
        price: orders.price(slot),
        remaining,
        filled: details.amount(slot) - remaining,
      },
    ];
  });
}
