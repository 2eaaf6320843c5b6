import { HOUR_MS } from '../../config/durations.ts';
import { MarketStatus, Side } from '../../engine/terms.ts';
import type { Replica } from '../../replica/replica.ts';
import { type FeeChanges, FeeMarks } from './fee-marks.ts';
import { type LatencyFigures, LatencyWindow, type RequestLatencies } from './latencies.ts';

/** Interval of samples. */
export const SAMPLE_MS = 2000;
/** Samples of the last ten minutes. */
const MAX_SAMPLES = 300;
const HOURS = 24;
/** Samples of the five minutes to which response times refer. */
const WINDOW_SAMPLES = 150;

/** A moment of the node. */
export interface ActivitySample {
  /** Orders placed per second since the sample before. */
  readonly ordersPerSecond: number;
  /** Response times of the last five minutes: of all requests to the REST API, of those about orders, and of the others. */
  readonly all: LatencyFigures;
  readonly orders: LatencyFigures;
  readonly others: LatencyFigures;
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

/** Rolling figures of this node in memory, which the dashboard of operators shows. */
export class Activity {
  readonly samples: ActivitySample[] = [];
  readonly startedAt: number;
  private readonly quoting: Quoting[] = [];
  /** The hour of the last sample since 1970; 0 before the first. */
  private hour = 0;
  readonly fees = new FeeMarks();
  private readonly windows: readonly LatencyWindow[];
  private lastOrderId: number;
  private lastAt = performance.now();

  constructor(
    private readonly services: Sources,
    { orders, others }: RequestLatencies,
  ) {
    this.startedAt = services.now();
    this.lastOrderId = services.replica.exchange.state.nextOrderId;
    this.windows = [[orders, others], [orders], [others]].map(
      (sources) => new LatencyWindow(sources, WINDOW_SAMPLES),
    );
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
    const [all, orders, others] = this.windows.map((window) => window.sample());
    const seconds = Math.max(0.001, (at - this.lastAt) / 1000);
    this.samples.push({
      ordersPerSecond: Math.max(0, nextOrderId - this.lastOrderId) / seconds,
      ...{ all: all!, orders: orders!, others: others! },
      archivistLagMs: archivist.lagMs(),
    });
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
    this.lastOrderId = nextOrderId;
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

  /** Returns the changes of the fee account in the last 24 hours. */
  feeChanges(): FeeChanges {
    return this.fees.changes(this.services.now(), this.services.replica.exchange.state.ledger.fees);
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

  private markFees(): void {
    this.fees.note(this.services.now(), this.services.replica.exchange.state.ledger.fees);
  }
}

const NO_QUOTING: Quoting = { observed: [], twoSided: [] };

function zeros(): number[] {
  return new Array<number>(HOURS).fill(0);
}
