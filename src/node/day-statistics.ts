import {
  type Archivist,
  HistoryUnavailableError,
  type MinuteCandles,
} from '../archivist/archivist.ts';
import { DAY_MS, MINUTE_MS } from '../config/durations.ts';
import type { Event, TradeEvent } from '../engine/event.ts';
import type { State } from '../engine/state.ts';
import { retry } from '../monitoring/retry.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';

/** Some 500 MB. */
const MAX_TRADES = 2_000_000;

/**
 * Loads the 24 h figures of a node from history while the node applies batches. History may be ahead of the node or lag
 * it, so trades are kept until it is known which of them history includes.
 */
export class DayStatistics {
  private readonly trades: { readonly sequence: number; readonly trade: TradeEvent }[] = [];

  constructor(private readonly statistics: MarketStatisticsBoard) {}

  /** Keeps the trades of a batch. */
  collect(sequence: number, events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') this.trades.push({ sequence, trade: { ...event } });
    }
    if (this.trades.length > MAX_TRADES) {
      throw new Error(
        `This node has buffered ${MAX_TRADES} trades while waiting for the database. Start it again once PostgreSQL answers.`,
      );
    }
  }

  /** Loads the last day of each market from history, and adds the trades that history does not include. */
  async load(archivist: Archivist, state: State, position: number, now: number): Promise<void> {
    const answers = await Promise.all(
      state.markets.map(async ({ index }) => {
        const since = now - DAY_MS - MINUTE_MS;
        const query = { kind: 'minuteCandles', market: index, since } as const;
        return (await archivist.query(query, position)) as MinuteCandles;
      }),
    );
    for (const [index, { candles, previousClose }] of answers.entries()) {
      this.statistics.load(index, candles, previousClose);
    }
    for (const { sequence, trade } of this.trades) {
      if (sequence > (answers[trade.market]?.position ?? 0)) this.statistics.note([trade]);
    }
  }
}

const RETRY_MS = 1000;

/**
 * Loads the 24 h figures of a node that serves while its history is being rebuilt. Until then they cover only the trades
 * since its start.
 */
export class DeferredStatistics {
  private figures: DayStatistics | undefined;
  private isStopped = false;

  constructor(private readonly statistics: MarketStatisticsBoard) {}

  /** Records the events of an applied batch. */
  note(sequence: number, events: readonly Event[]): void {
    this.figures?.collect(sequence, events);
  }

  /** Retries until the figures are loaded or `stop` is called. */
  async load(
    archivist: Archivist,
    replica: { readonly position: number; readonly exchange: { readonly state: State } },
    now: () => number,
  ): Promise<void> {
    const load = async () => {
      if (this.isStopped) return;
      // Trades are buffered only during the query, to be added to its result.
      this.figures = new DayStatistics(this.statistics);
      try {
        await this.figures.load(archivist, replica.exchange.state, replica.position, now());
      } finally {
        this.figures = undefined;
      }
    };
    await retry(load, {
      every: RETRY_MS,
      isTransient: (error) => error instanceof HistoryUnavailableError,
    });
  }

  stop(): void {
    this.isStopped = true;
  }
}
