import { DAY_MS, HOUR_MS, MINUTE_MS } from '../config/durations.ts';
import type { TradeEvent } from '../engine/event.ts';
import { type Exact, exact, sum } from '../engine/numbers/exact.ts';
import { select } from './checksum.ts';
import type { Queries, Row, Statements, Table } from './database.ts';
import type { Pending } from './pending.ts';

/** The trades of one market in a span of time; price and amount in the market's units. */
export interface Candle {
  /** Start of the span, milliseconds since 1970. */
  readonly start: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Base bought and sold, amount units. */
  baseVolume: Exact;
  /** Quote paid, minor units. */
  quoteVolume: Exact;
  /** How many trades. */
  trades: number;
}

const QUARTER_MS = 15 * MINUTE_MS;
/** Widths kept, so that no page of candles is folded of more than some thousands. */
const WIDTHS = [MINUTE_MS, QUARTER_MS, HOUR_MS, DAY_MS] as const;

/** The candles of trades that are not in the database yet. */
export class PendingCandles {
  /** By market, oldest first. */
  private readonly markets = new Map<number, Candle[]>();

  /** Trades come in order of time. */
  add(trade: TradeEvent): void {
    const start = trade.time - (trade.time % MINUTE_MS);
    let candles = this.markets.get(trade.market);
    if (candles === undefined) {
      candles = [];
      this.markets.set(trade.market, candles);
    }
    const last = candles.at(-1);
    if (last?.start === start) extend(last, candleOf(trade, start));
    else candles.push(candleOf(trade, start));
  }

  of(market: number): readonly Candle[] {
    return this.markets.get(market) ?? [];
  }

  /** Markets that have any. */
  ids(): Iterable<number> {
    return this.markets.keys();
  }
}

/**
 * Puts candles of trades that follow each other into the database. Time never goes back, so only the
 * first of each width may have begun there already: it goes on.
 */
export async function storeCandles(
  statements: Statements,
  parts: readonly PendingCandles[],
): Promise<void> {
  const all: StoredCandle[] = [];
  for (const market of new Set(parts.flatMap((part) => [...part.ids()]))) {
    const candles = parts.flatMap((part) => part.of(market));
    const widths = WIDTHS.map((width) => fold(candles, (time) => time - (time % width)));
    const begun = await readBegun(statements, market, widths);
    for (const [place, width] of WIDTHS.entries()) {
      const [first, ...rest] = widths[place]!;
      const whole = begun.get(width);
      if (whole !== undefined) extend(whole, first!);
      for (const candle of [whole ?? first!, ...rest]) all.push({ market, width, candle });
    }
  }
  await statements.insert(candlesTable, all);
}

/** Of each width the candle that is there, where its first new one begins. */
async function readBegun(
  statements: Statements,
  market: number,
  widths: readonly (readonly Candle[])[],
): Promise<Map<number, Candle>> {
  const starts = widths.map(([first]) => first!.start);
  const rows = await select(
    statements,
    candlesTable,
    `SELECT * FROM candles WHERE market = $1 AND (${starts
      .map((_, place) => `(width = $${2 * place + 2} AND start = $${2 * place + 3})`)
      .join(' OR ')})`,
    market,
    ...starts.flatMap((start, place) => [WIDTHS[place]!, start]),
  );
  return new Map(rows.map((row) => [Number(row.width), readCandle(row)]));
}

export interface StoredCandle {
  readonly market: number;
  readonly width: number;
  readonly candle: Candle;
}

export const candlesTable: Table<StoredCandle> = {
  name: 'candles',
  columns: [
    'market',
    'width',
    'start',
    'open',
    'high',
    'low',
    'close',
    'base_volume',
    'quote_volume',
    'trades',
  ],
  texts: ['base_volume', 'quote_volume'],
  replaces: ['market', 'width', 'start'],
  write({ market, width, candle }, values, at) {
    values[at] = market;
    values[at + 1] = width;
    values[at + 2] = candle.start;
    values[at + 3] = candle.open;
    values[at + 4] = candle.high;
    values[at + 5] = candle.low;
    values[at + 6] = candle.close;
    values[at + 7] = candle.baseVolume.toString();
    values[at + 8] = candle.quoteVolume.toString();
    values[at + 9] = candle.trades;
  },
};

/** The candles that a trade is in, one of each width kept, as if it were alone in them. */
export function candlesOf(trade: TradeEvent): StoredCandle[] {
  const { market, time } = trade;
  return WIDTHS.map((width) => ({ market, width, candle: candleOf(trade, time - (time % width)) }));
}

function candleOf({ price, amount, cost }: TradeEvent, start: number): Candle {
  return {
    start,
    open: price,
    high: price,
    low: price,
    close: price,
    baseVolume: amount,
    quoteVolume: cost,
    trades: 1,
  };
}

/** Candles, oldest first, put together to wider ones; `startOf` a time is where its candle begins. */
export function fold(candles: Iterable<Candle>, startOf: (time: number) => number): Candle[] {
  const folded: Candle[] = [];
  for (const candle of candles) {
    const start = startOf(candle.start);
    const last = folded.at(-1);
    if (last?.start === start) extend(last, candle);
    else folded.push({ ...candle, start });
  }
  return folded;
}

/** Adds to a candle what happened later in the same span. */
export function extend(candle: Candle, later: Candle): void {
  candle.high = Math.max(candle.high, later.high);
  candle.low = Math.min(candle.low, later.low);
  candle.close = later.close;
  candle.baseVolume = sum(candle.baseVolume, later.baseVolume);
  candle.quoteVolume = sum(candle.quoteVolume, later.quoteVolume);
  candle.trades += later.trades;
}

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
      WIDTHS.findLast((kept) => width % kept === 0)!,
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

function readCandle(row: Row): Candle {
  return {
    start: Number(row.start),
    open: Number(row.open),
    high: Number(row.high),
    low: Number(row.low),
    close: Number(row.close),
    baseVolume: exact(BigInt(row.base_volume!)),
    quoteVolume: exact(BigInt(row.quote_volume!)),
    trades: Number(row.trades),
  };
}
