import type { Exchange } from '../../../engine/exchange.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { MarketStatus, NONE, Side, sides } from '../../../engine/terms.ts';
import { number, text } from '../account-columns.ts';
import type { ReportColumn } from '../columns.ts';
import { Days, dateText, type ExchangeObserver, type ExchangeReport } from './observer.ts';

/** Distances from the middle of bid and ask within which depth is measured, in hundredths of a percent. */
const DISTANCES = [10, 50, 100] as const;
const BASIS_POINTS = 10_000;
/** Averages of prices have so many more decimals than prices. */
const FURTHER_DECIMALS = 4;

/** Sums over the time of a part of a day: each value counts as many times as it lasted milliseconds. */
interface Quality {
  readonly day: number;
  readonly market: number;
  /** Null for the market as a whole. */
  readonly account: number | null;
  /** Milliseconds of continuous trading. */
  observedMs: number;
  /** Milliseconds of it in which both sides had orders. */
  twoSidedMs: number;
  /** Bid minus ask, and bid plus ask. */
  spread: bigint;
  middles: bigint;
  /** Amounts by distance, bids and then asks. */
  depth: bigint[];
}

/**
 * A row per day and market, and one per account that quoted both sides of it: how long there were orders on both sides, and the
 * averages of spread and depth over that time. Every change of a book counts from its time on; nothing is sampled.
 */
export const marketQualityReport: ExchangeReport<Quality> = {
  columns({ markets, accounts }: Exchange['state']) {
    const rules = ({ market }: Quality) => markets[market]!.rules;
    return [
      text('date', ({ day }) => dateText(day)),
      text('symbol', ({ market }) => markets[market]!.symbol),
      text('account', ({ account }) => (account === null ? null : accounts[account]!.id)),
      number('observedSeconds', ({ observedMs }) => formatUnits(observedMs, 3)),
      number('twoSidedPercent', ({ observedMs, twoSidedMs }) =>
        average(BigInt(twoSidedMs) * 100n, BigInt(observedMs), 4),
      ),
      number('averageSpread', (row) =>
        ofMarket(row, () => {
          const decimals = rules(row).priceDecimals;
          const scale = 10n ** BigInt(FURTHER_DECIMALS);
          return average(
            row.spread * scale,
            BigInt(row.twoSidedMs),
            0,
            decimals + FURTHER_DECIMALS,
          );
        }),
      ),
      number('spreadBasisPoints', (row) =>
        ofMarket(row, () => average(row.spread * 2n * BigInt(BASIS_POINTS), row.middles, 4)),
      ),
      ...DISTANCES.flatMap((distance, index) =>
        sides.map((side, offset): ReportColumn<Quality> => {
          const name = `${side === 'buy' ? 'bid' : 'ask'}Depth${distance}BasisPoints`;
          return number(name, (row) =>
            ofMarket(row, () => {
              const units = row.depth[2 * index + offset]!;
              return average(units, BigInt(row.twoSidedMs), 0, rules(row).amountDecimals);
            }),
          );
        }),
      ),
    ];
  },
  observe: (exchange, from, write) => new MarketQualityObserver(exchange, from, write),
};

function ofMarket({ account, twoSidedMs }: Quality, value: () => string | null): string | null {
  return account !== null || twoSidedMs === 0 ? null : value();
}

/**
 * Returns a quotient as a decimal, rounded down; null if there is nothing to divide by.
 * @param further Decimals of the result. @param decimals Decimals of the numerator's units, which the result also has.
 */
function average(total: bigint, by: bigint, further: number, decimals = 0): string | null {
  if (by === 0n) return null;
  return formatUnits((total * 10n ** BigInt(further)) / by, further + decimals);
}

class MarketQualityObserver implements ExchangeObserver {
  private readonly days: Days;
  private readonly markets: MarketQuality[] = [];
  /** The market, account and side of each resting order by id. */
  private readonly resting = new Map<number, readonly [market: number, account: number, Side]>();

  constructor(
    private readonly exchange: Exchange,
    from: number,
    write: (row: Quality) => void,
  ) {
    const { state } = exchange;
    this.days = new Days(from, (day, end) => {
      for (const each of this.markets) for (const row of each.take(day, end)) write(row);
    });
    for (const account of state.accounts) {
      for (const { id } of state.accountOpenOrders(account)) this.noteOrder(id);
    }
    this.followMarkets(from);
    this.settle(from);
  }

  note(): void {
    const { events, state } = this.exchange;
    this.days.passTo(state.time);
    for (const event of events) if (event.kind === 'order') this.noteOrder(event.id);
  }

  endBatch(): void {
    const { time } = this.exchange.state;
    this.followMarkets(time);
    this.settle(time);
  }

  end(time: number): void {
    this.days.end(time);
  }

  private settle(time: number): void {
    for (const each of this.markets) each.settle(time);
  }

  private followMarkets(time: number): void {
    const { markets } = this.exchange.state;
    while (this.markets.length < markets.length) {
      this.markets.push(new MarketQuality(markets[this.markets.length]!, time));
    }
  }

  /** Notes whether an order rests in a book. */
  private noteOrder(id: number): void {
    const { index, details, orders } = this.exchange.state;
    const slot = index.find(id);
    const rests = slot !== NONE && !details.isPending(slot);
    const known = this.resting.get(id);
    if (rests === (known !== undefined)) return;
    const place =
      known ?? ([details.market(slot), orders.account(slot), orders.side[slot] as Side] as const);
    if (rests) this.resting.set(id, place);
    else this.resting.delete(id);
    const [market, account, side] = place;
    this.followMarkets(this.exchange.state.time);
    this.markets[market]!.noteQuote(account, side, rests ? 1 : -1);
  }
}

