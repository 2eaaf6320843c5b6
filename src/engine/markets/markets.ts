import { Book } from '../book/book.ts';
import type { OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import type { ListedRules, MarketRules } from '../command.ts';
import { type ElementHashes, mix, mixExact, mixNumber, mixText } from '../digest.ts';
import { MAX_AUCTION_MS, MAX_UNITS, WIDTH_WITHOUT_COLLAR } from '../limits.ts';
import { type Exact, product, quotient } from '../numbers/exact.ts';
import { TrailingStops } from '../orders/triggers/trailing-stops.ts';
import { Triggers } from '../orders/triggers/triggers.ts';
import { MarketStatus, Side } from '../terms.ts';
import { NO_AUCTIONS, numericRules } from './market-rules.ts';

export interface Asset {
  readonly index: number;
  /** Ticker, as used in market symbols. */
  readonly asset: string;
  readonly name: string;
  /** One coin is 10^decimals minor units. */
  readonly decimals: number;
}

export class Market {
  readonly symbol: string;
  readonly book: Book;
  readonly triggers: Triggers;
  readonly trailing: TrailingStops;
  status: number = MarketStatus.online;
  /** Restriction of all markets, a MarketStatus: `online`, `cancelOnly` or `halted`; derived from `TradingStatus`. */
  restriction: number = MarketStatus.online;
  /** When its busted trades were busted, milliseconds since 1970, by trade id; derived from `TradeBusts`. */
  readonly busts = new Map<number, number>();
  /** Price of the last trade in price units; 0 before the first trade. */
  lastPrice = 0;
  /** Number of open orders including pending ones; derived from the rest of the state. */
  openOrders = 0;
  /** Incremented once by every command that changes the book. */
  bookSequence = 0;
  /**
   * The time of the last command that changed the book, milliseconds since 1970; 0 if none is known, and in version 1. The
   * digest does not have it, because nothing depends on it.
   */
  bookChangedAt = 0;
  /** Number of the command that last changed the book (`State.applied`). */
  bookChangedBy = 0;
  /** Hash of the book sequence that is included in the digest, and whether it is outdated. */
  bookHash = 0;
  isBookStale = false;
  /** Minor units of the base asset per amount unit. */
  readonly baseUnit: number;
  /** Minor units of the quote asset per price unit × amount unit. */
  readonly quoteUnit: number;

  constructor(
    readonly index: number,
    readonly base: Asset,
    readonly quote: Asset,
    public rules: MarketRules,
    readonly listedAt: number,
    orders: OrderStore,
    details: OrderDetails,
  ) {
    this.symbol = `${base.asset}/${quote.asset}`;
    this.book = new Book(orders);
    this.triggers = new Triggers(orders, details);
    this.trailing = new TrailingStops(this);
    this.baseUnit = powerOfTen(base.decimals - rules.amountDecimals);
    this.quoteUnit = powerOfTen(quote.decimals - rules.priceDecimals - rules.amountDecimals);
  }

  /**
   * Returns price × amount in minor units of the quote asset: always whole, by the listing rules.
   */
  notional(price: number, amount: number): Exact {
    return product(price, amount, this.quoteUnit);
  }

  /** Returns the amount in whole steps that a cost pays for at `price`. */
  payable(price: number, cost: Exact): number {
    const units = BigInt(cost) / BigInt(this.notional(price, 1));
    const amount = units > BigInt(MAX_UNITS) ? MAX_UNITS : Number(units);
    return amount - (amount % this.rules.step);
  }

  /**
   * Returns the maximum amount in whole steps that an order by cost trades: `maxAmount`, and for a sell also no more than the
   * base minor units that are available.
   */
  capacity(side: Side, available: Exact): number {
    const { maxAmount, step } = this.rules;
    if (side === Side.buy) return maxAmount;
    const amount = quotient(available, this.baseUnit);
    return amount >= maxAmount ? maxAmount : Number(amount) - (Number(amount) % step);
  }

  /** The status that applies: the market's own, or the restriction of all markets if that is stricter. */
  get currentStatus(): number {
    const { status, restriction } = this;
    if (restriction === MarketStatus.online || status === MarketStatus.delisted) return status;
    return status === MarketStatus.halted ? status : restriction;
  }

  /** Price of the last trade; the reference price before the first trade. */
  get price(): number {
    return this.lastPrice === 0 ? this.rules.referencePrice : this.lastPrice;
  }

  /**
   * Returns the worst price at which an order without a limit trades, if `from` is the price of the
   * market.
   */
  collarPrice(side: Side, from: number): number {
    return priceAtDistance(side, from, this.collarOrDefault);
  }

  /** Returns `collarPrice` for a buy with a trigger price of any size. */
  worstTriggeredPrice(trigger: bigint): bigint {
    return trigger + (trigger * BigInt(this.collarOrDefault)) / 1_000_000n;
  }

  /** A market without a collar still bounds the price of triggered orders. */
  private get collarOrDefault(): number {
    return this.rules.collar === 0 ? WIDTH_WITHOUT_COLLAR : this.rules.collar;
  }

  /**
   * Returns the worst price at which a market order trades now; Infinity (buy) or 0 (sell) without
   * a collar.
   */
  marketLimit(side: Side): number {
    if (this.rules.collar !== 0) return this.collarPrice(side, this.price);
    return side === Side.buy ? Number.POSITIVE_INFINITY : 0;
  }

  /** Returns the asset of the fee of a fill: the one that its order receives, or gives for a rebate. @param fee Minor units */
  feeAsset(side: Side, fee: Exact): Asset {
    return (side === Side.buy) === fee >= 0 ? this.base : this.quote;
  }

  /** Converts an amount in units to minor units of the base asset. */
  baseAmount(amount: number): Exact {
    return product(amount, 1, this.baseUnit);
  }
}

/**
 * Returns the price that is `distance` parts per million above `from` for a buy, below it for a sell, rounded towards
 * `from` and at most `MAX_UNITS`.
 */
export function priceAtDistance(side: Side, from: number, distance: number): number {
  const millions = Math.floor(from / 1_000_000);
  const rest = from - millions * 1_000_000;
  // Computed separately for the millions and the rest, so that every step is exact.
  const width = millions * distance + Math.floor((rest * distance) / 1_000_000);
  return side === Side.buy ? Math.min(from + width, MAX_UNITS) : Math.max(from - width, 0);
}

/** Changes the status of a market, and its hash in the digest. */
export function setStatus(hashes: ElementHashes, market: Market, status: number): void {
  hashes.exclude(hashMarket(market));
  market.status = status;
  hashes.include(hashMarket(market));
}

/** Returns 10^exponent, which is exact up to MAX_ASSET_DECIMALS. */
function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** Returns the rule that a listing breaks, or undefined if it is valid. @param version The engine version */
export function brokenListingRule(
  base: Asset,
  quote: Asset,
  rules: ListedRules,
  version: number,
): string | undefined {
  const { priceDecimals, amountDecimals, tick, step } = rules;
  if (base === quote) return 'base and quote must differ';
  if (amountDecimals > base.decimals)
    return `stepSize has more decimals than ${base.asset}, which has ${base.decimals}`;
  if (priceDecimals + amountDecimals > quote.decimals) {
    return `tickSize × stepSize must be a whole number of minor units of ${quote.asset}, which has ${quote.decimals} decimals: ${priceDecimals + amountDecimals} are needed`;
  }
  if (!isUnits(tick) || !isUnits(step)) return 'tickSize and stepSize must be above zero';
  if (!isGrid(rules.minPrice, tick) || !isGrid(rules.maxPrice, tick)) {
    return 'minPrice and maxPrice must be multiples of tickSize';
  }
  if (!isGrid(rules.minAmount, step) || !isGrid(rules.maxAmount, step)) {
    return 'minAmount and maxAmount must be multiples of stepSize';
  }
  if (rules.minPrice > rules.maxPrice || rules.minAmount > rules.maxAmount) {
    return 'minPrice and minAmount must not exceed maxPrice and maxAmount';
  }
  if (!isGrid(rules.referencePrice, tick)) return 'referencePrice must be a multiple of tickSize';
  if (rules.minNotional < 0) return 'minNotional must not be below zero';
  const brokenRate = brokenRateRule(rules, version);
  if (brokenRate !== undefined) return brokenRate;
  if (!Number.isInteger(rules.collar) || rules.collar < 0 || rules.collar > 1_000_000) {
    return 'collar must be from 0 to 1, with at most six decimals';
  }
  return brokenAuctionRule(rules);
}

function brokenAuctionRule(rules: ListedRules): string | undefined {
  const { staticBand, dynamicBand, auctionMs } = { ...NO_AUCTIONS, ...rules };
  for (const band of [staticBand, dynamicBand]) {
    if (!Number.isInteger(band) || band < 0 || band > 1_000_000) {
      return 'staticBand and dynamicBand must be from 0 to 1, with at most six decimals';
    }
  }
  if (!Number.isInteger(auctionMs) || auctionMs < 0 || auctionMs > MAX_AUCTION_MS) {
    return `auctionMs must be from 0 to ${MAX_AUCTION_MS}`;
  }
  return auctionMs === 0 && staticBand + dynamicBand > 0
    ? 'a market with price bands needs auctionMs'
    : undefined;
}

function isUnits(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function isGrid(value: number, multiple: number): boolean {
  return isUnits(value) && value % multiple === 0;
}

/** Returns the rule that fee rates in parts per million break. @param version The engine version */
export function brokenRateRule(
  { makerFee, takerFee }: Pick<ListedRules, 'makerFee' | 'takerFee'>,
  version: number,
): string | undefined {
  if (version < 2) {
    const areRates = isRate(makerFee) && isRate(takerFee);
    return areRates ? undefined : 'fees must be from 0 to 0.1, with at most six decimals';
  }
  return isRate(Math.abs(makerFee)) && isRate(takerFee)
    ? undefined
    : 'makerFee must be from -0.1 to 0.1 and takerFee from 0 to 0.1, with at most six decimals';
}

/** 10 % is far above the rates of any exchange. */
function isRate(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 100_000;
}

export function hashAsset(asset: Asset): number {
  return mix(mixText(mixText(mix(5, asset.index), asset.asset), asset.name), asset.decimals);
}

export function hashMarket(market: Market): number {
  const { rules } = market;
  let hash = mixText(mix(mix(6, market.index), market.status), market.symbol);
  for (const rule of numericRules) hash = mixNumber(hash, rules[rule]);
  hash = mixNumber(hash, market.listedAt);
  return mixExact(hash, rules.minNotional);
}

/** Hashes the last price separately, because every trade changes it. */
export function hashLastPrice(market: Market): number {
  return mixNumber(mix(7, market.index), market.lastPrice);
}

/** Hashes the book sequence separately, because almost every command of the market changes it. */
export function hashBookSequence(market: Market): number {
  return mixNumber(mix(23, market.index), market.bookSequence);
}
