import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ChartCredit } from '../components/chart-credit.tsx';
import { Choices } from '../components/choices.tsx';
import { type Tab, Tabs } from '../components/tabs.tsx';
import { theme } from '../components/theme.tsx';
import { announceError } from '../components/toast.tsx';
import { compact, grouped, sentenceCase } from '../format.ts';
import { openOrders } from './account.ts';
import { DepthChart } from './depth-chart.tsx';
import { follow, reconnections } from './feed.ts';
import { market, priceDecimals, symbol } from './markets.ts';
import { lastCandles, PastCandles, type Series } from './past-candles.ts';
import { type ExactCandle, PriceChart } from './price-chart.ts';
import { throttle } from './throttle.ts';

const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w'] as const;
export type Interval = (typeof INTERVALS)[number];
const IN_TABLE = 12;
/** As often as an eye follows a candle. */
const REDRAW_MS = 100;

const STORAGE_KEY = 'buttonwood-interval';
const kept = localStorage.getItem(STORAGE_KEY) as Interval | null;
export const interval = signal<Interval>(kept !== null && INTERVALS.includes(kept) ? kept : '15m');

const TABS: readonly Tab<'price' | 'depth'>[] = [
  { id: 'price', label: 'Price' },
  { id: 'depth', label: 'Depth' },
];

/** Candles and depth, on a canvas each, with a table behind it. */
export function ChartPanel() {
  const tab = useSignal<'price' | 'depth'>('price');
  return (
    <section class="panel chart" aria-label="Chart">
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
  return (
    <Choices
      legend="Interval of a candle"
      ids={INTERVALS}
      chosen={interval.value}
      onChoose={(id) => {
        interval.value = id;
        localStorage.setItem(STORAGE_KEY, id);
      }}
    />
  );
}

function Candles() {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>(undefined);
  const hovered = useSignal<ExactCandle | undefined>(undefined);
  const latest = useSignal<readonly ExactCandle[]>([]);
  const state = useSignal<'loading' | 'empty' | 'shown'>('loading');

  useEffect(() => {
    const past = new PastCandles();
    const created = new PriceChart(
      box.current!,
      (candle) => {
        hovered.value = candle;
      },
      ({ timestamp }) => {
        // These are still of another series then.
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
  }, [hovered, state]);

  useSignalEffect(() => {
    const [shown, width] = [symbol.value, interval.value];
    if (shown === '') return;
    state.value = 'loading';
    let isOver = false;
    let hasRead = false;
    let reading = 0;
    let newest = new Map<string, ExactCandle>();
    const draw = throttle(REDRAW_MS, () => {
      if (!hasRead || reading > 0) return;
      const came = [...newest.values()];
      newest = new Map();
      for (const candle of came) chart.current?.update(candle);
      if (came.length > 0) {
        latest.value = merged(latest.value, came);
        state.value = 'shown';
      }
    });
    chart.current?.usePriceFormat(priceDecimals.value);
    const end = follow({ channel: 'candles', symbol: shown, interval: width }, ({ data }) => {
      if (data === null) return;
      newest.set(data.timestamp, data);
      draw();
    });
    const read = () => {
      reading++;
      lastCandles({ symbol: shown, interval: width })
        .then((candles) => {
          if (isOver) return;
          latest.value = candles.slice(-IN_TABLE);
          if (hasRead) chart.current?.backfill(candles);
          else chart.current?.show(candles);
          hasRead = true;
          // After the chart has them: until then the candles on it are still of the series before.
          state.value = candles.length === 0 ? 'empty' : 'shown';
        })
        .catch(announceError)
        .finally(() => {
          reading--;
          if (!isOver) draw();
        });
    };
    // At once, and whenever there was no connection: the stream knows the candle of now alone.
    const endReading = reconnections.subscribe(read);
    return () => {
      isOver = true;
      endReading();
      draw.cancel();
      end();
    };
  });
  useSignalEffect(() => {
    void theme.value;
    chart.current?.useTheme();
    const own = openOrders.value.filter((order) => order.symbol === symbol.value);
    chart.current?.markOrders(
      own.map(({ side, price, triggerPrice, type }) => ({
        side,
        price: price ?? triggerPrice ?? '0',
        title: `${side} ${type.replaceAll('_', ' ')}`,
      })),
    );
  });

  const { base = '', quote = '' } = market.value ?? {};
  return (
    <div class="canvas-box">
      <Legend candle={hovered.value ?? latest.value.at(-1)} />
      <div class="canvas" ref={box} aria-hidden="true" />
      {state.value === 'empty' ? (
        <p class="canvas-note">No trades yet: the first one begins the first candle.</p>
      ) : null}
      <ChartCredit />
      <table class="visually-hidden">
        <caption>
          The last candles of {base}/{quote}, {interval.value} each
        </caption>
        <thead>
          <tr>
            {['Begins', 'Open', 'High', 'Low', 'Close', 'Volume'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {latest.value.map(({ timestamp, open, high, low, close, volume }) => (
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
    </div>
  );
}

/** The last of both, those that came in place of what was there. */
function merged(known: readonly ExactCandle[], came: readonly ExactCandle[]): ExactCandle[] {
  const all = new Map([...known, ...came].map((candle) => [candle.timestamp, candle]));
  return [...all.values()].slice(-IN_TABLE);
}

function shownSeries(): Series {
  return { symbol: symbol.value, interval: interval.value };
}

function Legend({ candle }: { candle: ExactCandle | undefined }) {
  if (candle === undefined) return <p class="legend muted">Waiting for candles</p>;
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
