import type { SetMarketStatus } from '../../src/engine/command.ts';
import { MAX_UNITS, PORTION } from '../../src/engine/limits.ts';
import { EntryType, MarketStatus, OrderStatus, TimeInForce } from '../../src/engine/terms.ts';
import { activateBrackets } from './naive-brackets.ts';
import { feeRate, payReferrers } from './naive-fees.ts';
import { addFill, held, settle, settleOco } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState, NaiveTrade } from './naive-state.ts';
import { trigger } from './naive-stops.ts';
import { noteTrade } from './naive-trading-limits.ts';
import { followTrade } from './naive-trailing.ts';
import { BUY, feeAmount, inBase, reaches, readPrice, SELL, worth } from './naive-values.ts';

/** The call phase of a market in an auction. */
export interface NaiveCall {
  readonly market: number;
  readonly cause: 'opening' | 'operator' | 'volatility';
  /** 0 if an operator ends it. */
  endsAt: number;
  isExtended: boolean;
  readonly nextStatus: number;
}

const DAY_MS = 86_400_000;

function today(state: NaiveState): number {
  return Math.floor(state.time / DAY_MS);
}

/** Returns the price of the last auction of the day, else the last price before the first trade of the day. */
export function staticReference(state: NaiveState, market: NaiveMarket): number {
  const known = state.references.get(market.index);
  return known?.day === today(state) ? known.price : readPrice(market);
}

/** Keeps the price before the first trade of a day. */
export function keepReference(state: NaiveState, market: NaiveMarket): void {
  if (market.rules.staticBand === 0) return;
  const price = staticReference(state, market);
  state.references.set(market.index, { price, day: today(state) });
}

/** Returns whether a market may trade at a price, if the bands are `factor` times as wide. */
function isAllowed(state: NaiveState, market: NaiveMarket, price: number, factor: bigint): boolean {
  const { staticBand, dynamicBand } = market.rules;
  const isNear = (reference: number, band: number) => {
    if (band === 0) return true;
    const width = (BigInt(reference) * BigInt(band) * factor) / 1_000_000n;
    const highest = BigInt(reference) + width;
    const isLow = BigInt(price) <= (highest < BigInt(MAX_UNITS) ? highest : BigInt(MAX_UNITS));
    return isLow && BigInt(price) >= BigInt(reference) - width;
  };
  return (
    isNear(staticReference(state, market), staticBand) && isNear(readPrice(market), dynamicBand)
  );
}

/** Returns the prices of a taker's makers at which the market may trade before the first of its trades. */
export function allowedPrices(
  state: NaiveState,
  market: NaiveMarket,
  makers: readonly NaiveOrder[],
): Set<number> {
  const prices = [...new Set(makers.map(({ price }) => price))];
  const end = prices.findIndex((price) => !isAllowed(state, market, price, 1n));
  return new Set(end < 0 ? prices : prices.slice(0, end));
}

/** Halts the market if a taker that is not filled could trade at a price that the bands forbid. */
export function haltIfStopped(
  state: NaiveState,
  market: NaiveMarket,
  taker: NaiveOrder,
  next: NaiveOrder | undefined,
  allowed: ReadonlySet<number>,
): boolean {
  if (next === undefined || taker.timeInForce === TimeInForce.fok || allowed.has(next.price)) {
    return false;
  }
  const nextStatus = market.status;
  const endsAt = state.time + market.rules.auctionMs;
  addCall(state, market, { cause: 'volatility', endsAt, nextStatus });
  return true;
}

export function addCall(
  state: NaiveState,
  market: NaiveMarket,
  call: Pick<NaiveCall, 'cause' | 'endsAt' | 'nextStatus'>,
): void {
  market.status = MarketStatus.auction;
  state.calls.push({ market: market.index, isExtended: false, ...call });
}

export function dropCall(state: NaiveState, market: NaiveMarket): void {
  state.calls = state.calls.filter((call) => call.market !== market.index);
}

export function changeStatus(
  state: NaiveState,
  market: NaiveMarket,
  { status }: SetMarketStatus,
): void {
  if (status === MarketStatus.auction) {
    if (market.status === MarketStatus.auction) return;
    const { auctionMs } = market.rules;
    const endsAt = auctionMs === 0 ? 0 : state.time + auctionMs;
    addCall(state, market, { cause: 'operator', endsAt, nextStatus: MarketStatus.online });
    return;
  }
  dropCall(state, market);
  market.status = status;
  if ([MarketStatus.online, MarketStatus.postOnly, MarketStatus.limitOnly].includes(status as 0)) {
    uncross(state, market);
  }
}

