import { mix, mixNumber } from '../digest.ts';
import { auctionRules, NO_AUCTIONS } from '../markets/market-rules.ts';
import { type Market, setStatus } from '../markets/markets.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant } from '../rejection.ts';
import type { PartState, StatePart } from '../state-part.ts';
import { MarketStatus } from '../terms.ts';
import { type PriceRange, priceRange } from './bands.ts';
import { findUncrossing, isCrossed, type Uncrossing } from './uncrossing.ts';

/** Why a market is in an auction; the numbers are stored in snapshots. */
export const auctionCauses = ['opening', 'operator', 'volatility'] as const;
export const AuctionCause = { opening: 0, operator: 1, volatility: 2 } as const;

/** The call phase of an auction. */
export interface AuctionCall {
  readonly market: number;
  readonly cause: number;
  /** When the auction fills orders, in milliseconds since 1970; 0 if an operator ends it. */
  readonly endsAt: number;
  /** Whether the call was extended, which happens once. */
  readonly isExtended: boolean;
  /** The status of the market after the auction. */
  readonly nextStatus: number;
}

/** The price around which the static band lies. */
interface StaticReference {
  /** In price units. */
  readonly price: number;
  /** Number of the UTC day from which it counts. */
  readonly day: number;
}

const DAY_MS = 86_400_000;
/** The statuses in which the book of a market may be crossed: no order trades in any of them. */
export const MAY_BE_CROSSED: readonly number[] = [
  MarketStatus.auction,
  MarketStatus.cancelOnly,
  MarketStatus.halted,
  MarketStatus.delisted,
];

/**
 * The auctions of all markets: the rules of each, the call phases in progress and the static reference prices. A market
 * has a call exactly while its status is `auction`.
 */
export class Auctions implements StatePart {
  readonly id = 100;
  private readonly calls = new Map<number, AuctionCall>();
  private readonly references = new Map<number, StaticReference>();
  /** When the first call ends. */
  nextTime = Number.POSITIVE_INFINITY;
  /** Number of changes of rules, statuses and calls, for readers that follow them; no part of the state. */
  changes = 0;

  /** Carries out the end of a call; set by the engine, which alone can fill orders. */
  onEnd: (call: AuctionCall) => void = () => {};

  constructor(private readonly state: PartState) {}

  get isEmpty(): boolean {
    const { markets } = this.state;
    return this.calls.size + this.references.size === 0 && !markets.some(hasAuctionRules);
  }

  /** Returns the call phase of a market; undefined if it is in none. */
  find(market: Market): AuctionCall | undefined {
    return this.calls.get(market.index);
  }

  /** Returns the price and volume at which the auction of a market would end now; undefined if no orders cross. */
  indicate(market: Market): Uncrossing | undefined {
    return findUncrossing(market.book, market.price);
  }

  /** Returns the price around which the static band of a market lies, in price units. */
  staticReference(market: Market): number {
    const reference = this.references.get(market.index);
    return reference?.day === this.day ? reference.price : market.price;
  }

  /** Returns the prices at which a market may trade now. */
  range(market: Market): PriceRange {
    return priceRange(market, this.staticReference(market));
  }

  /** Must be called before a trade changes the last price: the first one of a day keeps the price before it as the reference. */
  noteTrade(market: Market): void {
    const { rules, index, price } = market;
    if (rules.staticBand === 0 || this.references.get(index)?.day === this.day) return;
    this.setReference(market, price);
  }

  /** Halts continuous trading: a trade outside the bands would have happened. */
  halt(market: Market): void {
    const { rules, status } = market;
    this.call(market, AuctionCause.volatility, this.state.time + rules.auctionMs, status);
  }

  /** Starts the opening auction of a new market. @param endsAt See `AuctionCall`. */
  open(market: Market, endsAt: number): void {
    this.call(market, AuctionCause.opening, endsAt, MarketStatus.online);
  }

  /** Ends the call of a market, if any, without filling orders. */
  close(market: Market, status: number): void {
    this.changes++;
    this.remove(market.index);
    setStatus(this.state, market, status);
  }

  /** Ends or extends the call that is due first. */
  runDue(): void {
    let due: AuctionCall | undefined;
    for (const call of this.calls.values()) {
      const isNext = call.endsAt === this.nextTime;
      if (isNext && (due === undefined || call.market < due.market)) due = call;
    }
    this.onEnd(due!);
  }

  /** Calls an auction on behalf of an operator; changes nothing in an auction. */
  callByOperator(market: Market): void {
    if (market.status === MarketStatus.auction) return;
    const { auctionMs } = market.rules;
    const endsAt = auctionMs === 0 ? 0 : this.state.time + auctionMs;
    this.call(market, AuctionCause.operator, endsAt, MarketStatus.online);
  }

  /** Extends a call by the length of the market's auctions. */
  extend(call: AuctionCall, market: Market): void {
    this.changes++;
    this.remove(call.market);
    this.add({ ...call, endsAt: call.endsAt + market.rules.auctionMs, isExtended: true });
  }

  /** Makes the price of an auction the static reference. */
  noteAuction(market: Market, price: number): void {
    if (market.rules.staticBand !== 0) this.setReference(market, price);
  }

