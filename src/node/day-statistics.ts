import type { MinuteCandles } from '../archivist/archive.ts';
import { type Archivist, HistoryUnavailableError } from '../archivist/archivist.ts';
import { DAY_MS } from '../config/durations.ts';
import type { Event, TradeEvent } from '../engine/event.ts';
import type { State } from '../engine/state.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';

/** Some 500 MB. */
const MOST_GATHERED = 2_000_000;

/**
 * The 24 h figures of a node that follows a log while it asks history for them: history may be ahead of what
 * the node has applied or behind, so trades are kept until it is known which of them it had counted.
 */
export class DayStatistics {
  private readonly gathered: { readonly sequence: number; readonly trade: TradeEvent }[] = [];

  constructor(private readonly statistics: MarketStatisticsBoard) {}

  /** Keeps the trades of a batch. */
  gather(sequence: number, events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') this.gathered.push({ sequence, trade: { ...event } });
    }
    if (this.gathered.length > MOST_GATHERED) {
      throw new Error(
        `This node has waited for the database through ${MOST_GATHERED} trades: start it again once PostgreSQL answers.`,
      );
    }
  }

  /** Asks for the last day of each market, and adds what has been gathered since. */
  async load(archivist: Archivist, state: State, position: number, now: number): Promise<void> {
    const answers = await Promise.all(
      state.markets.map(async ({ index }) => {
        const query = { kind: 'minuteCandles', market: index, since: now - DAY_MS } as const;
        return (await archivist.ask(query, position)) as MinuteCandles;
      }),
    );
    for (const [index, { candles }] of answers.entries()) this.statistics.load(index, candles);
    for (const { sequence, trade } of this.gathered) {
      if (sequence > (answers[trade.market]?.position ?? 0)) this.statistics.note([trade]);
    }
  }
}

const ASK_AGAIN_MS = 1000;

/**
 * Loads the 24 h figures of a node that serves while its history is being rebuilt. Until then they are of what was
 * traded since its start.
 */
export class LateStatistics {
  private figures: DayStatistics | undefined;
  private isStopped = false;

  constructor(private readonly statistics: MarketStatisticsBoard) {}

  /** Notes a batch that the node applies. */
  note(sequence: number, events: readonly Event[]): void {
    this.figures?.gather(sequence, events);
  }

  /** Asks again and again; resolves once the figures are loaded or it was stopped. */
  async load(
    archivist: Archivist,
    replica: { readonly position: number; readonly exchange: { readonly state: State } },
    now: () => number,
  ): Promise<void> {
    while (!this.isStopped) {
      // Only while an answer is waited for: what is traded after its position has to be added to it.
      this.figures = new DayStatistics(this.statistics);
      try {
        await this.figures.load(archivist, replica.exchange.state, replica.position, now());
        break;
      } catch (error) {
        if (!(error instanceof HistoryUnavailableError)) throw error;
      } finally {
        this.figures = undefined;
      }
      await Bun.sleep(ASK_AGAIN_MS);
    }
  }

  stop(): void {
    this.isStopped = true;
  }
}
