import { DAY_MS, MINUTE_MS } from '../../config/durations.ts';
import { addIntervals, INTERVALS_MS, intervalStart } from '../../config/intervals.ts';
import { select } from '../database/checksum.ts';
import type { Queries } from '../database/database.ts';
import { CANDLE_WIDTHS, type Candle, candlesTable, fold, readCandle } from '../tables/candles.ts';
import type { Pending } from '../writer/pending.ts';
import type { CandleFilter, CandleSource, TradedCandles } from './candle-page.ts';

const DAYS_OF_LONGEST_MONTH = 31;

/** Reads candles, including those that are not committed yet. */
export class CandleQueries implements CandleSource {
  constructor(
    private readonly database: Queries,
    private readonly pending: Pick<Pending, 'candles'>,
  ) {}

  async read(
    { market, width, zoneMs = 0 }: CandleFilter,
    first: number,
    last: number,
  ): Promise<TradedCandles> {
    const toStart = (time: number) => intervalStart(time, width, zoneMs);
    const end = addIntervals(last, width, 1, zoneMs);
    const stored = storedWidth(width, zoneMs);
    return { candles: await this.traded(market, stored, toStart, first, end), first, last };
  }

  /**
   * Returns the candle of all trades from `from` to before `to`, which must be starts of minutes; undefined without trades.
   * Reads the largest stored candles between them.
   */
  async total(market: number, from: number, to: number): Promise<Candle | undefined> {
    const parts = await this.totals(market, from, to, CANDLE_WIDTHS.length - 1);
    return fold(parts, () => from)[0];
  }

  /** Returns the candles of parts of a period. @param place The largest width to read. */
  private async totals(
    market: number,
    from: number,
    to: number,
    place: number,
  ): Promise<readonly Candle[]> {
    if (from >= to) return [];
    const width = CANDLE_WIDTHS[place]!;
    const first = Math.ceil(from / width) * width;
    const last = Math.floor(to / width) * width;
    if (first >= last) return this.totals(market, from, to, place - 1);
    return [
      ...(await this.totals(market, from, first, place - 1)),
      ...(await this.traded(market, width, () => first, first, last)),
      ...(await this.totals(market, last, to, place - 1)),
    ];
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
    return (await this.firstCandle(market))?.start;
  }

  /** Returns the candle of the minute of a market's first trade. */
  async firstCandle(market: number): Promise<Candle | undefined> {
    const [row] = await select(
      this.database,
      candlesTable,
      'SELECT * FROM candles WHERE market = $1 AND width = $2 ORDER BY start LIMIT 1',
      market,
      MINUTE_MS,
    );
    return row === undefined ? this.pending.candles(market)[0] : readCandle(row);
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

/**
 * Returns the maximum stored candles that a candle is made of. Those of seconds are made of trades instead, of which a page
 * reads at most MAX_TRADES_READ.
 * @param width One of `INTERVALS_MS`, from a minute.
 * @param zoneMs The time by which the zone of the interval is ahead of UTC.
 */
export function maxRowsPerCandle(width: number, zoneMs = 0): number {
  const longestMs = width === INTERVALS_MS['1M'] ? DAYS_OF_LONGEST_MONTH * DAY_MS : width;
  return longestMs / storedWidth(width, zoneMs);
}

/** Returns the largest stored width of which candles are made. */
function storedWidth(width: number, zoneMs: number): number {
  return CANDLE_WIDTHS.findLast((kept) => width % kept === 0 && zoneMs % kept === 0)!;
}
