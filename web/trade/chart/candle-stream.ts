import type { Signal } from '@preact/signals';
import { announceError } from '../../components/toast.tsx';
import { follow, reconnections } from '../feed.ts';
import type { ExactCandle } from './bars.ts';
import { lastCandles, type Series } from './past-candles.ts';
import type { PriceChart } from './price-chart.ts';

export type ChartState = 'loading' | 'empty' | 'shown';
/** Interval of the updates. */
const CANDLES_EVERY_MS = 100;
/** Number of candles kept for the table and the legend. */
const LATEST = 12;

/** Loads the last candles of a series and keeps them current until the returned function is called. */
export function followCandles(
  series: Series,
  chart: PriceChart,
  latest: Signal<readonly ExactCandle[]>,
  state: Signal<ChartState>,
): () => void {
  let isOver = false;
  let hasLoaded = false;
  let pendingReads = 0;
  let updates = new Map<string, ExactCandle>();
  const draw = () => {
    if (!hasLoaded || pendingReads > 0 || updates.size === 0) return;
    const candles = [...updates.values()];
    updates = new Map();
    for (const candle of candles) chart.update(candle);
    latest.value = merge(latest.peek(), candles);
    state.value = 'shown';
  };
  const unsubscribe = follow(
    { channel: 'candles', ...series, everyMs: CANDLES_EVERY_MS },
    ({ data }) => {
      if (data === null) return;
      // History can be read now: the sandbox writes it after its first start.
      if (!hasLoaded && pendingReads === 0 && updates.size === 0) read();
      updates.set(data.timestamp, data);
      draw();
    },
  );
  const read = () => {
    pendingReads++;
    lastCandles(series)
      .then((candles) => {
        if (isOver) return;
        latest.value = candles.slice(-LATEST);
        if (hasLoaded) chart.backfill(candles);
        else chart.show(candles);
        hasLoaded = true;
        // Only now, because until here the chart shows the previous series.
        state.value = candles.length === 0 ? 'empty' : 'shown';
      })
      .catch(announceError)
      .finally(() => {
        pendingReads--;
        if (!isOver) draw();
      });
  };
  // Runs at once and after each reconnection, because the stream sends only the current candle.
  const stopReading = reconnections.subscribe(read);
  return () => {
    isOver = true;
    stopReading();
    unsubscribe();
  };
}

/** Merges updates into the known candles and keeps the last ones. */
function merge(known: readonly ExactCandle[], updates: readonly ExactCandle[]): ExactCandle[] {
  const all = new Map([...known, ...updates].map((candle) => [candle.timestamp, candle]));
  return [...all.values()].slice(-LATEST);
}
