import { MINUTE_MS } from '../../config/durations.ts';
import { addIntervals, intervalStart } from '../../config/intervals.ts';
import { listStarts, type TotalsFilter } from '../../history/history.ts';
import type { ReportSource } from '../reports/report-source.ts';
import {
  chain,
  type Flow,
  type GainsPoint,
  INDEX_UNIT,
  totalValue,
  type Valuation,
} from './account-gains.ts';
import type { CostMethod } from './cost-basis.ts';
import { GainsWalk } from './gains-walk.ts';
import type { YearTotals } from './method-gains.ts';
import type { Fraction } from './prices.ts';

/** A request for the profit and loss of an account, with points at the ends of intervals. */
export interface GainsFilter extends TotalsFilter {
  /** Index of the asset in which values are. */
  readonly quote: number;
  readonly method: CostMethod;
}

export interface GainsQuery {
  readonly kind: 'profitAndLoss';
  readonly filter: GainsFilter;
}

/** Profit and loss up to a time. All values are in minor units of the quote asset. */
interface Performance {
  readonly value: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
  readonly withdrawnGain: bigint;
  readonly netFlows: bigint;
  /** Chained return since the beginning: 1 is `INDEX_UNIT`. */
  readonly index: bigint;
}

/** The value of an account and its gains at the end of an interval. */
export interface PerformancePoint extends Performance {
  /** Start of the interval, milliseconds since 1970. */
  readonly start: number;
}

/** An asset that an account has or had. */
export interface AssetPerformance {
  readonly asset: number;
  readonly amount: bigint;
  readonly cost: bigint;
  /** Undefined if no market gives a price. */
  readonly price: Fraction | undefined;
  readonly value: bigint | undefined;
  readonly realized: bigint;
  readonly withdrawnGain: bigint;
  readonly isKnown: boolean;
}

export interface ProfitAndLoss extends Performance {
  /** False if there are more entries; the next request continues. */
  readonly isComplete: boolean;
  /** The log's time up to which the ledger is included. */
  readonly time: number;
  readonly keptSince: number;
  readonly deposits: bigint;
  readonly withdrawals: bigint;
  readonly fees: bigint;
  readonly assets: readonly AssetPerformance[];
  /** Oldest first; empty until it is complete. */
  readonly points: readonly PerformancePoint[];
  /** The flows since the first point, oldest first. */
  readonly flows: readonly Flow[];
  readonly years: readonly YearTotals[];
}

/** Entries read for one answer: a few seconds. */
const MAX_ENTRIES = 400_000;
/** Objects of unused walks that are kept in memory. */
const MAX_KEPT_SIZE = 1_000_000;
const MAX_KEPT_WALKS = 200;
/** Flows of an answer; of more the newest. */
const MAX_FLOWS = 500;

/** Answers requests for profit and loss, continuing from what earlier requests have computed. */
export class ProfitAndLossQueries {
  /** Walks that no request uses at the time; the one used least recently comes first. */
  private readonly walks = new Map<string, GainsWalk>();