  private call(market: Market, cause: number, endsAt: number, nextStatus: number): void {
    this.changes++;
    setStatus(this.state, market, MarketStatus.auction);
    this.add({ market: market.index, cause, endsAt, isExtended: false, nextStatus });
  }

  /** Must be called after a change of a market's rules. @param before The rules before it. */
  noteRules(market: Market, before: Market['rules']): void {
    this.changes++;
    this.state.exclude(hashAuctionRules(market.index, before));
    this.state.include(hashAuctionRules(market.index, market.rules));
    if (market.rules.staticBand === 0) this.dropReference(market.index);
  }

  countDigest(): number {
    let hash = 0;
    for (const { index, rules } of this.state.markets) {
      hash = (hash + hashAuctionRules(index, rules)) | 0;
    }
    for (const call of this.calls.values()) hash = (hash + hashCall(call)) | 0;
    for (const [market, each] of this.references) hash = (hash + hashReference(market, each)) | 0;
    return hash;
  }

  audit(): void {
    let next = Number.POSITIVE_INFINITY;
    for (const { symbol, index, status, book } of this.state.markets) {
      const call = this.calls.get(index);
      const isCalled = call !== undefined;
      invariant(
        isCalled === (status === MarketStatus.auction),
        `the status of ${symbol} does not match its auction`,
      );
      invariant(
        !isCrossed(book) || MAY_BE_CROSSED.includes(status),
        `the book of ${symbol} is crossed`,
      );
      if (isCalled && call.endsAt !== 0) next = Math.min(next, call.endsAt);
    }
    invariant(next === this.nextTime, 'the next end of an auction is not the earliest');
  }

  write(writer: ByteWriter): void {
    const ruled = this.state.markets.filter(hasAuctionRules);
    writer.uint32(ruled.length);
    for (const { index, rules } of ruled) {
      writer.uint32(index);
      for (const rule of auctionRules) writer.number(rules[rule]);
    }
    const calls = [...this.calls.values()].sort((a, b) => a.market - b.market);
    writer.uint32(calls.length);
    for (const { market, cause, endsAt, isExtended, nextStatus } of calls) {
      writer.uint32(market);
      writer.byte(cause);
      writer.number(endsAt);
      writer.byte(isExtended ? 1 : 0);
      writer.byte(nextStatus);
    }
    const references = [...this.references].sort(([a], [b]) => a - b);
    writer.uint32(references.length);
    for (const [market, { price, day }] of references) {
      writer.uint32(market);
      writer.number(price);
      writer.uint32(day);
    }
  }

  read(reader: ByteReader): void {
    for (let left = reader.uint32(); left > 0; left--) {
      const market = this.state.markets[reader.uint32()]!;
      const before = market.rules;
      const rules = { ...NO_AUCTIONS };
      for (const rule of auctionRules) rules[rule] = reader.number();
      market.rules = { ...before, ...rules };
      this.noteRules(market, before);
    }
    for (let left = reader.uint32(); left > 0; left--) {
      this.add({
        market: reader.uint32(),
        cause: reader.byte(),
        endsAt: reader.number(),
        isExtended: reader.byte() === 1,
        nextStatus: reader.byte(),
      });
    }
    for (let left = reader.uint32(); left > 0; left--) {
      this.addReference(reader.uint32(), { price: reader.number(), day: reader.uint32() });
    }
  }

  private get day(): number {
    return Math.floor(this.state.time / DAY_MS);
  }

  private add(call: AuctionCall): void {
    this.calls.set(call.market, call);
    this.state.include(hashCall(call));
    this.findNextTime();
  }

  private remove(market: number): void {
    const call = this.calls.get(market);
    if (call === undefined) return;
    this.calls.delete(market);
    this.state.exclude(hashCall(call));
    this.findNextTime();
  }

  private findNextTime(): void {
    this.nextTime = Number.POSITIVE_INFINITY;
    for (const { endsAt } of this.calls.values()) {
      if (endsAt !== 0 && endsAt < this.nextTime) this.nextTime = endsAt;
    }
  }

  private setReference({ index }: Market, price: number): void {
    this.dropReference(index);
    this.addReference(index, { price, day: this.day });
  }

  private addReference(market: number, reference: StaticReference): void {
    this.references.set(market, reference);
    this.state.include(hashReference(market, reference));
  }

  private dropReference(market: number): void {
    const reference = this.references.get(market);
    if (reference === undefined) return;
    this.references.delete(market);
    this.state.exclude(hashReference(market, reference));
  }
}

function hasAuctionRules({ rules }: Market): boolean {
  return auctionRules.some((rule) => rules[rule] !== 0);
}

/** Returns the hash of a market's rules of auctions; 0 if it has none. */
export function hashAuctionRules(market: number, rules: Market['rules']): number {
  if (auctionRules.every((rule) => rules[rule] === 0)) return 0;
  return auctionRules.reduce((hash, rule) => mixNumber(hash, rules[rule]), mix(60, market));
}

export function hashCall({ market, cause, endsAt, isExtended, nextStatus }: AuctionCall): number {
  const hash = mixNumber(mix(mix(61, market), cause), endsAt);
  return mix(mix(hash, isExtended ? 1 : 0), nextStatus);
}

export function hashReference(market: number, { price, day }: StaticReference): number {
  return mix(mixNumber(mix(62, market), price), day);
}
