import { CommandKind, type PlaceOrder, type PlaceStopOrder } from '../../src/engine/command.ts';
import { MAX_UNITS } from '../../src/engine/limits.ts';
import {
  EntryType,
  OrderReason,
  OrderStatus,
  OrderType,
  SelfTradePrevention,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { rateOf } from './naive-fees.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { trigger, wait, worstPrice } from './naive-stops.ts';

export const BUY = 0;
export const SELL = 1;

/** price × amount in minor units of the quote. */
export function worth(market: NaiveMarket, price: number, amount: number): bigint {
  const { priceDecimals, amountDecimals } = market.rules;
  const scale = 10n ** BigInt(market.quote.decimals - priceDecimals - amountDecimals);
  return BigInt(price) * BigInt(amount) * scale;
}

/** The last trade's price, or what the operator gave for it. */
export function priceOf({ lastPrice, rules }: NaiveMarket): number {
  return lastPrice === 0 ? rules.referencePrice : lastPrice;
}

/** As far from a price as the collar lets an order without a limit trade. */
export function collared({ rules }: NaiveMarket, side: number, price: number): number {
  const collar = rules.collar === 0 ? 100_000n : BigInt(rules.collar);
  const width = Number((BigInt(price) * collar) / 1_000_000n);
  return side === BUY ? Math.min(price + width, MAX_UNITS) : price - width;
}

export function hasLimit(type: number): boolean {
  return [OrderType.limit, OrderType.stopLimit, OrderType.takeProfitLimit].includes(type as 0);
}

/** The worst price that an order may trade at, undefined where any will do. */
function limitOf(market: NaiveMarket, order: Pick<NaiveOrder, 'type' | 'side' | 'price'>) {
  if (hasLimit(order.type)) return order.price;
  return market.rules.collar === 0 ? undefined : collared(market, order.side, priceOf(market));
}

/** An amount in minor units of the base. */
export function inBase(market: NaiveMarket, amount: number): bigint {
  return BigInt(amount) * 10n ** BigInt(market.base.decimals - market.rules.amountDecimals);
}

/** Rounded up, so never in the trader's favour. */
function feeOf(received: bigint, partsPerMillion: number): bigint {
  const exact = received * BigInt(partsPerMillion);
  return exact % 1_000_000n === 0n ? exact / 1_000_000n : exact / 1_000_000n + 1n;
}

export function reaches(side: number, limit: number, price: number): boolean {
  return side === BUY ? price <= limit : price >= limit;
}

export function execute(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder | PlaceStopOrder,
  orderId: number,
): NaiveOrder {
  const order = orderOf(state, command, orderId);
  if (command.kind === CommandKind.placeOrder) return run(state, market, order);
  return wait(state, market, order, worstPrice(market, command));
}

export function orderOf(
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

/** Matches an order that is in no book and lets the rest of it rest, or ends it. */
export function run(
  state: NaiveState,
  market: NaiveMarket,
  order: NaiveOrder,
  mostToPay?: number,
): NaiveOrder {
  let limit = limitOf(market, order);
  if (mostToPay !== undefined && !hasLimit(order.type)) {
    limit = Math.min(limit ?? mostToPay, mostToPay);
  }
  if (order.timeInForce !== TimeInForce.fok || fillsAtOnce(state, order, limit)) {
    take(state, market, order, limit);
  }
  if (order.status !== OrderStatus.open) return state.report(order);
  const isBrief = order.timeInForce === TimeInForce.ioc || order.timeInForce === TimeInForce.fok;
  if (isBrief || !hasLimit(order.type)) {
    const next = state.side(order.market, order.side === BUY ? SELL : BUY)[0];
    const isKept =
      !hasLimit(order.type) &&
      order.timeInForce !== TimeInForce.fok &&
      next !== undefined &&
      limit !== undefined &&
      !reaches(order.side, limit, next.price);
    order.status = OrderStatus.expired;
    order.reason = isKept ? OrderReason.collar : OrderReason.timeInForce;
    return state.report(order);
  }
  state.orders.push(order);
  const hold = held(market, order, order.remaining);
  state.post(order.account, hold.asset, EntryType.hold, -hold.amount, order.id);
  return state.report(order);
}

/** The others' orders that the taker may trade with, the first to trade first. */
function within(state: NaiveState, taker: NaiveOrder, limit: number | undefined): NaiveOrder[] {
  return state
    .side(taker.market, taker.side === BUY ? SELL : BUY)
    .filter((maker) => limit === undefined || reaches(taker.side, limit, maker.price));
}

/** Fill or kill: own orders fill nothing; one that would end the taker ends it unfilled. */
function fillsAtOnce(state: NaiveState, taker: NaiveOrder, limit: number | undefined): boolean {
  let missing = taker.amount;
  let ahead = 0;
  const seen: NaiveOrder[] = [];
  for (const maker of within(state, taker, limit)) {
    seen.push(maker);
    if (maker.account !== taker.account) missing -= maker.remaining;
    else if (taker.selfTradePrevention !== SelfTradePrevention.expireMaker) {
      ahead = seen.filter(({ price }) => price === maker.price).length - 1;
      break;
    }
    if (missing <= 0) break;
  }
  state.looked = new Set(seen.map(({ price }) => price)).size + ahead;
  return missing <= 0;
}

/** Trades with one maker after the other, until nothing is left to take or the taker has ended. */
function take(
  state: NaiveState,
  market: NaiveMarket,
  taker: NaiveOrder,
  limit: number | undefined,
): void {
  const byCost = taker.cost > 0n;
  const decrements = taker.selfTradePrevention === SelfTradePrevention.decrement;
  // What an order by cost may still spend and take, and the price it would be spent at.
  let budget = taker.cost;
  let room = market.rules.maxAmount;
  let price = 0;
  // Reckoned anew with each price, in steps of now: the orders that rest may be of others.
  let affordable = 0;
  for (const maker of within(state, taker, limit)) {
    if (byCost && maker.price !== price) affordable = buyable(market, budget, room, maker.price);
    price = maker.price;
    const wanted = byCost ? affordable : taker.remaining;
    if (wanted === 0) break;
    const quantity = Math.min(wanted, maker.remaining);
    const isOwn = maker.account === taker.account;
    if (isOwn) preventSelfTrade(state, market, taker, maker, quantity);
    else fill(state, market, taker, maker, quantity);
    if (taker.status !== OrderStatus.open) return;
    if (!isOwn || decrements) {
      budget -= worth(market, price, quantity);
      room -= quantity;
      affordable -= quantity;
    }
    // It wants no more of this one, so the next one's price is not what another step would cost.
    if (byCost && !isOwn && maker.remaining > 0) break;
    if (isOwn && decrements && quantity === wanted) {
      taker.status = OrderStatus.expired;
      return;
    }
    if (!byCost && taker.remaining === 0) {
      taker.status = OrderStatus.filled;
      return;
    }
  }
  // Filled by cost is who bought something and could not buy another step with the rest.
  if (byCost && taker.amount > 0 && stepsFor(market, budget, price) === 0n) {
    taker.status = OrderStatus.filled;
  }
}

/** How many whole steps `budget` pays for at a price. */
function stepsFor(market: NaiveMarket, budget: bigint, price: number): bigint {
  return budget / worth(market, price, market.rules.step);
}

/** How much an order by cost still buys at a price. */
function buyable(market: NaiveMarket, budget: bigint, room: number, price: number): number {
  const amount = stepsFor(market, budget, price) * BigInt(market.rules.step);
  return amount < BigInt(room) ? Number(amount) : room;
}

/** One match at the maker's price: both sides give, get and pay their fee. */
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
  const makerRate = rateOf(state, market, maker.account, 'makerFee');
  const takerRate = rateOf(state, market, taker.account, 'takerFee');
  const makerFee = feeOf(maker.side === BUY ? amount : cost, makerRate);
  const takerFee = feeOf(taker.side === BUY ? amount : cost, takerRate);
  for (const { account } of [maker, taker]) {
    if (market.quote.index === state.feeAsset) state.volumes.push({ account, time, cost });
  }
  state.events.push({
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
  });
  const release = held(market, maker, quantity);
  state.post(maker.account, release.asset, EntryType.release, release.amount, maker.id);
  settle(state, market, maker, amount, cost, makerFee, id);
  settle(state, market, taker, amount, cost, takerFee, id);
  market.lastPrice = price;
  trigger(state, market, price);
  taker.remaining -= quantity;
  if (taker.cost > 0n) {
    taker.amount += quantity;
    taker.remaining = 0;
  }
  maker.remaining -= quantity;
  if (maker.remaining === 0) {
    maker.status = OrderStatus.filled;
    state.orders.splice(state.orders.indexOf(maker), 1);
  }
  for (const [order, fee] of [
    [maker, makerFee],
    [taker, takerFee],
  ] as const) {
    order.filledCost += cost;
    order.fees += fee;
    order.updatedAt = time;
    order.lastFillAt = time;
  }
  state.report(maker);
}

function settle(
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
  state.post(account, received.asset, EntryType.fee, -fee, tradeId);
  state.fees[received.asset]! += fee;
}

/** Maker and taker are of one account: instead of a trade, one of them or both end or shrink. */
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

/** The maker loses what would have traded, and ends if nothing is left. */
function shrink(state: NaiveState, market: NaiveMarket, maker: NaiveOrder, quantity: number): void {
  settleOco(state, maker);
  const release = held(market, maker, quantity);
  state.post(maker.account, release.asset, EntryType.release, release.amount, maker.id);
  maker.amount -= quantity;
  maker.remaining -= quantity;
  maker.reason = OrderReason.selfTrade;
  maker.updatedAt = state.time;
  if (maker.remaining === 0) {
    maker.status = OrderStatus.expired;
    state.orders.splice(state.orders.indexOf(maker), 1);
  }
  state.report(maker);
}

/** The price that an open order's hold was reckoned by. */
export function worstPriceOf(state: NaiveState, order: NaiveOrder): number {
  return state.orders.includes(order) ? order.price : state.worstPrices.get(order.id)!;
}

/** One of a pair begins to trade or shrinks: the other is canceled, its hold is for it alone. */
export function settleOco(state: NaiveState, order: NaiveOrder): void {
  const pair = state.part(order);
  if (pair === undefined) return;
  const isHolder = pair.holder === order;
  finish(state, pair.other, OrderStatus.canceled, OrderReason.linked, !isHolder);
  if (isHolder) return;
  const price = worstPriceOf(state, order);
  const hold = held(state.markets[order.market]!, { ...order, price }, order.remaining);
  state.post(order.account, hold.asset, EntryType.hold, -hold.amount, order.id);
}

/** Ends an open order, and the other of its pair, and gives back all that they held. */
export function end(
  state: NaiveState,
  order: NaiveOrder,
  status: number,
  reason: number,
): NaiveOrder {
  const pair = state.part(order);
  const isHolder = pair === undefined || pair.holder === order;
  const ended = finish(state, order, status, reason, isHolder);
  if (pair !== undefined) finish(state, pair.other, status, reason, !isHolder);
  return ended;
}

function finish(
  state: NaiveState,
  order: NaiveOrder,
  status: number,
  reason: number,
  isHolder: boolean,
): NaiveOrder {
  const market = state.markets[order.market]!;
  const price = worstPriceOf(state, order);
  const release = held(market, { ...order, price }, order.remaining);
  if (isHolder) {
    state.post(order.account, release.asset, EntryType.release, release.amount, order.id);
  }
  order.status = status;
  order.reason = reason;
  order.updatedAt = state.time;
  state.remove(order);
  return state.report(order);
}

/** What an open order holds for `quantity` of it. */
export function held(
  market: NaiveMarket,
  order: Pick<NaiveOrder, 'side' | 'price'>,
  quantity: number,
): { asset: number; amount: bigint } {
  return order.side === BUY
    ? { asset: market.quote.index, amount: worth(market, order.price, quantity) }
    : { asset: market.base.index, amount: inBase(market, quantity) };
}
