import {
  CANDLE_WIDTHS,
  type Candle,
  candlesTable,
  fold,
  MINUTE_MS,
  readCandle,
} from './candles.ts';
import { select } from './checksum.ts';
import type { Queries } from './database.ts';
import type { Pending } from './pending.ts';

/** Reads candles, what waits for a commit included. */
export class CandleQueries {
  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'candles'>,
  ) {}

  /**
   * A market's candles that began at `from` or later and before `to`, oldest first, put together
   * by `startOf` a time; a span without a trade has none. Of the widths kept the largest is read
   * that divides `width`; `from` and `to` are where candles of `width` begin.
   */
  async traded(
    market: number,
    width: number,
    startOf: (time: number) => number,
    from: number,
    to: number,
  ): Promise<Candle[]> {
    const rows = await select(
      this.database,
      candlesTable,
      'SELECT * FROM candles WHERE market = $1 AND width = $2 AND start >= $3 AND start < $4 ORDER BY start',
      market,
      CANDLE_WIDTHS.findLast((kept) => width % kept === 0)!,
      from,
      to,
    );
    const pending = this.pending.candles(market).filter(({ start }) => start >= from && start < to);
    return fold([...rows.map(readCandle), ...pending], startOf);
  }

  /** The minute of a market's first trade. */
  async first(market: number): Promise<number | undefined> {
    const [row] = await select(
      this.database,
      candlesTable,
      'SELECT * FROM candles WHERE market = $1 AND width = $2 ORDER BY start LIMIT 1',
      market,
      MINUTE_MS,
    );
    return row === undefined ? this.pending.candles(market)[0]?.start : Number(row.start);
  }

  /** The price of a market's last trade before `time`, which is the start of a minute. */
  async priceBefore(market: number, time: number): Promise<number | undefined> {
    const pending = this.pending.candles(market).findLast(({ start }) => start < time);
    if (pending !== undefined) return pending.close;
    const [row] = await select(
      this.database,
      candlesTable,
      'SELECT * FROM candles WHERE market = $1 AND width = $2 AND start < $3 ORDER BY start DESC LIMIT 1',
      market,
      MINUTE_MS,
      time,
    );
    return row === undefined ? undefined : readCandle(row).close;
  }
}