/** The quality of one market since the beginning of a day. */
class MarketQuality {
  /** The time up to which the sums go. */
  private since: number;
  private isOpen = false;
  private bookSequence = -1;
  /** Bid, ask, and the depths; undefined while a side is empty. */
  private sample: { spread: bigint; middles: bigint; depth: bigint[] } | undefined;
  private whole: Quality;
  /** Orders by account: bids and asks. */
  private readonly quotes = new Map<number, [number, number]>();
  /** Accounts whose quotes have changed since the last batch. */
  private readonly changed = new Set<number>();
  /** Accounts with orders on both sides, and since when their time is not yet added. */
  private readonly twoSided = new Map<number, number>();
  private makers = new Map<number, number>();

  constructor(
    private readonly market: Market,
    time: number,
  ) {
    this.since = time;
    this.whole = newQuality(time, market.index, null);
  }

  noteQuote(account: number, side: Side, change: number): void {
    const counts = this.quotes.get(account) ?? [0, 0];
    counts[side] = counts[side]! + change;
    if (counts[0] === 0 && counts[1] === 0) this.quotes.delete(account);
    else this.quotes.set(account, counts);
    this.changed.add(account);
  }

  /** Adds the time up to now, if something has changed. */
  settle(time: number): void {
    const { market, changed } = this;
    const isOpen = market.currentStatus <= MarketStatus.limitOnly;
    if (isOpen !== this.isOpen) {
      this.addAll(time);
      this.isOpen = isOpen;
    }
    for (const account of changed) {
      this.addMaker(account, time);
      const [bids, asks] = this.quotes.get(account) ?? [0, 0];
      if (bids > 0 && asks > 0) this.twoSided.set(account, time);
      else this.twoSided.delete(account);
    }
    changed.clear();
    if (market.bookSequence === this.bookSequence) return;
    this.addWhole(time);
    this.bookSequence = market.bookSequence;
    this.sample = measure(market);
  }

  /** Returns the rows of a day and begins the next one. */
  take(day: number, end: number): Quality[] {
    this.addAll(end);
    const { whole, makers, market } = this;
    const { observedMs } = whole;
    this.whole = newQuality(end, market.index, null);
    this.makers = new Map();
    if (observedMs === 0) return [];
    const rows = [...makers]
      .sort(([a], [b]) => a - b)
      .map(([account, twoSidedMs]) => {
        return { ...newQuality(day, market.index, account), observedMs, twoSidedMs };
      });
    return [{ ...whole, day }, ...rows];
  }

  private addAll(time: number): void {
    this.addWhole(time);
    for (const account of this.twoSided.keys()) this.addMaker(account, time);
  }

  private addMaker(account: number, time: number): void {
    const from = this.twoSided.get(account);
    if (from === undefined) return;
    this.twoSided.set(account, time);
    if (!this.isOpen || time === from) return;
    this.makers.set(account, (this.makers.get(account) ?? 0) + time - from);
  }

  private addWhole(time: number): void {
    const lasted = time - this.since;
    this.since = time;
    if (lasted === 0 || !this.isOpen) return;
    const { whole, sample } = this;
    whole.observedMs += lasted;
    if (sample === undefined) return;
    const times = BigInt(lasted);
    whole.twoSidedMs += lasted;
    whole.spread += sample.spread * times;
    whole.middles += sample.middles * times;
    for (const [index, amount] of sample.depth.entries()) whole.depth[index]! += amount * times;
  }
}

function newQuality(day: number, market: number, account: number | null): Quality {
  const depth = DISTANCES.flatMap(() => [0n, 0n]);
  const sums = { observedMs: 0, twoSidedMs: 0, spread: 0n, middles: 0n, depth };
  return { day, market, account, ...sums };
}

/** Measures a book: its spread, bid plus ask, and the amounts that it shows within each distance of the middle of both. */
function measure({ book }: Market) {
  const bid = book.bestPrice(Side.buy);
  const ask = book.bestPrice(Side.sell);
  if (bid === undefined || ask === undefined) return undefined;
  const middles = BigInt(bid) + BigInt(ask);
  const depth = DISTANCES.flatMap(() => [0n, 0n]);
  for (const side of [Side.buy, Side.sell]) {
    // Twice the price, so that the middle is whole.
    const bounds = DISTANCES.map((distance) => {
      const share = BigInt(BASIS_POINTS + (side === Side.buy ? -distance : distance));
      return [middles * share, 2n * BigInt(BASIS_POINTS)] as const;
    });
    addDepth(book, side, bounds, depth);
  }
  return { spread: BigInt(ask) - BigInt(bid), middles, depth };
}

function addDepth(
  book: Market['book'],
  side: Side,
  bounds: readonly (readonly [bigint, bigint])[],
  depth: bigint[],
): void {
  let all: Exact | bigint = 0n;
  let next = 0;
  const limits = bounds.map(([share, scale]) =>
    // The last price within: the lowest for bids, the highest for asks.
    Number(side === Side.buy ? (share + scale - 1n) / scale : share / scale),
  );
  for (let level = book.bestLevel(side); next < limits.length; level = book.nextLevel(level)) {
    const price = level === NONE ? undefined : book.levelPrice(level);
    while (
      next < limits.length &&
      (price === undefined || (side === Side.buy ? price < limits[next]! : price > limits[next]!))
    ) {
      depth[2 * next + side] = all;
      next++;
    }
    if (price === undefined) return;
    all += BigInt(book.levelTotal(level));
  }
}
