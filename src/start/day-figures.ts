import type { Event, TradeEvent } from '../engine/event.ts';
import type { State } from '../engine/state.ts';
import type { MinuteCandles } from '../replica/archive.ts';
import type { Archivist } from '../replica/archivist.ts';
import type { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import { DAY_MS } from './foundation.ts';

/** Some 500 MB. */
const MOST_GATHERED = 2_000_000;

/**
 * The 24 h figures of a node that follows a log while it asks history for them: history may be ahead of what
 * the node has applied or behind, so trades are kept until it is known which of them it had counted.
 */
export class DayFigures {
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
