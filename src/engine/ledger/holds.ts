import type { OrderRecord } from '../event.ts';
import type { Market } from '../markets/markets.ts';
import { difference, type Exact, exact } from '../numbers/exact.ts';
import { hasLimit } from '../orders/order-terms.ts';
import type { State } from '../state.ts';
import { Side } from '../terms.ts';
import type { Account } from './accounts.ts';

/** Holds the maximum cost of an order for `quantity` at `price`. */
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

/** Releases the hold of an open order for `quantity` of it. */
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

/** Returns the hold of an order of this side, price and amount, in minor units. */
export function requiredHold(market: Market, side: Side, price: number, amount: number): Exact {
  return side === Side.buy ? market.notional(price, amount) : market.baseAmount(amount);
}

/** The numbers of an order in units: bigints if too large for any book, 0 if absent. */
export interface OrderNumbers {
  readonly price: Exact;
  readonly triggerPrice: Exact;
  readonly amount: Exact;
}

/**
 * Returns the minor units that an order needs, for numbers of any size: for a sell its amount; for
 * a buy its amount at the limit price or, without a limit, at the end of the collar beyond its
 * trigger.
 */
export function requiredFor(market: Market, side: Side, numbers: OrderNumbers): Exact {
  const { price, triggerPrice, amount } = numbers;
  if (side === Side.sell) return exact(BigInt(amount) * BigInt(market.baseUnit));
  const worst = price === 0 ? market.worstTriggeredPrice(BigInt(triggerPrice)) : BigInt(price);
  return exact(worst * BigInt(amount) * BigInt(market.quoteUnit));
}

/**
 * Returns the minor units that an amended order (or its OCO order) needs beyond its current hold. A
 * change of 0 keeps the current number; changes may have any size.
 */
export function requiredToAmend(state: State, order: OrderRecord, change: OrderNumbers): Exact {
  const { orders, links, markets, index } = state;
  const market = markets[order.market]!;
  const slot = index.find(order.id);
  const filled = BigInt(order.amount - order.remaining);
  const amount = BigInt(change.amount === 0 ? order.amount : change.amount) - filled;
  const { triggerPrice } = change;
  const isLimit = hasLimit(order.type);
  // A stop without a limit has no price to change: its hold is based on the price in its slot until
  // its trigger changes.
  const keepsPrice = isLimit ? change.price === 0 : triggerPrice === 0;
  const changed = isLimit ? change.price : 0;
  const price = keepsPrice ? orders.price(slot) : changed;
  const own = requiredFor(market, order.side, { price, triggerPrice, amount });
  const other = links.get(slot)?.other;
  const others =
    other === undefined
      ? 0
      : requiredFor(market, order.side, { price: orders.price(other), triggerPrice: 0, amount });
  return difference(own > others ? own : others, heldFor(state, slot));
}

/** Returns the hold of an open order or of its OCO order, in minor units of the asset given. */
export function heldFor(state: State, slot: number): Exact {
  const { orders, details, links, markets } = state;
  const link = links.get(slot);
  const holding = link === undefined || link.holds ? slot : link.other;
  const market = markets[details.market(slot)]!;
  return requiredHold(
    market,
    orders.side[slot] as Side,
    orders.price(holding),
    state.remaining(holding),
  );
}
