import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import Big from 'big.js';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../components/theme.tsx';
import { formatTime } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { alerts } from '../../notifications/alerts.ts';
import { clock, marketColors } from '../../preferences.ts';
import { canTrade, fills, openOrders } from '../account.ts';
import { priceDecimalsFor } from '../markets.ts';
import type { ExactCandle } from './bars.ts';
import { type ChartState, followCandles } from './candle-stream.ts';
import { ChartLegend } from './chart-legend.tsx';
import { useChartTools } from './chart-tools.tsx';
import { orderTitles } from './order-title.ts';
import { PastCandles, type Series } from './past-candles.ts';
import { PriceChart } from './price-chart.ts';
import { chartType } from './settings.ts';
import { useIndicators } from './use-indicators.ts';
import { usePriceScale } from './use-price-scale.ts';

interface ChartViewProps {
  readonly series: Series;
  /** Shown above the chart, such as the choice of its market. */
  readonly head?: ComponentChildren;
}

/** A price chart of a market with its legend, and a table of its last candles for screen readers. */
export function ChartView({ series, head }: ChartViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>(undefined);
  const hovered = useSignal<number | undefined>(undefined);
  const latest = useSignal<readonly ExactCandle[]>([]);
  const state = useSignal<ChartState>('loading');
  const isInPast = useSignal(false);
  const shown = useSignal(series);
  useEffect(() => {
    shown.value = series;
  }, [series.symbol, series.interval]);
  useChart(box, chart, shown, { hovered, isInPast }, state);
  useSeries(chart, shown, latest, state);
  useOwnItems(chart, shown);
  const readings = useIndicators(box, chart, hovered, latest);
  const overlay = useChartTools(box, chart, shown);
  const { value: index } = hovered;
  const candle = index === undefined ? undefined : chart.current?.candleAt(index);
  const axisWidth = chart.current?.axisWidth ?? 0;
  return (
    <div class="canvas-box">
      {head}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div
        class="canvas-area"
        role="group"
        aria-label={t('Chart of {symbol}', { symbol: series.symbol })}
        tabIndex={-1}
      >
        <div class="canvas" ref={box} aria-hidden="true" />
        <ChartLegend
          symbol={series.symbol}
          candle={candle ?? latest.value.at(-1)}
          isPointed={candle !== undefined}
          readings={readings.value}
          fills={index === undefined ? [] : (chart.current?.fillsAt(index) ?? [])}
          axisWidth={axisWidth}
        />
        {isInPast.value ? (
          <button
            type="button"
            class="icon-button to-latest"
            aria-label={t('Scroll to latest')}
            title={t('Scroll to latest')}
            style={{ right: `${axisWidth + 8}px` }}
            onClick={() => chart.current?.showLatest()}
          >
            »
          </button>
        ) : null}
        {overlay}
        <ChartNote state={state.value} hasCandles={latest.value.length > 0} />
      </div>
      <CandleTable candles={latest.value} series={series} />
    </div>
  );
}

/** Shown in place of candles. */
function ChartNote({ state, hasCandles }: { state: ChartState; hasCandles: boolean }) {
  if (state === 'empty') return <p class="canvas-note">{t('No trades yet')}</p>;
  if (state === 'loading' && !hasCandles) return <p class="canvas-note">{t('Loading chart…')}</p>;
  return null;
}

type ChartRef = RefObject<PriceChart | undefined>;

/** Creates the chart, and loads older candles when the user scrolls to its left end. */
function useChart(
  box: RefObject<HTMLDivElement | null>,
  chart: ChartRef,
  shown: Signal<Series>,
  { hovered, isInPast }: { hovered: Signal<number | undefined>; isInPast: Signal<boolean> },
  state: Signal<ChartState>,
): void {
  useEffect(() => {
    const past = new PastCandles();
    const created = new PriceChart(box.current!, {
      onHover: (index) => {
        hovered.value = index;
      },
      onPan: (isNow) => {
        isInPast.value = isNow;
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
  usePriceScale(chart);
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

/** Shows the user's open orders and price alerts as lines, and fills as arrows. */
function useOwnItems(chart: ChartRef, shown: Signal<Series>): void {
  useSignalEffect(() => {
    void theme.value;
    void marketColors.value;
    const isShown = ({ symbol }: { readonly symbol: string }) => symbol === shown.value.symbol;
    const orders = openOrders.value.filter(isShown).map((order) => ({
      id: order.orderId,
      kind: order.side,
      price: order.price ?? order.triggerPrice ?? order.activationPrice ?? '0',
      titles: orderTitles(order),
      remaining: new Big(order.amount).minus(order.filled).toFixed(),
    }));
    const waiting = (alerts.value ?? [])
      .filter((alert) => isShown(alert) && alert.triggeredAt === null)
      .map(({ id, price, note }) => ({
        id,
        kind: 'alert' as const,
        price,
        // The bell alone says that it is an alert.
        titles: [...(note === '' ? [] : [note]), t('Price alert'), ''],
      }));
    chart.current?.markOwn([...orders, ...waiting], canTrade.value);
  });
  useSignalEffect(() => {
    const own = (fills.value ?? []).filter(({ symbol }) => symbol === shown.value.symbol);
    chart.current?.markFills(
      own
        .map(({ side, timestamp, price, amount }) => ({
          side,
          time: Date.parse(timestamp) / 1000,
          price,
          amount,
        }))
        .sort((a, b) => a.time - b.time),
    );
  });
}

/** The last candles as a table, for screen readers. */
function CandleTable({ candles, series }: { candles: readonly ExactCandle[]; series: Series }) {
  const titles = [t('Time'), t('Open||price'), t('High'), t('Low'), t('Close||price'), t('Volume')];
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
