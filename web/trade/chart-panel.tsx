import { type Signal, signal, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ChartCredit } from '../components/chart-credit.tsx';
import { Choices } from '../components/choices.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { type Tab, Tabs } from '../components/tabs.tsx';
import { theme } from '../components/theme.tsx';
import { announceError } from '../components/toast.tsx';
import { compact, grouped, sentenceCase } from '../format.ts';
import { openOrders } from './account.ts';
import { DepthChart } from './depth-chart.tsx';
import { follow, reconnections } from './feed.ts';
import { priceDecimals, symbol } from './markets.ts';
import { lastCandles, PastCandles, type Series } from './past-candles.ts';
import { type ExactCandle, PriceChart } from './price-chart.ts';
import { throttle } from './throttle.ts';

/** Intervals with a button each; the others are in a menu. */
const COMMON_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
const MORE_INTERVALS = ['1s', '3m', '30m', '2h', '6h', '8h', '12h', '3d', '1w', '1M'] as const;
const INTERVALS = [...COMMON_INTERVALS, ...MORE_INTERVALS];
export type Interval = (typeof INTERVALS)[number];
const TABLE_ROWS = 12;
const REDRAW_MS = 100;

const STORAGE_KEY = 'buttonwood-interval';
const kept = localStorage.getItem(STORAGE_KEY) as Interval | null;
export const interval = signal<Interval>(kept !== null && INTERVALS.includes(kept) ? kept : '15m');

const TABS: readonly Tab<'price' | 'depth'>[] = [
  { id: 'price', label: 'Price' },
  { id: 'depth', label: 'Depth' },
];

/** Price and depth charts, each with a table for screen readers. */
export function ChartPanel() {
  const tab = useSignal<'price' | 'depth'>('price');
  return (
    <section class="panel chart" aria-label="Chart">
      <StaleNote />
      <Tabs
        label="Charts"
        tabs={TABS}
        selected={tab.value}
        onSelect={(id) => {
          tab.value = id;
        }}
        aside={tab.value === 'price' ? <Intervals /> : null}
      >
        {tab.value === 'price' ? <Candles /> : <DepthChart />}
      </Tabs>
    </section>
  );
}