/** Ends a call that is due, or extends it. */
export function endCall(state: NaiveState, call: NaiveCall): void {
  const market = state.markets[call.market]!;
  const { auctionMs } = market.rules;
  const price = uncrossingPrice(state, market);
  const mayExtend = call.cause === 'volatility' && !call.isExtended && auctionMs !== 0;
  if (mayExtend && price !== undefined && !isAllowed(state, market, price, 2n)) {
    call.endsAt += auctionMs;
    call.isExtended = true;
    return;
  }
  dropCall(state, market);
  market.status = call.nextStatus;
  uncross(state, market);
  activateBrackets(state);
}

/**
 * Returns the price of an auction: of the limits of all orders and the last price the one with the highest volume, then
 * the smallest surplus, then the smallest distance from the last price. Compares every price with every order.
 */
export function uncrossingPrice(state: NaiveState, market: NaiveMarket): number | undefined {
  const bids = state.side(market.index, BUY);
  const asks = state.side(market.index, SELL);
  const last = readPrice(market);
  const total = (orders: readonly NaiveOrder[]) =>
    orders.reduce((sum, { remaining }) => sum + BigInt(remaining), 0n);
  const rank = (price: number) => {
    const bought = total(bids.filter((bid) => reaches(BUY, bid.price, price)));
    const sold = total(asks.filter((ask) => reaches(SELL, ask.price, price)));
    const [volume, more] = bought < sold ? [bought, sold] : [sold, bought];
    return { price, volume, surplus: more - volume, distance: Math.abs(price - last) };
  };
  const [best] = [last, ...[...bids, ...asks].map(({ price }) => price)]
    .map(rank)
    .sort(
      (a, b) =>
        Number(b.volume - a.volume) || Number(a.surplus - b.surplus) || a.distance - b.distance,
    );
  return best!.volume > 0n ? best!.price : undefined;
}

function uncross(state: NaiveState, market: NaiveMarket): void {
  const price = uncrossingPrice(state, market);
  if (price === undefined) return;
  const { nextTradeId } = state;
  for (;;) {
    const [bid] = state.side(market.index, BUY);
    const [ask] = state.side(market.index, SELL);
    if (bid === undefined || ask === undefined || bid.price < price || ask.price > price) break;
    fill(state, market, bid, ask, price);
  }
  if (market.rules.staticBand !== 0) {
    state.references.set(market.index, { price, day: today(state) });
  }
  state.endsLeft -= Math.floor((state.nextTradeId - nextTradeId) / PORTION.trades);
}

/** Settles one match. The younger order is the taker, and both pay the maker fee. */
function fill(
  state: NaiveState,
  market: NaiveMarket,
  bid: NaiveOrder,
  ask: NaiveOrder,
  price: number,
): void {
  const quantity = Math.min(bid.remaining, ask.remaining);
  settleOco(state, bid);
  settleOco(state, ask);
  const [maker, taker] = bid.id < ask.id ? [bid, ask] : [ask, bid];
  const { time } = state;
  const cost = worth(market, price, quantity);
  const amount = inBase(market, quantity);
  const release = (order: NaiveOrder, asset: number, released: bigint) => {
    if (released > 0n) state.post(order.account, asset, EntryType.release, released, order.id);
  };
  const bidHold = held(market, bid, quantity);
  release(bid, bidHold.asset, bid === taker ? bidHold.amount : bidHold.amount - cost);
  if (ask === taker) release(ask, market.base.index, amount);
  keepReference(state, market);
  const [makerFee, takerFee] = [maker, taker].map((order) =>
    feeAmount(
      order === bid ? amount : cost,
      Math.max(0, feeRate(state, market, order.account, 'makerFee')),
    ),
  ) as [bigint, bigint];
  for (const { account } of [maker, taker]) {
    if (market.quote.index === state.feeAsset) state.volumes.push({ account, time, cost });
  }
  const id = state.nextTradeId++;
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
    isAuction: true,
  };
  state.events.push(trade);
  noteTrade(state, maker.account, taker.account);
  const given =
    maker === bid ? { asset: market.quote.index, amount: cost } : held(market, ask, quantity);
  release(maker, given.asset, given.amount);
  settle(state, market, maker, amount, cost, makerFee, id);
  settle(state, market, taker, amount, cost, takerFee, id);
  payReferrers(state, market, trade);
  market.lastPrice = price;
  trigger(state, market, price);
  followTrade(state, market, price);
  for (const [order, fee] of [
    [maker, makerFee],
    [taker, takerFee],
  ] as const) {
    state.lower(order, quantity);
    addFill(order, cost, fee, time);
    if (order.remaining === 0) {
      order.status = OrderStatus.filled;
      state.remove(order);
    }
    state.report(order);
  }
}
