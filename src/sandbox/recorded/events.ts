import { Side } from '../../engine/terms.ts';
import { toUnits } from './decimal.ts';
import type { KlineRow, Row } from './row.ts';
import { readSpool } from './spool.ts';

/** An event of a recorded market. Prices and amounts are in units of the market. */
export type RecordedEvent = {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Index among the markets of the recording. */
  readonly market: number;
} & (
  | RecordedTrade
  | ({ readonly kind: 'order'; readonly id: string } & Terms)
  | { readonly kind: 'cancel'; readonly id: string }
  /** The new amount of a price level, 0 for none. */
  | ({ readonly kind: 'level' } & Terms)
  /** The levels that follow replace the book. */
  | { readonly kind: 'clear' }
);

export type RecordedTrade = { readonly kind: 'trade' } & Terms;

interface Terms {
  /** The taker's in a trade. */
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
}

/** The units of a market: prices are in 10^-priceDecimals. */
export interface MarketUnits {
  readonly priceDecimals: number;
  readonly amountDecimals: number;
}

/** The files of a market, in order of time. */
export interface EventSource extends MarketUnits {
  readonly spools: readonly string[];
}

/**
 * Yields the events of all markets in order of time; those of the same time in the order of the markets, and those of one
 * market in the order of its files.
 */
export function* recordedEvents(sources: readonly EventSource[]): Generator<RecordedEvent> {
  const streams = sources.map((source, market) => marketEvents(source, market));
  const next = streams.map((stream) => stream.next());
  try {
    while (true) {
      let first = -1;
      for (const [index, { done, value }] of next.entries()) {
        if (done) continue;
        if (first === -1 || value.time < next[first]!.value!.time) first = index;
      }
      if (first === -1) return;
      yield next[first]!.value!;
      next[first] = streams[first]!.next();
    }
  } finally {
    for (const stream of streams) stream.return(undefined);
  }
}

function* marketEvents(source: EventSource, market: number): Generator<RecordedEvent, undefined> {
  for (const spool of source.spools) {
    for (const row of readSpool(spool)) {
      if (row.kind === 'kline') yield* klineTrades(row, market, source);
      else yield toEvent(row, market, source);
    }
  }
}

function toEvent(
  row: Exclude<Row, KlineRow>,
  market: number,
  { priceDecimals, amountDecimals }: MarketUnits,
): RecordedEvent {
  if (!('price' in row)) return { ...row, market };
  const price = toUnits(row.price, priceDecimals);
  return { ...row, market, price, amount: toUnits(row.amount, amountDecimals) };
}

/**
 * Returns trades that give the candle of a kline: its open, the extreme that is nearer in time by convention (the low if
 * it rose, else the high), the other one, and its close, spread over its interval, with its volume in equal parts. A kline
 * without volume has no trades.
 */
export function klineTrades(
  row: KlineRow & { readonly time: number },
  market: number,
  { priceDecimals, amountDecimals }: MarketUnits,
): RecordedEvent[] {
  const volume = toUnits(row.volume, amountDecimals);
  const toPrice = (price: KlineRow['open']) => toUnits(price, priceDecimals);
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map(toPrice) as [
    number,
    number,
    number,
    number,
  ];
  const path = close >= open ? [open, low, high, close] : [open, high, low, close];
  const prices = path.filter((price, index) => index === 0 || price !== path[index - 1]);
  // As many trades as there are steps to trade.
  const trades = Math.min(prices.length, volume);
  const part = Math.floor(volume / trades);
  const span = row.closeTime - row.time;
  return prices.slice(0, trades).map((price, index) => ({
    kind: 'trade',
    time: row.time + (index === 0 ? 0 : Math.floor((span * index) / (trades - 1))),
    market,
    side: price >= (prices[index - 1] ?? close) ? Side.buy : Side.sell,
    price,
    amount: index === trades - 1 ? volume - part * (trades - 1) : part,
  }));
}