  constructor(
    private readonly source: ReportSource,
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  async *answerInSteps({ filter }: GainsQuery): AsyncGenerator<void, ProfitAndLoss> {
    const { account, quote } = filter;
    const key = `${account} ${quote}`;
    const kept = this.walks.get(key);
    // Another request must not continue it at the same time; after an error it begins again.
    this.walks.delete(key);
    const walk = kept?.isCurrent ? kept : new GainsWalk(this.source, { account, quote });
    const isComplete = yield* walk.continue(this.maxEntries);
    const answer = yield* this.describe(walk, filter, isComplete);
    this.walks.set(key, walk);
    this.prune();
    return answer;
  }

  private async *describe(
    walk: GainsWalk,
    filter: GainsFilter,
    isComplete: boolean,
  ): AsyncGenerator<void, ProfitAndLoss> {
    const { gains, routes } = walk;
    const { state } = this.source;
    const { method } = filter;
    const points = isComplete ? yield* this.points(walk, filter) : [];
    const lookup = (market: number) => state.markets[market]!.lastPrice;
    const value = routes.valuation(lookup);
    const last = gains.points.at(-1);
    const assets = [...gains.methods[method].assets].map(([asset, each]) => {
      const amount = gains.amounts[asset] ?? 0n;
      return {
        asset,
        amount,
        cost: each.basis.cost,
        price: routes.price(asset, lookup),
        value: asset === filter.quote ? amount : value(asset, amount),
        realized: each.realized,
        withdrawnGain: each.withdrawnGain,
        isKnown: each.basis.isKnown,
      };
    });
    const { deposits, withdrawals, fees } = gains;
    const { time, keptSince } = walk;
    const since = points[0]?.start ?? Infinity;
    const flows = gains.flows.filter((flow) => flow.time >= since).slice(-MAX_FLOWS);
    return {
      ...toPerformance(last, filter, value),
      isComplete,
      time,
      keptSince,
      deposits,
      withdrawals,
      fees,
      assets: assets.sort((a, b) => a.asset - b.asset),
      points,
      flows,
      years: gains.methods[method].years.map((year) => ({ ...year })),
    };
  }

  /** Returns the points of the intervals of a request, at the prices at their ends. */
  private async *points(
    { gains, routes, prices }: GainsWalk,
    filter: GainsFilter,
  ): AsyncGenerator<void, PerformancePoint[]> {
    const now = Math.max(filter.now, this.source.state.time);
    const starts = listStarts({ ...filter, now });
    if (starts.length === 0) return [];
    const closes = new Map<number, (start: number) => number | undefined>();
    for (const market of routes.marketsFor(gains.amounts.keys())) {
      const first = await prices.firstPrice(market);
      closes.set(market, await this.closes(market, starts, { ...filter, now }, first));
      yield;
    }
    const points: PerformancePoint[] = [];
    let at = -1;
    for (const start of starts) {
      const end = addIntervals(start, filter.width, 1);
      while (at + 1 < gains.points.length && gains.points[at + 1]!.time < end) at++;
      const value = routes.valuation((market) => closes.get(market)?.(start));
      points.push({ start, ...toPerformance(gains.points[at], filter, value) });
    }
    return points;
  }

  /** Returns the closes of a market's candles by their starts. @param first Its first price, for earlier intervals. */
  private async closes(
    market: number,
    starts: readonly number[],
    { width, now }: GainsFilter,
    first: number | undefined,
  ): Promise<(start: number) => number | undefined> {
    const { quoteUnit } = this.source.state.markets[market]!;
    // Candles of seconds are made of trades, too many for a range of points.
    const candleMs = Math.max(width, MINUTE_MS);
    const since = intervalStart(starts[0]!, candleMs);
    const terms = { market, width: candleMs, now, since, limit: starts.length };
    const candles = await this.source.read((reader) => reader.candles(terms, quoteUnit));
    const byStart = new Map(candles.map(({ start, close }) => [start, close]));
    return (start) => byStart.get(intervalStart(start, candleMs)) ?? first;
  }

  private prune(): void {
    const { walks } = this;
    let size = 0;
    for (const walk of walks.values()) size += walk.gains.size;
    for (const [key, walk] of walks) {
      if (walks.size === 1 || (size <= MAX_KEPT_SIZE && walks.size <= MAX_KEPT_WALKS)) return;
      walks.delete(key);
      size -= walk.gains.size;
    }
  }
}

function toPerformance(
  point: GainsPoint | undefined,
  { method, quote }: GainsFilter,
  value: Valuation,
): Performance {
  if (point === undefined) {
    return {
      value: 0n,
      cost: 0n,
      realized: 0n,
      withdrawnGain: 0n,
      netFlows: 0n,
      index: INDEX_UNIT,
    };
  }
  const total = totalValue(point.amounts, quote, value);
  const { netFlows } = point;
  return { ...point.methods[method], value: total, netFlows, index: chain(point, total) };
}
