import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import Big from 'big.js';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../components/theme.tsx';
import { compact, fixed, formatTime, grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { clock, marketColors } from '../../preferences.ts';
import { canTrade, fills, openOrders } from '../account.ts';
import { priceDecimalsFor, priceText } from '../markets.ts';
import type { ExactCandle } from './bars.ts';
import { type ChartState, followCandles } from './candle-stream.ts';
import { useChartTools } from './chart-tools.tsx';
import type { IndicatorLayer, Reading } from './indicators/indicator-layer.ts';
import { orderTitle } from './order-title.ts';
import { PastCandles, type Series } from './past-candles.ts';
import { PriceChart } from './price-chart.ts';
import { chartType, indicators } from './settings.ts';

interface ChartViewProps {
  readonly series: Series;
  /** Shown above the chart, such as the choice of its market. */
  readonly head?: ComponentChildren;
}

/** A price chart of a market with its legend, and a table of its last candles for screen readers. */
export function ChartView({ series, head }: ChartViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>(undefined);
  const layer = useRef<IndicatorLayer>(undefined);
  const hovered = useSignal<number | undefined>(undefined);
  const latest = useSignal<readonly ExactCandle[]>([]);
  const state = useSignal<ChartState>('loading');
  const shown = useSignal(series);
  useEffect(() => {
    shown.value = series;
  }, [series.symbol, series.interval]);
  useChart(box, chart, shown, hovered, state);
  useSeries(chart, shown, latest, state);
  useOwnOrders(chart, shown);
  const readings = useIndicators(chart, layer, hovered, latest);
  const overlay = useChartTools(box, chart, shown);
  const candle =
    hovered.value === undefined ? latest.value.at(-1) : chart.current?.candleAt(hovered.value);
  return (
    <div class="canvas-box">
      {head}
      <Legend candle={candle ?? latest.value.at(-1)} symbol={series.symbol} />
      <IndicatorLegend readings={readings.value} decimals={priceDecimalsFor(series.symbol)} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div
        class="canvas-area"
        role="group"
        aria-label={t('Chart of {symbol}', { symbol: series.symbol })}
        tabIndex={-1}
      >
        <div class="canvas" ref={box} aria-hidden="true" />
        {overlay}
        {state.value === 'empty' ? <p class="canvas-note">{t('No trades yet')}</p> : null}
      </div>
      <CandleTable candles={latest.value} series={series} />
    </div>
  );
}

type ChartRef = RefObject<PriceChart | undefined>;

/** Creates the chart, and loads older candles when the user scrolls to its left end. */
function useChart(
  box: RefObject<HTMLDivElement | null>,
  chart: ChartRef,
  shown: Signal<Series>,
  hovered: Signal<number | undefined>,
  state: Signal<ChartState>,
): void {
  useEffect(() => {
    const past = new PastCandles();
    const created = new PriceChart(box.current!, {
      onHover: (index) => {
        hovered.value = index;
      },
      onNeedOlder: ({ timestamp }) => {
        // While loading, the chart still shows candles of the previous series.
        if (state.peek() === 'loading') return;
        const series = shown.peek();
        past.read(series, timestamp, (older) => {
          if (shown.peek() === series) created.prepend(older, timestamp);
        });
      },
    });
    chart.current = created;
    return () => created.remove();
  }, []);
  useSignalEffect(() => {
    void theme.value;
    void marketColors.value;
    chart.current?.useTheme();
  });
  useSignalEffect(() => chart.current?.useType(chartType.value));
}

function useSeries(
  chart: ChartRef,
  shown: Signal<Series>,
  latest: Signal<readonly ExactCandle[]>,
  state: Signal<ChartState>,
): void {
  const decimals = useComputed(() => priceDecimalsFor(shown.value.symbol));
  useSignalEffect(() => chart.current?.usePriceFormat(decimals.value));
  useSignalEffect(() => {
    void clock.value;
    chart.current?.useTime(shown.value.interval);
  });
  useSignalEffect(() => {
    const series = shown.value;
    const current = chart.current;
    if (series.symbol === '' || current === undefined) return undefined;
    state.value = 'loading';
    return followCandles(series, current, latest, state);
  });
}

/** Shows the user's open orders as lines, and fills as arrows. */
function useOwnOrders(chart: ChartRef, shown: Signal<Series>): void {
  useSignalEffect(() => {
    void theme.value;
    void marketColors.value;
    const own = openOrders.value.filter(({ symbol }) => symbol === shown.value.symbol);
    chart.current?.markOrders(
      own.map((order) => ({
        orderId: order.orderId,
        side: order.side,
        price: order.price ?? order.triggerPrice ?? order.activationPrice ?? '0',
        title: orderTitle(order),
        remaining: new Big(order.amount).minus(order.filled).toFixed(),
      })),
      canTrade.value,
    );
  });
  useSignalEffect(() => {
    const own = (fills.value ?? []).filter(({ symbol }) => symbol === shown.value.symbol);
    chart.current?.markFills(
      own
        .map(({ side, timestamp }) => ({ side, time: Date.parse(timestamp) / 1000 }))
        .sort((a, b) => a.time - b.time),
    );
  });
}

/** Loads the indicators when the first is added, and returns their values at the candle under the pointer. */
function useIndicators(
  chart: ChartRef,
  layer: RefObject<IndicatorLayer | undefined>,
  hovered: Signal<number | undefined>,
  latest: Signal<readonly ExactCandle[]>,
): Signal<readonly Reading[]> {
  const loaded = useSignal(0);
  const readings = useSignal<readonly Reading[]>([]);
  useSignalEffect(() => {
    const wanted = indicators.value;
    const current = chart.current;
    if (current === undefined) return;
    if (layer.current === undefined) {
      if (wanted.length === 0 || loaded.peek() === -1) return;
      loaded.value = -1;
      void import('./indicators/indicator-layer.ts').then(({ IndicatorLayer: Layer }) => {
        const created = new Layer(current);
        layer.current = created;
        current.addLayer(created);
        created.use(indicators.peek());
        loaded.value = 1;
      });
      return;
    }
    layer.current.use(wanted);
    loaded.value = loaded.peek() + 1;
  });
  useSignalEffect(() => {
    void loaded.value;
    void latest.value;
    const last = (chart.current?.bars.length ?? 0) - 1;
    readings.value = layer.current?.read(hovered.value ?? last) ?? [];
  });
  return readings;
}

function Legend({ candle, symbol }: { candle: ExactCandle | undefined; symbol: string }) {
  if (candle === undefined) return <p class="legend muted">{t('Loading chart…')}</p>;
  const { open, high, low, close, volume } = candle;
  const isDown = Number(close) < Number(open);
  const parts = [
    [t('O'), t('Open'), open],
    [t('H'), t('High'), high],
    [t('L'), t('Low'), low],
    [t('C'), t('Close'), close],
  ] as const;
  return (
    <p class="legend">
      {parts.map(([letter, name, price]) => (
        <span key={name}>
          <abbr title={name}>{letter}</abbr>{' '}
          <b class={isDown ? 'sell' : 'buy'} title={grouped(price)}>
            {priceText(price, symbol)}
          </b>
        </span>
      ))}
      <span>
        <abbr title={t('Volume')}>{t('Vol')}</abbr> <b>{compact(volume)}</b>
      </span>
    </p>
  );
}

function IndicatorLegend({
  readings,
  decimals,
}: {
  readings: readonly Reading[];
  decimals: number;
}) {
  if (readings.length === 0) return null;
  return (
    <p class="legend indicator-legend">
      {readings.map(({ id, label, values }) => (
        <span key={id}>
          <abbr>{label}</abbr>{' '}
          {values.map(({ color, value }, line) => (
            <b key={`${line}`} class={`ink ${color}`}>
              {value === undefined ? '–' : fixed(value.toFixed(decimals), decimals)}{' '}
            </b>
          ))}
        </span>
      ))}
    </p>
  );
}

/** The last candles as a table, for screen readers. */
function CandleTable({ candles, series }: { candles: readonly ExactCandle[]; series: Series }) {
  const titles = [t('Time'), t('Open'), t('High'), t('Low'), t('Close'), t('Volume')];
  return (
    <table class="visually-hidden">
      <caption>{t('Last candles of {symbol}, {interval} interval', { ...series })}</caption>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {candles.map(({ timestamp, open, high, low, close, volume }) => (
          <tr key={timestamp}>
            <td>{formatTime(new Date(timestamp), { dateStyle: 'medium', timeStyle: 'medium' })}</td>
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
