import { api } from '../api.ts';
import { announceError } from '../components/toast.tsx';
import type { ExactCandle } from './price-chart.ts';

/** The candles of one market in one interval. */
export interface Series {
  readonly symbol: string;
  readonly interval: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w';
}

const PAGE = 500;
const keyOf = ({ symbol, interval }: Series) => `${symbol} ${interval}`;

/** The last candles of a series, oldest first. */
export async function lastCandles(series: Series): Promise<readonly ExactCandle[]> {
  return (await api.getCandles({ ...series, limit: PAGE })).candles;
}

/** Reads what is before a candle, one page at a time; where a series begins it asks no more. */
export class PastCandles {
  private readonly asking = new Set<string>();
  /** The first candle of each series that is known whole. */
  private readonly beginnings = new Map<string, string>();

  /** Errors are shown; the next call asks again. */
  read(series: Series, before: string, onCandles: (older: readonly ExactCandle[]) => void): void {
    const key = keyOf(series);
    if (this.asking.has(key) || this.beginnings.get(key) === before) return;
    this.asking.add(key);
    const until = new Date(Date.parse(before) - 1).toISOString();
    api
      .getCandles({ ...series, until, limit: PAGE })
      .then(({ candles }) => {
        const older = candles.filter(({ timestamp }) => timestamp < before);
        if (older.length === 0) this.beginnings.set(key, before);
        else onCandles(older);
      })
      .catch(announceError)
      .finally(() => this.asking.delete(key));
  }
}
