import { Book } from '../book/book.ts';
import type { OrderDetails } from '../book/order-details.ts';
import type { OrderStore } from '../book/order-store.ts';
import type { MarketRules } from '../command.ts';
import { mix, mixExact, mixNumber, mixText } from '../digest.ts';
import { MAX_UNITS, WIDTH_WITHOUT_COLLAR } from '../limits.ts';
import { type Exact, product } from '../numbers/exact.ts';
import { Triggers } from '../orders/triggers.ts';
import { MarketStatus, Side } from '../terms.ts';

export interface Asset {
  readonly index: number;
  /** The ticker, as in a symbol. */
  readonly asset: string;
  readonly name: string;
  /** One whole coin is 10^decimals minor units. */
  readonly decimals: number;
}

export class Market {
  readonly symbol: string;
  readonly book: Book;
  readonly triggers: Triggers;
  status: number = MarketStatus.online;
  /** Price units of the last trade, 0 before the first. */
  lastPrice = 0;
  /** Open orders, those that wait for a trigger included; follows from the rest of the state. */
  openOrders = 0;
  /** Grows by one with every command that changes the book. */
  bookSequence = 0;
  /** The command that changed the book last, by `State.applied`. */
  bookChangedBy = 0;
  /** Hash of the book sequence as it stands in the digest, and whether that has changed since. */
  bookHash = 0;
  isBookStale = false;
  /** Minor units of the base that one amount unit is worth. */
  readonly baseUnit: number;
  /** Minor units of the quote that one price unit × one amount unit is worth. */
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
    this.baseUnit = powerOfTen(base.decimals - rules.amountDecimals);
    this.quoteUnit = powerOfTen(quote.decimals - rules.priceDecimals - rules.amountDecimals);
  }

  /** Price × amount in minor units of the quote: always whole, by the listing's rules. */
  notional(price: number, amount: number): Exact {
    return product(price, amount, this.quoteUnit);
  }

  /** The last trade's price, before the first one the reference price. */
  get price(): number {
    return this.lastPrice === 0 ? this.rules.referencePrice : this.lastPrice;
  }

  /** The worst price that an order without a limit trades at, where `from` is the market's price. */
  collarPrice(side: Side, from: number): number {
    const collar = this.collarOrDefault;
    const millions = Math.floor(from / 1_000_000);
    const rest = from - millions * 1_000_000;
    // Millions and the rest apart: every step is exact.
    const width = millions * collar + Math.floor((rest * collar) / 1_000_000);
    return side === Side.buy ? Math.min(from + width, MAX_UNITS) : from - width;
  }

  /** As `collarPrice` of a buy, for a trigger of any size. */
  worstTriggered(trigger: bigint): bigint {
    return trigger + (trigger * BigInt(this.collarOrDefault)) / 1_000_000n;
  }

  /** A market without a price band still bounds what a triggered order may pay. */
  private get collarOrDefault(): number {
    return this.rules.collar === 0 ? WIDTH_WITHOUT_COLLAR : this.rules.collar;
  }

  /** The worst price that a market order trades at now, Infinity or 0 where any will do. */
  marketLimit(side: Side): number {
    if (this.rules.collar !== 0) return this.collarPrice(side, this.price);
    return side === Side.buy ? Number.POSITIVE_INFINITY : 0;
  }

  /** `amount` units of the base in its minor units. */
  baseAmount(amount: number): Exact {
    return product(amount, 1, this.baseUnit);
  }
}

/** Exact up to MAX_ASSET_DECIMALS, which is why there is that limit. */
function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** The rule that a listing breaks, in words; undefined where it breaks none. */
export function brokenListingRule(
  base: Asset,
  quote: Asset,
  rules: MarketRules,
): string | undefined {
  const { priceDecimals, amountDecimals, tick, step } = rules;
  if (base === quote) return 'base and quote must differ';
  if (amountDecimals > base.decimals) return `stepSize has more decimals than ${base.asset} counts`;
  if (priceDecimals + amountDecimals > quote.decimals) {
    return `tickSize × stepSize must be a whole number of minor units of ${quote.asset}: it counts ${quote.decimals} decimals, ${priceDecimals + amountDecimals} are needed`;
  }
  if (!isUnits(tick) || !isUnits(step)) return 'tickSize and stepSize must be above zero';
  if (!isGrid(rules.minPrice, tick) || !isGrid(rules.maxPrice, tick)) {
    return 'minPrice and maxPrice must be multiples of tickSize';
  }
  if (!isGrid(rules.minAmount, step) || !isGrid(rules.maxAmount, step)) {
    return 'minAmount and maxAmount must be multiples of stepSize';
  }
  if (rules.minPrice > rules.maxPrice || rules.minAmount > rules.maxAmount) {
    return 'a minimum must not be above its maximum';
  }
  if (!isGrid(rules.referencePrice, tick)) return 'referencePrice must be a multiple of tickSize';
  if (rules.minNotional < 0) return 'minNotional must not be below zero';
  if (!isRate(rules.makerFee) || !isRate(rules.takerFee)) {
    return 'fees must be from 0 to 0.1, with at most six decimals';
  }
  if (!Number.isInteger(rules.collar) || rules.collar < 0 || rules.collar > 1_000_000) {
    return 'collar must be from 0 to 1, with at most six decimals';
  }
  return undefined;
}

function isUnits(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function isGrid(value: number, multiple: number): boolean {
  return isUnits(value) && value % multiple === 0;
}

/** Fees are parts per million; a tenth is far above any exchange's. */
export function isRate(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 100_000;
}

export function hashAsset(asset: Asset): number {
  return mix(mixText(mixText(mix(5, asset.index), asset.asset), asset.name), asset.decimals);
}

export function hashMarket(market: Market): number {
  const { rules } = market;
  let hash = mixText(mix(mix(6, market.index), market.status), market.symbol);
  for (const value of [
    rules.priceDecimals,
    rules.amountDecimals,
    rules.tick,
    rules.step,
    rules.minPrice,
    rules.maxPrice,
    rules.minAmount,
    rules.maxAmount,
    rules.makerFee,
    rules.takerFee,
    rules.referencePrice,
    rules.collar,
    market.listedAt,
  ]) {
    hash = mixNumber(hash, value);
  }
  return mixExact(hash, rules.minNotional);
}

/** The last price changes with every trade, so it has a hash of its own. */
export function hashLastPrice(market: Market): number {
  return mixNumber(mix(7, market.index), market.lastPrice);
}

/** The sequence changes with almost every command of a market, so it has one of its own too. */
export function hashBookSequence(market: Market): number {
  return mixNumber(mix(23, market.index), market.bookSequence);
}
