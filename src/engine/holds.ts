import type { Account } from './accounts.ts';
import type { Market } from './markets.ts';
import type { State } from './state.ts';
import { Side } from './terms.ts';

/** Holds the worst case of an order for `quantity` at `price`. */
export function hold(
  { ledger }: State,
  account: Account,
  side: Side,
  market: Market,
  price: number,
  quantity: number,
  orderId: number,
): void {
  if (side === Side.buy) {
    ledger.hold(account, market.quote.index, market.notional(price, quantity), orderId);
  } else ledger.hold(account, market.base.index, market.baseAmount(quantity), orderId);
}

/** Gives back what an open order holds for `quantity` of it. */
export function releaseHold(state: State, slot: number, quantity: number): void {
  const { orders, details, markets, accounts, ledger } = state;
  const market = markets[details.market(slot)]!;
  const orderId = details.id(slot);
  const account = accounts[orders.account(slot)]!;
  if (orders.side[slot] === Side.buy) {
    const held = market.notional(orders.price(slot), quantity);
    ledger.release(account, market.quote.index, held, orderId);
  } else {
    ledger.release(account, market.base.index, market.baseAmount(quantity), orderId);
  }
}
