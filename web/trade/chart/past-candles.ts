import type { GetCandlesParameters } from '../../../src/client/index.ts';
import { api } from '../../api.ts';
import { announceError } from '../../components/toast.tsx';
import type { ExactCandle } from './bars.ts';

/** Candles of one market at one interval. */
export interface Series {
  readonly symbol: string;
  readonly interval: NonNullable<GetCandlesParameters['interval']>;
}

const PAGE_SIZE = 500;
const cacheKey = ({ symbol, interval }: Series) => `${symbol} ${interval}`;

/** Returns the last candles of a series, oldest first. */
export async function lastCandles(series: Series): Promise<readonly ExactCandle[]> {
  return (await api.getCandles({ ...series, limit: PAGE_SIZE })).candles;
}

/** Loads older candles page by page until the start of a series. */
export class PastCandles {
  private readonly loading = new Set<string>();
  /** First candle of each series that has loaded completely. */
  private readonly firstCandles = new Map<string, string>();

  /** Loads the page before `before`. Errors are shown; the next call retries. */
  read(series: Series, before: string, onCandles: (older: readonly ExactCandle[]) => void): void {
    const key = cacheKey(series);
    if (this.loading.has(key) || this.firstCandles.get(key) === before) return;
    this.loading.add(key);
    const until = new Date(Date.parse(before) - 1).toISOString();
    api
      .getCandles({ ...series, until, limit: PAGE_SIZE })
      .then(({ candles }) => {
        const older = candles.filter(({ timestamp }) => timestamp < before);
        if (older.length === 0) this.firstCandles.set(key, before);
        else onCandles(older);
      })
      .catch(announceError)
      .finally(() => this.loading.delete(key));
  }
}
