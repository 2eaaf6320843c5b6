import { MINUTE_MS } from '../../config/durations.ts';
import { addIntervals, intervalStart } from '../../config/intervals.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { CANDLE_WIDTHS, type Candle, candlesTable, fold, readCandle } from '../tables/candles.ts';
import type { Pending } from '../writer/pending.ts';
import type { CandleFilter, CandleSource, TradedCandles } from './candle-page.ts';

/** Reads candles, including those that are not committed yet. */
export class CandleQueries implements CandleSource {
  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'candles'>,
  ) {}

  async read({ market, width }: CandleFilter, first: number, last: number): Promise<TradedCandles> {
    const toStart = (time: number) => intervalStart(time, width);
    const end = addIntervals(last, width, 1);
    return { candles: await this.traded(market, width, toStart, first, end), first, last };
  }

  /**
   * Returns a market's candles of `width` that start from `from` to before `to`, oldest first; an interval without a trade
   * has none. Reads the largest stored width that divides `width`. `from` and `to` must be starts of such candles.
   * @param toStart Returns the start of a time's candle.
   */
  async traded(
    market: number,
    width: number,
    toStart: (time: number) => number,
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
    return fold([...rows.map(readCandle), ...pending], toStart);
  }

  /** Returns the minute of a market's first trade. */
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

  /** Returns the price of a market's last trade before `time`, which must be the start of a minute. */
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
