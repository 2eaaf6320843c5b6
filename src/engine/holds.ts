import type { Account } from './accounts.ts';
import type { Exact } from './exact.ts';
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

/** What an order of this side, price and amount holds, minor units. */
export function holdOf(market: Market, side: Side, price: number, amount: number): Exact {
  return side === Side.buy ? market.notional(price, amount) : market.baseAmount(amount);
}

/** What an open order holds, or its pair for both, minor units of what it gives. */
export function heldFor(state: State, slot: number): Exact {
  const { orders, details, links, markets } = state;
  const link = links.of(slot);
  const holder = link === undefined || link.holds ? slot : link.other;
  const market = markets[details.market(slot)]!;
  return holdOf(market, orders.side[slot] as Side, orders.price(holder), orders.remaining(holder));
}
