import { signal } from '@preact/signals';
import { api } from '../api.ts';

const HOURS = 24;

/** Closing prices of the last 24 hours by symbol, oldest first. */
export const trends = signal<ReadonlyMap<string, readonly number[]>>(new Map());

/** Loads the trends of markets, each when it arrives. */
export async function loadTrends(symbols: readonly string[]): Promise<void> {
  await Promise.all(
    symbols.map(async (symbol) => {
      const { candles } = await api.getCandles({ symbol, interval: '1h', limit: HOURS });
      const closes = candles.map(({ close }) => Number(close));
      trends.value = new Map(trends.value).set(symbol, closes);
    }),
  );
}
