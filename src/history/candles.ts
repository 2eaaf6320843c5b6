import type { TradeEvent } from '../engine/event.ts';
import { type Exact, exact, sum } from '../engine/exact.ts';
import type { Database, Row } from './database.ts';

/** The trades of one market in one minute; price and amount in the market's units. */
export interface MinuteCandle {
  /** Start of the minute, milliseconds since 1970. */
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

const MINUTE_MS = 60_000;

/** The candles of trades that are not in the database yet. */
export class PendingCandles {
  /** By market, oldest first. */
  private readonly markets = new Map<number, MinuteCandle[]>();

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

  of(market: number): readonly MinuteCandle[] {
    return this.markets.get(market) ?? [];
  }

  clear(): void {
    this.markets.clear();
  }

  /** Puts them into the database: a minute that has a candle there goes on in it. */
  async store(database: Database): Promise<void> {
    for (const [market, candles] of this.markets) {
      for (const candle of candles) await storeOne(database, market, candle);
    }
  }
}

function candleOf({ price, amount, cost }: TradeEvent, start: number): MinuteCandle {
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

/** Adds to a candle what happened later in the same minute. */
function extend(candle: MinuteCandle, later: MinuteCandle): void {
  candle.high = Math.max(candle.high, later.high);
  candle.low = Math.min(candle.low, later.low);
  candle.close = later.close;
  candle.baseVolume = sum(candle.baseVolume, later.baseVolume);
  candle.quoteVolume = sum(candle.quoteVolume, later.quoteVolume);
  candle.trades += later.trades;
}

async function storeOne(database: Database, market: number, candle: MinuteCandle): Promise<void> {
  const [row] = await database.query(
    'SELECT * FROM candles WHERE market = $1 AND start = $2',
    market,
    candle.start,
  );
  const whole = row === undefined ? candle : readCandle(row);
  if (whole !== candle) extend(whole, candle);
  await database.run(
    `INSERT INTO candles (market, start, open, high, low, close, base_volume, quote_volume, trades)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (market, start) DO UPDATE SET high = excluded.high, low = excluded.low,
        close = excluded.close, base_volume = excluded.base_volume,
        quote_volume = excluded.quote_volume, trades = excluded.trades`,
    market,
    whole.start,
    whole.open,
    whole.high,
    whole.low,
    whole.close,
    whole.baseVolume.toString(),
    whole.quoteVolume.toString(),
    whole.trades,
  );
}

/**
 * A market's candles of the minutes that began at `since` or later, oldest first; minutes without
 * a trade have none.
 */
export async function readCandles(
  database: Database,
  pending: PendingCandles,
  market: number,
  since: number,
): Promise<MinuteCandle[]> {
  const rows = await database.query(
    'SELECT * FROM candles WHERE market = $1 AND start >= $2 ORDER BY start',
    market,
    since,
  );
  const candles = rows.map(readCandle);
  for (const candle of pending.of(market)) {
    if (candle.start < since) continue;
    const last = candles.at(-1);
    if (last?.start === candle.start) extend(last, candle);
    else candles.push({ ...candle });
  }
  return candles;
}

function readCandle(row: Row): MinuteCandle {
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
