import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/durations.ts';
import type { TradeEvent } from '../../engine/event.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { Side } from '../../engine/terms.ts';
import { select } from '../database/checksum.ts';
import type { Row, Statements, Table } from '../database/database.ts';
import { addedIn, bigint, Columns, integer, money } from './columns.ts';

/** The trades of one market in one interval; prices and amounts in the market's units. */
export interface Candle {
  /** Start of the interval, milliseconds since 1970. */
  readonly start: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Base bought and sold, amount units. */
  baseVolume: Exact;
  /** Quote paid, minor units. */
  quoteVolume: Exact;
  /** Number of trades. */
  trades: number;
  /** The parts of both volumes whose taker bought. */
  takerBuyVolume: Exact;
  takerBuyQuoteVolume: Exact;
  /** Ids of the first and the last trade; 0 without trades. */
  firstTradeId: number;
  lastTradeId: number;
  /** Amount of the last trade, amount units; 0 without trades. */
  lastAmount: number;
}

const QUARTER_MS = 15 * MINUTE_MS;
/** Stored widths. With these a page of candles is folded from a few thousand rows at most. */
export const CANDLE_WIDTHS = [MINUTE_MS, QUARTER_MS, HOUR_MS, DAY_MS] as const;

/** One-minute candles of trades that are not committed yet. */
export class PendingCandles {
  /** By market, oldest first. */
  private readonly markets = new Map<number, Candle[]>();

  /** Adds a trade; trades must be in order of time. */
  add(trade: TradeEvent): void {
    const start = trade.time - (trade.time % MINUTE_MS);
    let candles = this.markets.get(trade.market);
    if (candles === undefined) {
      candles = [];
      this.markets.set(trade.market, candles);
    }
    const last = candles.at(-1);
    if (last?.start === start) extend(last, toCandle(trade, start));
    else candles.push(toCandle(trade, start));
  }

  get(market: number): readonly Candle[] {
    return this.markets.get(market) ?? [];
  }

  /** Returns the markets that have candles. */
  ids(): Iterable<number> {
    return this.markets.keys();
  }
}

/**
 * Stores the candles of consecutive trades. Time never goes back, so only the first candle of each width may exist in the
 * database already; it is extended.
 */
export async function storeCandles(
  statements: Statements,
  parts: readonly PendingCandles[],
): Promise<void> {
  const all: StoredCandle[] = [];
  for (const market of new Set(parts.flatMap((part) => [...part.ids()]))) {
    const candles = parts.flatMap((part) => part.get(market));
    const widths = CANDLE_WIDTHS.map((width) => fold(candles, (time) => time - (time % width)));
    const stored = await readStored(statements, market, widths);
    for (const [place, width] of CANDLE_WIDTHS.entries()) {
      const [first, ...rest] = widths[place]!;
      const existing = stored.get(width);
      if (existing !== undefined) extend(existing, first!);
      for (const candle of [existing ?? first!, ...rest]) all.push({ market, width, candle });
    }
  }
  await statements.insert(candlesTable, all);
}

/** Returns, by width, the stored candle at the start of the first new one. */
async function readStored(
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
    ...starts.flatMap((start, place) => [CANDLE_WIDTHS[place]!, start]),
  );
  return new Map(rows.map((row) => [Number(row.width), readCandle(row)]));
}

export interface StoredCandle {
  readonly market: number;
  readonly width: number;
  readonly candle: Candle;
}

const placeColumns = new Columns<Pick<StoredCandle, 'market' | 'width'>>({
  market: integer('market'),
  width: integer('width'),
});

const candleColumns = new Columns<Candle>({
  start: bigint('start'),
  open: bigint('open'),
  high: bigint('high'),
  low: bigint('low'),
  close: bigint('close'),
  baseVolume: money('base_volume'),
  quoteVolume: money('quote_volume'),
  trades: bigint('trades'),
  takerBuyVolume: addedIn(5, money('taker_buy_volume')),
  takerBuyQuoteVolume: addedIn(5, money('taker_buy_quote_volume')),
  firstTradeId: addedIn(5, bigint('first_trade_id')),
  lastTradeId: addedIn(5, bigint('last_trade_id')),
  lastAmount: addedIn(5, bigint('last_amount')),
});

export const candlesTable: Table<StoredCandle> = {
  name: 'candles',
  columns: [...placeColumns.all, ...candleColumns.all],
  replaces: ['market', 'width', 'start'],
  write(stored, values, at) {
    placeColumns.write(stored, values, at);
    candleColumns.write(stored.candle, values, at + placeColumns.all.length);
  },
};

/** Returns a trade's candles, one for each stored width, as if it were their only trade. */
export function toCandles(trade: TradeEvent): StoredCandle[] {
  const { market, time } = trade;
  return CANDLE_WIDTHS.map((width) => ({
    market,
    width,
    candle: toCandle(trade, time - (time % width)),
  }));
}

/** Returns the candle of a single trade. */
export function toCandle(
  {
    id,
    price,
    amount,
    cost,
    takerSide,
  }: Pick<TradeEvent, 'id' | 'price' | 'amount' | 'cost' | 'takerSide'>,
  start: number,
): Candle {
  const takerBuys = takerSide === Side.buy;
  return {
    start,
    open: price,
    high: price,
    low: price,
    close: price,
    baseVolume: amount,
    quoteVolume: cost,
    trades: 1,
    takerBuyVolume: takerBuys ? amount : 0,
    takerBuyQuoteVolume: takerBuys ? cost : 0,
    firstTradeId: id,
    lastTradeId: id,
    lastAmount: amount,
  };
}

/** Returns the candle of an interval without trades. @param price The close before it. */
export function flatCandle(start: number, price: number): Candle {
  return {
    start,
    open: price,
    high: price,
    low: price,
    close: price,
    baseVolume: 0,
    quoteVolume: 0,
    trades: 0,
    takerBuyVolume: 0,
    takerBuyQuoteVolume: 0,
    firstTradeId: 0,
    lastTradeId: 0,
    lastAmount: 0,
  };
}

/** Merges candles, oldest first, into wider ones. @param toStart Returns the start of a time's candle. */
export function fold(candles: Iterable<Candle>, toStart: (time: number) => number): Candle[] {
  const folded: Candle[] = [];
  for (const candle of candles) {
    const start = toStart(candle.start);
    const last = folded.at(-1);
    if (last?.start === start) extend(last, candle);
    else folded.push({ ...candle, start });
  }
  return folded;
}

/** Adds a later candle of the same interval. */
export function extend(candle: Candle, later: Candle): void {
  candle.high = Math.max(candle.high, later.high);
  candle.low = Math.min(candle.low, later.low);
  candle.close = later.close;
  candle.baseVolume = sum(candle.baseVolume, later.baseVolume);
  candle.quoteVolume = sum(candle.quoteVolume, later.quoteVolume);
  candle.trades += later.trades;
  candle.takerBuyVolume = sum(candle.takerBuyVolume, later.takerBuyVolume);
  candle.takerBuyQuoteVolume = sum(candle.takerBuyQuoteVolume, later.takerBuyQuoteVolume);
  candle.lastTradeId = later.lastTradeId;
  candle.lastAmount = later.lastAmount;
}

/** Reads a row of the table. */
export function readCandle(row: Row): Candle {
  return candleColumns.read(row);
}