function Intervals() {
  const choose = (id: Interval) => {
    interval.value = id;
    localStorage.setItem(STORAGE_KEY, id);
  };
  const isInMenu = (MORE_INTERVALS as readonly Interval[]).includes(interval.value);
  return (
    <div class="interval-menu">
      <Choices<Interval>
        legend="Candle interval"
        ids={COMMON_INTERVALS}
        chosen={interval.value}
        onChoose={choose}
      />
      <select
        aria-label="More candle intervals"
        class={isInMenu ? 'chosen' : ''}
        value={isInMenu ? interval.value : ''}
        onChange={({ currentTarget: { value } }) => choose(value as Interval)}
      >
        <option value="" disabled hidden>
          More
        </option>
        {MORE_INTERVALS.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}

type ChartState = 'loading' | 'empty' | 'shown';
type ChartRef = RefObject<PriceChart | undefined>;

function Candles() {
  const box = useRef<HTMLDivElement>(null);
  const chart: ChartRef = useRef<PriceChart>(undefined);
  const hovered = useSignal<ExactCandle | undefined>(undefined);
  const latest = useSignal<readonly ExactCandle[]>([]);
  const state = useSignal<ChartState>('loading');
  useChart(box, chart, hovered, state);
  useSignalEffect(() => {
    const series = shownSeries();
    if (series.symbol === '') return undefined;
    state.value = 'loading';
    chart.current?.usePriceFormat(priceDecimals.value);
    return followCandles(series, chart, latest, state);
  });
  useSignalEffect(() => {
    void theme.value;
    chart.current?.useTheme();
    const own = openOrders.value.filter((order) => order.symbol === symbol.value);
    chart.current?.markOrders(
      own.map(({ side, price, triggerPrice, activationPrice, type }) => ({
        side,
        price: price ?? triggerPrice ?? activationPrice ?? '0',
        title: `${side} ${type.replaceAll('_', ' ')}`,
      })),
    );
  });
  return (
    <div class="canvas-box">
      <Legend candle={hovered.value ?? latest.value.at(-1)} />
      <div class="canvas" ref={box} aria-hidden="true" />
      {state.value === 'empty' ? <p class="canvas-note">No trades yet</p> : null}
      <ChartCredit />
      <CandleTable candles={latest.value} />
    </div>
  );
}

/** Creates the chart, and loads older candles when the user scrolls to its left end. */
function useChart(
  box: RefObject<HTMLDivElement | null>,
  chart: ChartRef,
  hovered: Signal<ExactCandle | undefined>,
  state: Signal<ChartState>,
): void {
  useEffect(() => {
    const past = new PastCandles();
    const created = new PriceChart(
      box.current!,
      (candle) => {
        hovered.value = candle;
      },
      ({ timestamp }) => {
        // While loading, the chart still shows candles of the previous series.
        if (state.peek() === 'loading') return;
        const series = shownSeries();
        past.read(series, timestamp, (older) => {
          const { symbol, interval } = shownSeries();
          if (symbol === series.symbol && interval === series.interval) {
            created.prepend(older, timestamp);
          }
        });
      },
    );
    chart.current = created;
    return () => created.remove();
  }, [box, chart, hovered, state]);
}

/** Loads the last candles of a series and keeps them current until the returned function is called. */
function followCandles(
  series: Series,
  chart: ChartRef,
  latest: Signal<readonly ExactCandle[]>,
  state: Signal<ChartState>,
): () => void {
  let isOver = false;
  let hasLoaded = false;
  let pendingReads = 0;
  let updates = new Map<string, ExactCandle>();
  const draw = throttle(REDRAW_MS, () => {
    if (!hasLoaded || pendingReads > 0 || updates.size === 0) return;
    const candles = [...updates.values()];
    updates = new Map();
    for (const candle of candles) chart.current?.update(candle);
    latest.value = merge(latest.peek(), candles);
    state.value = 'shown';
  });
  const unsubscribe = follow({ channel: 'candles', ...series }, ({ data }) => {
    if (data === null) return;
    // History can be read now: the sandbox writes it after its first start.
    if (!hasLoaded && pendingReads === 0 && updates.size === 0) read();
    updates.set(data.timestamp, data);
    draw();
  });
  const read = () => {
    pendingReads++;
    lastCandles(series)
      .then((candles) => {
        if (isOver) return;
        latest.value = candles.slice(-TABLE_ROWS);
        if (hasLoaded) chart.current?.backfill(candles);
        else chart.current?.show(candles);
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
    draw.cancel();
    unsubscribe();
  };
}

/** The last candles as a table, for screen readers. */
function CandleTable({ candles }: { candles: readonly ExactCandle[] }) {
  return (
    <table class="visually-hidden">
      <caption>
        Last candles of {symbol.value}, {interval.value} interval
      </caption>
      <thead>
        <tr>
          {['Time', 'Open', 'High', 'Low', 'Close', 'Volume'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {candles.map(({ timestamp, open, high, low, close, volume }) => (
          <tr key={timestamp}>
            <td>{timestamp}</td>
            <td>{open}</td>
            <td>{high}</td>
            <td>{low}</td>
            <td>{close}</td>
            <td>{volume}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Merges updates into the known candles and keeps the last ones. */
function merge(known: readonly ExactCandle[], updates: readonly ExactCandle[]): ExactCandle[] {
  const all = new Map([...known, ...updates].map((candle) => [candle.timestamp, candle]));
  return [...all.values()].slice(-TABLE_ROWS);
}

function shownSeries(): Series {
  return { symbol: symbol.value, interval: interval.value };
}

function Legend({ candle }: { candle: ExactCandle | undefined }) {
  if (candle === undefined) return <p class="legend muted">Loading chart…</p>;
  const isDown = Number(candle.close) < Number(candle.open);
  const parts = ['open', 'high', 'low', 'close'] as const;
  return (
    <p class="legend">
      {parts.map((part) => (
        <span key={part}>
          <abbr title={sentenceCase(part)}>{part.charAt(0).toUpperCase()}</abbr>{' '}
          <b class={isDown ? 'sell' : 'buy'}>{grouped(candle[part])}</b>
        </span>
      ))}
      <span>
        Vol <b>{compact(candle.volume)}</b>
      </span>
      <span class="muted">UTC</span>
    </p>
  );
}
