import { CommandKind, type PlaceOrder, type PlaceStopOrder } from '../../src/engine/command.ts';
import {
  EntryType,
  MarketStatus,
  OrderReason,
  OrderStatus,
  SelfTradePrevention,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { allowedPrices, haltIfStopped, keepReference } from './naive-auctions.ts';

import { feeRate, payReferrers } from './naive-fees.ts';
import { findOwner } from './naive-owners.ts';
import type { NaiveMarket, NaiveOrder, NaiveState, NaiveTrade } from './naive-state.ts';

import { addPending, trigger, worstPrice } from './naive-stops.ts';
import { noteTrade } from './naive-trading-limits.ts';
import { followTrade } from './naive-trailing.ts';
import {
  BUY,
  collared,
  feeAmount,
  hasLimit,
  inBase,
  reaches,
  readPrice,
  SELL,
  shareAmount,
  worth,
} from './naive-values.ts';

/** Returns the worst price at which an order may trade, or undefined for any price. */
function limitPrice(market: NaiveMarket, order: Pick<NaiveOrder, 'type' | 'side' | 'price'>) {
  if (hasLimit(order.type)) return order.price;
  return market.rules.collar === 0 ? undefined : collared(market, order.side, readPrice(market));
}

export function execute(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder | PlaceStopOrder,
  orderId: number,
): NaiveOrder {
  const order = toPlaceOrder(state, command, orderId);
  if (command.kind === CommandKind.placeOrder) return run(state, market, order);
  return addPending(state, market, order, worstPrice(market, command));
}

export function toPlaceOrder(
  state: NaiveState,
  command: PlaceOrder | PlaceStopOrder,
  orderId: number,
): NaiveOrder {
  const { kind, searchedBelow, ...terms } = command;
  return {
    triggerPrice: 0,
    attached: null,
    parentId: 0,
    ...terms,
    cost: BigInt(command.cost),
    id: orderId,
    remaining: command.amount,
    filledCost: 0n,
    fees: 0n,
    status: OrderStatus.open,
    reason: OrderReason.none,
    createdAt: state.time,
    updatedAt: state.time,
    lastFillAt: 0,
  };
}

/** Matches an order that is in no book; the remaining quantity rests or expires. */
export function run(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  maxPrice?: number,
): NaiveOrder {
  if (market.status === MarketStatus.auction) return rest(state, market, order);
  let limit = limitPrice(market, order);
  if (maxPrice !== undefined && !hasLimit(order.type)) {
    limit = Math.min(limit ?? maxPrice, maxPrice);
  }
  const allowed = allowedPrices(state, market, within(state, order, limit));
  if (order.timeInForce !== TimeInForce.fok || fillsAtOnce(state, order, limit, allowed)) {
    take(state, market, order, limit, allowed);
  }
  if (order.status !== OrderStatus.open) return state.report(order);
  const isHalted = haltIfStopped(state, market, order, within(state, order, limit)[0], allowed);
  const isImmediate =
    order.timeInForce === TimeInForce.ioc || order.timeInForce === TimeInForce.fok;
  if (isImmediate || !hasLimit(order.type)) {
    const next = state.side(order.market, order.side === BUY ? SELL : BUY)[0];
    const isOutsideCollar =
      !hasLimit(order.type) &&
      order.timeInForce !== TimeInForce.fok &&
      next !== undefined &&
      limit !== undefined &&
      !reaches(order.side, limit, next.price);
    order.status = OrderStatus.expired;
    order.reason = isOutsideCollar ? OrderReason.collar : OrderReason.timeInForce;
    if (isHalted) order.reason = OrderReason.volatilityHalt;
    return state.report(order);
  }
  return rest(state, market, order);
}

/** Adds an order to the book and holds its maximum cost. */
function rest(state: NaiveState, market: NaiveMarket, order: NaiveOrder): NaiveOrder {
  state.rest(order);
  const hold = held(market, order, order.remaining);
  state.post(order.account, hold.asset, EntryType.hold, -hold.amount, order.id);
  return state.report(order);
}

/** Returns the orders within the limit of the taker, by priority. */
function within(state: NaiveState, taker: NaiveOrder, limit: number | undefined): NaiveOrder[] {
  return state
    .side(taker.market, taker.side === BUY ? SELL : BUY)
    .filter((maker) => limit === undefined || reaches(taker.side, limit, maker.price));
}

/**
 * Returns whether a fill-or-kill order can be filled. Own orders do not count, and one that would
 * end the taker prevents it.
 */
function fillsAtOnce(
  state: NaiveState,
  taker: NaiveOrder,
  limit: number | undefined,
  allowed: ReadonlySet<number>,
): boolean {
  let missing = taker.amount;
  let ahead = 0;
  const makers = within(state, taker, limit).filter(({ price }) => allowed.has(price));
  const prices = new Set(makers.map(({ price }) => price));
  let levels = 0;
  let isEnded = false;
  for (const price of prices) {
    levels++;
    const level = makers.filter((maker) => maker.price === price);
    const others = level.filter((maker) => !isSameOwner(state, maker, taker));
    const own = level.findIndex((maker) => isSameOwner(state, maker, taker));
    const ends = own >= 0 && taker.selfTradePrevention !== SelfTradePrevention.expireMaker;
    // What icebergs hide comes after all that the level shows, so an own order comes before it.
    const offered = ends
      ? level.slice(0, own).map((maker) => state.shownAmount(maker))
      : others.map(({ remaining }) => remaining);
    missing -= offered.reduce((sum, quantity) => sum + quantity, 0);
    if (ends && missing > 0) {
      ahead = own;
      isEnded = true;
    }
    if (missing <= 0 || isEnded) break;
  }
  state.looked = levels + ahead;
  return missing <= 0;
}

/** Matches one maker after the other, until nothing is left or the taker has ended. */
function take(
  state: NaiveState,
  market: NaiveMarket,
  taker: NaiveOrder,
  limit: number | undefined,
  allowed: ReadonlySet<number>,
): void {
  const byCost = taker.cost > 0n;
  const decrements = taker.selfTradePrevention === SelfTradePrevention.decrement;
  // The remaining cost and amount of an order by cost, and the current price.
  let budget = taker.cost;
  let capacity = maxByCost(state, market, taker);
  const isShort = capacity < market.rules.maxAmount;
  let isCut = false;
  let price = 0;
  // Computed again at each price, in current steps; resting orders may have been placed with other
  // steps.
  let affordable = 0;
  const queue = within(state, taker, limit).filter(({ price }) => allowed.has(price));
  for (let maker = queue.shift(); maker !== undefined; maker = queue.shift()) {
    if (byCost && maker.price !== price)
      affordable = buyable(market, budget, capacity, maker.price);
    price = maker.price;
    const wanted = byCost ? affordable : taker.remaining;
    if (wanted === 0) {
      isCut = true;
      break;
    }
    const isOwn = isSameOwner(state, maker, taker);
    const offered = isOwn ? maker.remaining : state.shownAmount(maker);
    const quantity = Math.min(wanted, offered);
    if (isOwn) preventSelfTrade(state, market, taker, maker, quantity);
    else fill(state, market, taker, maker, quantity);
    if (taker.status !== OrderStatus.open) return;
    if (!isOwn || decrements) {
      budget -= worth(market, price, quantity);
      capacity -= quantity;
      affordable -= quantity;
    }
    // The order takes only a part of this maker, so the next price does not matter.
    if (byCost && !isOwn && quantity < offered) {
      isCut = true;
      break;
    }
    if (!isOwn && maker.remaining > 0 && quantity === offered) {
      // The next part of an iceberg, at the end of its price level.
      state.rest(maker);
      const next = queue.findIndex((each) => each.price !== price);
      queue.splice(next < 0 ? queue.length : next, 0, maker);
    }
    if (isOwn && decrements && quantity === wanted) {
      taker.status = OrderStatus.expired;
      return;
    }
    if (!byCost && taker.remaining === 0) {
      taker.status = OrderStatus.filled;
      return;
    }
  }
  // An order by cost is filled if it traded something and the rest does not pay for another step.
  const isPaid = price === 0 || stepsFor(market, budget, price) === 0n;
  if (byCost && taker.amount > 0 && isPaid) taker.status = OrderStatus.filled;
  else if (isCut && isShort && !isPaid) {
    taker.status = OrderStatus.expired;
    taker.reason = OrderReason.insufficientBalance;
  }
}

/** Returns how much an order by cost may trade: a sell no more than the account has. */
function maxByCost(state: NaiveState, market: NaiveMarket, taker: NaiveOrder): number {
  const { maxAmount, step } = market.rules;
  if (taker.side === BUY) return maxAmount;
  const steps = state.available(taker.account, market.base.index) / inBase(market, step);
  const amount = steps * BigInt(step);
  return amount < BigInt(maxAmount) ? Number(amount) : maxAmount;
}

/** Returns the number of whole steps that `budget` pays for at a price. */
function stepsFor(market: NaiveMarket, budget: bigint, price: number): bigint {
  return budget / worth(market, price, market.rules.step);
}

/** Returns the amount that an order by cost can still buy at a price. */
function buyable(market: NaiveMarket, budget: bigint, capacity: number, price: number): number {
  const amount = stepsFor(market, budget, price) * BigInt(market.rules.step);
  return amount < BigInt(capacity) ? Number(amount) : capacity;
}

/** Settles one match at the price of the maker, for both sides and with fees. */
function fill(
  state: NaiveState,
  market: NaiveMarket,
  taker: NaiveOrder,
  maker: NaiveOrder,
  quantity: number,
): void {
  settleOco(state, maker);
  const id = state.nextTradeId++;
  const { price } = maker;
  const { time } = state;
  const cost = worth(market, price, quantity);
  const amount = inBase(market, quantity);
  const makerRate = feeRate(state, market, maker.account, 'makerFee');
  const takerRate = feeRate(state, market, taker.account, 'takerFee');
  const makerFee =
    makerRate < 0
      ? -shareAmount(taker.side === BUY ? amount : cost, -makerRate)
      : feeAmount(maker.side === BUY ? amount : cost, makerRate);
  const takerFee = feeAmount(taker.side === BUY ? amount : cost, takerRate);
  for (const { account } of [maker, taker]) {
    if (market.quote.index === state.feeAsset) state.volumes.push({ account, time, cost });
  }
  const trade: NaiveTrade = {
    kind: 'trade',
    id,
    market: market.index,
    price,
    amount: quantity,
    cost,
    takerSide: taker.side,
    makerOrderId: maker.id,
    makerAccount: maker.account,
    makerFee,
    takerOrderId: taker.id,
    takerAccount: taker.account,
    takerFee,
    time,
  };
  state.events.push(trade);
  noteTrade(state, maker.account, taker.account);
  const release = held(market, maker, quantity);
  state.post(maker.account, release.asset, EntryType.release, release.amount, maker.id);
  settle(state, market, maker, amount, cost, makerFee, id);
  settle(state, market, taker, amount, cost, takerFee, id);
  payReferrers(state, market, trade);
  keepReference(state, market);
  market.lastPrice = price;
  trigger(state, market, price);
  followTrade(state, market, price);
  taker.remaining -= quantity;
  if (taker.cost > 0n) {
    taker.amount += quantity;
    taker.remaining = 0;
  }
  maker.remaining -= quantity;
  if (maker.displayAmount !== undefined) {
    state.shown.set(maker.id, state.shown.get(maker.id)! - quantity);
  }
  if (maker.remaining === 0) {
    maker.status = OrderStatus.filled;
    state.orders.splice(state.orders.indexOf(maker), 1);
  }
  addFill(maker, cost, makerFee, time);
  addFill(taker, cost, takerFee, time);
  state.report(maker);
}

export function addFill(order: NaiveOrder, cost: bigint, fee: bigint, time: number): void {
  order.filledCost += cost;
  if (fee > 0n) order.fees += fee;
  order.updatedAt = time;
  order.lastFillAt = time;
}

export function settle(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  amount: bigint,
  cost: bigint,
  fee: bigint,
  tradeId: number,
): void {
  const { account } = order;
  const base = { asset: market.base.index, amount };
  const quote = { asset: market.quote.index, amount: cost };
  const [given, received] = order.side === BUY ? [quote, base] : [base, quote];
  state.post(account, given.asset, EntryType.trade, -given.amount, tradeId);
  state.post(account, received.asset, EntryType.trade, received.amount, tradeId);
  if (fee === 0n) return;
  const { asset } = fee < 0n ? given : received;
  state.post(account, asset, fee < 0n ? EntryType.rebate : EntryType.fee, -fee, tradeId);
  state.fees[asset]! += fee;
}

/** Returns whether two orders are of accounts of one group, which do not trade with each other. */
function isSameOwner(state: NaiveState, a: NaiveOrder, b: NaiveOrder): boolean {
  return findOwner(state, a.account) === findOwner(state, b.account);
}

/** Applies self-trade prevention to two orders of the same owner. */
function preventSelfTrade(
  state: NaiveState,
  market: NaiveMarket,
  taker: NaiveOrder,
  maker: NaiveOrder,
  quantity: number,
): void {
  const mode = taker.selfTradePrevention;
  if (mode === SelfTradePrevention.decrement) {
    taker.reason = OrderReason.selfTrade;
    if (taker.cost === 0n) {
      taker.amount -= quantity;
      taker.remaining -= quantity;
    }
    shrink(state, market, maker, quantity);
    return;
  }
  if (mode === SelfTradePrevention.expireMaker || mode === SelfTradePrevention.expireBoth) {
    end(state, maker, OrderStatus.expired, OrderReason.selfTrade);
  }
  if (mode === SelfTradePrevention.expireTaker || mode === SelfTradePrevention.expireBoth) {
    taker.status = OrderStatus.expired;
    taker.reason = OrderReason.selfTrade;
  }
}

/** Reduces the maker by the prevented quantity; it ends if nothing remains. */
function shrink(state: NaiveState, market: NaiveMarket, maker: NaiveOrder, quantity: number): void {
  settleOco(state, maker);
  const release = held(market, maker, quantity);
  state.post(maker.account, release.asset, EntryType.release, release.amount, maker.id);
  maker.amount -= quantity;
  state.lower(maker, quantity);
  maker.reason = OrderReason.selfTrade;
  maker.updatedAt = state.time;
  if (maker.remaining === 0) {
    maker.status = OrderStatus.expired;
    state.orders.splice(state.orders.indexOf(maker), 1);
  }
  state.report(maker);
}

/** Returns the price on which the hold of an open order is based. */
export function heldPrice(state: NaiveState, order: NaiveOrder): number {
  return state.orders.includes(order) ? order.price : state.worstPrices.get(order.id)!;
}

/**
 * Cancels the other leg of an OCO order when one starts to trade or is reduced, and moves the hold.
 */
export function settleOco(state: NaiveState, order: NaiveOrder): void {
  const oco = state.unlinkOco(order);
  if (oco === undefined) return;
  const isHolding = oco.holdingLeg === order;
  finish(state, oco.other, OrderStatus.canceled, OrderReason.linked, !isHolding);
  if (isHolding) return;
  const price = heldPrice(state, order);
  const hold = held(state.markets[order.market]!, { ...order, price }, order.remaining);
  state.post(order.account, hold.asset, EntryType.hold, -hold.amount, order.id);
}

/** Ends an open order and the other leg of its OCO order, and releases their hold. */
export function end(
  state: NaiveState,
  order: NaiveOrder,
  status: number,
  reason: number,
): NaiveOrder {
  const oco = state.unlinkOco(order);
  const isHolding = oco === undefined || oco.holdingLeg === order;
  const ended = finish(state, order, status, reason, isHolding);
  if (oco !== undefined) finish(state, oco.other, status, reason, !isHolding);
  return ended;
}

function finish(
  state: NaiveState,
  order: NaiveOrder,
  status: number,
  reason: number,
  isHolding: boolean,
): NaiveOrder {
  const market = state.markets[order.market]!;
  const price = heldPrice(state, order);
  const release = held(market, { ...order, price }, order.remaining);
  if (isHolding) {
    state.post(order.account, release.asset, EntryType.release, release.amount, order.id);
  }
  order.status = status;
  order.reason = reason;
  order.updatedAt = state.time;
  state.remove(order);
  return state.report(order);
}

/** Returns the hold of an open order for `quantity` of it. */
export function held(
  market: NaiveMarket,
  order: Pick<NaiveOrder, 'side' | 'price'>,
  quantity: number,
): { asset: number; amount: bigint } {
  return order.side === BUY
    ? { asset: market.quote.index, amount: worth(market, order.price, quantity) }
    : { asset: market.base.index, amount: inBase(market, quantity) };
}
