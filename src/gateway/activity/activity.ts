import { HOUR_MS, MINUTE_MS } from '../../config/durations.ts';
import { difference, type Exact } from '../../engine/numbers/exact.ts';
import { MarketStatus, Side } from '../../engine/terms.ts';
import { DURATION_BOUNDS_SECONDS, type Histogram } from '../../monitoring/metrics.ts';
import type { Replica } from '../../replica/replica.ts';
import { percentile } from './percentile.ts';

/** Interval of samples. */
export const SAMPLE_MS = 2000;
/** Samples of the last ten minutes. */
const MAX_SAMPLES = 300;
const HOURS = 24;

/** A moment of the node. */
export interface ActivitySample {
  /** Orders placed per second since the sample before. */
  readonly ordersPerSecond: number;
  /** Response times of the REST API, milliseconds; undefined without requests. */
  readonly median: number | undefined;
  readonly p99: number | undefined;
  readonly archivistLagMs: number;
}

/** The parts of a node that are sampled. */
interface Sources {
  readonly replica: Replica;
  readonly archivist: { lagMs(): number };
  /** Time of the exchange, milliseconds since 1970. */
  readonly now: () => number;
}

/** The share of samples in which a market had bids and asks, by hour. */
interface Quoting {
  readonly observed: number[];
  readonly twoSided: number[];
}

/** The sums of the fee account at a time. */
interface FeeMark {
  readonly time: number;
  readonly fees: readonly Exact[];
}

/** Rolling figures of this node in memory, which the dashboard of operators shows. */
export class Activity {
  readonly samples: ActivitySample[] = [];
  readonly startedAt: number;
  private readonly quoting: Quoting[] = [];
  /** The hour of the last sample since 1970; 0 before the first. */
  private hour = 0;
  private feeMarks: FeeMark[] = [];
  private lastOrderId: number;
  private lastDurations: readonly number[];
  private lastAt = performance.now();

  constructor(
    private readonly services: Sources,
    private readonly durations: Pick<Histogram, 'totals'>,
  ) {
    this.startedAt = services.now();
    this.lastOrderId = services.replica.exchange.state.nextOrderId;
    this.lastDurations = durations.totals();
    this.markFees();
  }

  /** Samples from now on. @returns a function that stops it */
  start(): () => void {
    const timer = setInterval(() => this.sample(performance.now()), SAMPLE_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** @param at A value of `performance.now()`. */
  sample(at: number): void {
    const { replica, archivist } = this.services;
    const { nextOrderId } = replica.exchange.state;
    const durations = this.durations.totals();
    const counts = durations.map((count, place) => count - this.lastDurations[place]!);
    const seconds = Math.max(0.001, (at - this.lastAt) / 1000);
    this.samples.push({
      ordersPerSecond: Math.max(0, nextOrderId - this.lastOrderId) / seconds,
      median: percentile(counts, DURATION_BOUNDS_SECONDS, 0.5),
      p99: percentile(counts, DURATION_BOUNDS_SECONDS, 0.99),
      archivistLagMs: archivist.lagMs(),
    });
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
    this.lastOrderId = nextOrderId;
    this.lastDurations = durations;
    this.lastAt = at;
    this.noteQuotes();
    this.markFees();
  }

  /** Returns the share of samples of the last 24 hours in which a trading market had bids and asks; undefined without one. */
  twoSidedShare(market: number): number | undefined {
    const { observed, twoSided } = this.quoting[market] ?? NO_QUOTING;
    const all = observed.reduce((sum, count) => sum + count, 0);
    return all === 0 ? undefined : twoSided.reduce((sum, count) => sum + count, 0) / all;
  }

  /** Returns the change of the fee account in each asset, and since when: the last 24 hours, or the start of the node. */
  feeChanges(): { readonly since: number; readonly amounts: readonly Exact[] } {
    const { fees } = this.services.replica.exchange.state.ledger;
    const mark = this.feeMarks[0]!;
    const amounts = fees.map((amount, asset) => difference(amount, mark.fees[asset] ?? 0));
    return { since: mark.time, amounts };
  }

  private noteQuotes(): void {
    const hour = Math.floor(this.services.now() / HOUR_MS);
    const begun = this.hour === 0 ? 0 : Math.min(HOURS, Math.abs(hour - this.hour));
    this.hour = hour;
    const place = hour % HOURS;
    for (const { index, book, currentStatus } of this.services.replica.exchange.state.markets) {
      this.quoting[index] ??= { observed: zeros(), twoSided: zeros() };
      const { observed, twoSided } = this.quoting[index];
      for (let back = 0; back < begun; back++) {
        const old = (place - back + HOURS) % HOURS;
        observed[old] = 0;
        twoSided[old] = 0;
      }
      if (currentStatus > MarketStatus.limitOnly) continue;
      observed[place]!++;
      const hasBoth =
        book.bestPrice(Side.buy) !== undefined && book.bestPrice(Side.sell) !== undefined;
      if (hasBoth) twoSided[place]!++;
    }
  }

  /** Keeps the sums of the fee account once a minute. */
  private markFees(): void {
    const time = this.services.now();
    const last = this.feeMarks.at(-1);
    if (last !== undefined && time - last.time < MINUTE_MS) return;
    this.feeMarks.push({ time, fees: [...this.services.replica.exchange.state.ledger.fees] });
    const oldest = time - HOURS * HOUR_MS;
    while (this.feeMarks.length > 1 && this.feeMarks[1]!.time <= oldest) this.feeMarks.shift();
  }
}

const NO_QUOTING: Quoting = { observed: [], twoSided: [] };

function zeros(): number[] {
  return new Array<number>(HOURS).fill(0);
}
