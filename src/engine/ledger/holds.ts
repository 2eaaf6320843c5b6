import type { OrderRecord } from '../event.ts';
import type { Market } from '../markets/markets.ts';
import { difference, type Exact, exact } from '../numbers/exact.ts';
import { hasLimit } from '../orders/order-terms.ts';
import type { State } from '../state.ts';
import { Side } from '../terms.ts';
import type { Account } from './accounts.ts';

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
export function requiredHold(market: Market, side: Side, price: number, amount: number): Exact {
  return side === Side.buy ? market.notional(price, amount) : market.baseAmount(amount);
}

/** The numbers of an order, in units; a bigint for one that no book takes, 0 for one that it does not have. */
export interface OrderNumbers {
  readonly price: Exact;
  readonly triggerPrice: Exact;
  readonly amount: Exact;
}

/**
 * The minor units that an order needs: a sell its amount, a buy its amount at its limit, or at the end of the price
 * band beyond its trigger where it has no limit. For numbers of any size.
 */
export function requiredFor(market: Market, side: Side, numbers: OrderNumbers): Exact {
  const { price, triggerPrice, amount } = numbers;
  if (side === Side.sell) return exact(BigInt(amount) * BigInt(market.baseUnit));
  const worst = price === 0 ? market.worstTriggered(BigInt(triggerPrice)) : BigInt(price);
  return exact(worst * BigInt(amount) * BigInt(market.quoteUnit));
}

/**
 * The minor units that a changed order needs beyond what it holds, or its OCO order for both legs. A change of 0
 * leaves a number as it is; they may have any size.
 */
export function requiredToAmend(state: State, order: OrderRecord, change: OrderNumbers): Exact {
  const { orders, links, markets, index } = state;
  const market = markets[order.market]!;
  const slot = index.find(order.id);
  const filled = BigInt(order.amount - order.remaining);
  const amount = BigInt(change.amount === 0 ? order.amount : change.amount) - filled;
  const { triggerPrice } = change;
  const isLimit = hasLimit(order.type);
  // A stop without a limit has no price to change: it holds by the price in its slot until its trigger changes.
  const isKept = isLimit ? change.price === 0 : triggerPrice === 0;
  const changed = isLimit ? change.price : 0;
  const price = isKept ? orders.price(slot) : changed;
  const own = requiredFor(market, order.side, { price, triggerPrice, amount });
  const other = links.of(slot)?.other;
  const others =
    other === undefined
      ? 0
      : requiredFor(market, order.side, { price: orders.price(other), triggerPrice: 0, amount });
  return difference(own > others ? own : others, heldFor(state, slot));
}

/** What an open order holds, or its pair for both, minor units of what it gives. */
export function heldFor(state: State, slot: number): Exact {
  const { orders, details, links, markets } = state;
  const link = links.of(slot);
  const holder = link === undefined || link.holds ? slot : link.other;
  const market = markets[details.market(slot)]!;
  return requiredHold(
    market,
    orders.side[slot] as Side,
    orders.price(holder),
    orders.remaining(holder),
  );
}
