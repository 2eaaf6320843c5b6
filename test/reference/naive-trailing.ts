import type { PlaceStopOrder, Trailing } from '../../src/engine/command.ts';
import { MAX_TRAILING_BASIS_POINTS, MAX_UNITS } from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { BUY, readPrice } from './naive-values.ts';

/** Trailing stops: the trigger price follows the best last price, order by order and price by price. */

/** Returns the trigger price for a best price: exactly the distance away, rounded away from it. */
export function trailedTrigger(side: number, best: number, trailing: Trailing): number {
  const share = (BigInt(best) * BigInt(trailing.basisPoints) + 9_999n) / 10_000n;
  const distance = BigInt(trailing.amount) + share;
  if (side !== BUY) return Number(BigInt(best) - distance);
  const trigger = BigInt(best) + distance;
  return trigger < BigInt(MAX_UNITS) ? Number(trigger) : MAX_UNITS;
}

export function startsAt(side: number, { activationPrice }: Trailing, price: number): boolean {
  if (activationPrice === 0) return true;
  return side === BUY ? price <= activationPrice : price >= activationPrice;
}

/** Returns the trigger price on which hold and notional of a new order are based. */
export function firstTrigger(
  market: NaiveMarket,
  {
    side,
    trailing,
    triggerPrice,
  }: Pick<PlaceStopOrder, 'side' | 'trailing'> & {
    triggerPrice?: number;
  },
): number {
  if (trailing === undefined) return triggerPrice!;
  const last = readPrice(market);
  const from = startsAt(side, trailing, last) ? last : trailing.activationPrice;
  return trailedTrigger(side, from, trailing);
}

export function validateTrailing(
  market: NaiveMarket,
  side: 0 | 1,
  trailing: Trailing,
): RejectionCode | undefined {
  const { rules } = market;
  const { amount, basisPoints, activationPrice } = trailing;
  const code = RejectionCode.trailingOutOfBounds;
  if (amount % rules.tick !== 0 || basisPoints > MAX_TRAILING_BASIS_POINTS) return code;
  const fits =
    activationPrice >= rules.minPrice &&
    activationPrice <= rules.maxPrice &&
    activationPrice % rules.tick === 0;
  if (activationPrice !== 0 && !fits) return code;
  return isPossible(firstTrigger(market, { side, trailing })) ? undefined : code;
}

export function isPossible(trigger: number): boolean {
  return trigger > 0 && trigger < MAX_UNITS;
}

/** Starts to follow the last price, unless the order waits for its activation. */
export function startTrailing(state: NaiveState, market: NaiveMarket, order: NaiveOrder): void {
  const { trailing, side } = order;
  if (trailing === undefined) return;
  const last = readPrice(market);
  setBest(state, order, startsAt(side, trailing, last) ? last : 0);
}

export function setBest(state: NaiveState, order: NaiveOrder, best: number): void {
  state.best.set(order.id, best);
  order.triggerPrice = best === 0 ? 0 : trailedTrigger(order.side, best, order.trailing!);
}

/**
 * Follows a trade: buys that it triggers run before sells, the nearest trigger first; at one trigger price distances in
 * price units, then the smallest percentage, then the oldest order.
 */
export function followTrade(state: NaiveState, market: NaiveMarket, last: number): void {
  const orders = state.stops
    .filter((order) => order.market === market.index && order.trailing !== undefined)
    .sort((a, b) => a.trailing!.basisPoints - b.trailing!.basisPoints || a.id - b.id);
  const reached: NaiveOrder[] = [];
  for (const order of orders) {
    const best = state.best.get(order.id)!;
    if (best === 0) startTrailing(state, market, order);
    else if (order.side === BUY ? last < best : last > best) setBest(state, order, last);
    else if (order.side === BUY ? last >= order.triggerPrice : last <= order.triggerPrice) {
      reached.push(order);
    }
  }
  const buys = reached.filter(({ side }) => side === BUY);
  const sells = reached.filter(({ side }) => side !== BUY);
  buys.sort((a, b) => a.triggerPrice - b.triggerPrice);
  sells.sort((a, b) => b.triggerPrice - a.triggerPrice);
  for (const order of [...buys, ...sells]) {
    state.remove(order);
    state.triggered.push(order);
  }
}

/** Returns trailing stops in the order in which a delisting ends them. */
export function delistingOrder(state: NaiveState, orders: readonly NaiveOrder[]): NaiveOrder[] {
  // By side; those that trail first; by best or activation price; distances in price units first; by distance; by age.
  const keys = (order: NaiveOrder) => {
    const { side, trailing, id } = order;
    const { amount, basisPoints, activationPrice } = trailing!;
    const best = state.best.get(id)!;
    const sign = side === BUY ? 1 : -1;
    const distance = [amount === 0 ? 1 : 0, amount + basisPoints, id];
    if (best === 0) return [side, 1, -sign * activationPrice, ...distance];
    return [side, 0, sign * best, ...distance];
  };
  return orders.toSorted((a, b) => {
    const [first, second] = [keys(a), keys(b)];
    const at = first.findIndex((key, place) => key !== second[place]);
    return at < 0 ? 0 : first[at]! - second[at]!;
  });
}
