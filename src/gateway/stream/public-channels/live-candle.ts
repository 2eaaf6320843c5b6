import type { TradeEvent } from '../../../engine/event.ts';
import { sum } from '../../../engine/numbers/exact.ts';
import { Side } from '../../../engine/terms.ts';
import type { Candle } from '../../../history/history.ts';

/** Returns the candle of an interval without trades. @param price The close before it. */
export function flatCandle(start: number, price: number): Candle {
  const prices = { open: price, high: price, low: price, close: price };
  const volumes = { baseVolume: 0, quoteVolume: 0, takerBuyVolume: 0, takerBuyQuoteVolume: 0 };
  const trades = { trades: 0, firstTradeId: 0, lastTradeId: 0, lastAmount: 0 };
  return { start, ...prices, ...volumes, ...trades };
}

/** Adds the next trade of a candle's interval. */
export function addTrade(candle: Candle, { id, price, amount, cost, takerSide }: TradeEvent): void {
  if (candle.trades === 0) {
    Object.assign(candle, { open: price, high: price, low: price, firstTradeId: id });
  }
  candle.high = Math.max(candle.high, price);
  candle.low = Math.min(candle.low, price);
  candle.close = price;
  candle.baseVolume = sum(candle.baseVolume, amount);
  candle.quoteVolume = sum(candle.quoteVolume, cost);
  candle.trades++;
  if (takerSide === Side.buy) {
    candle.takerBuyVolume = sum(candle.takerBuyVolume, amount);
    candle.takerBuyQuoteVolume = sum(candle.takerBuyQuoteVolume, cost);
  }
  candle.lastTradeId = id;
  candle.lastAmount = amount;
}
