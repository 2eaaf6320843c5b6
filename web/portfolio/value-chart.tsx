import { useSignal, useSignalEffect } from '@preact/signals';
import {
  AreaSeries,
  type AutoscaleInfo,
  ColorType,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'preact/hooks';
import { ChartCredit } from '../components/chart-credit.tsx';
import { Choices } from '../components/choices.tsx';
import { faded, theme, themeColor } from '../components/theme.tsx';
import { announceError } from '../components/toast.tsx';
import { ARROWS, changeTone, dateTime, fixed, percent } from '../format.ts';
import {
  balances,
  loadValues,
  RANGES,
  type Range,
  range,
  shownQuote,
  type ValuePoint,
  valueDecimals,
} from './holdings.ts';
import { formatAxis, widenRange } from './value-axis.ts';

const TABLE_ROWS = 12;

interface Drawing {
  readonly chart: IChartApi;
  readonly area: ISeriesApi<'Area'>;
}

/** Portfolio value over time, with a table for screen readers. */
export function ValueChart() {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const values = useSignal<readonly ValuePoint[] | undefined>(undefined);
  useEffect(() => {
    drawing.current = createDrawing(box.current!);
    return () => drawing.current!.chart.remove();
  }, []);
  useSignalEffect(() => {
    const [shownRange, currency] = [range.value, shownQuote.value];
    if (balances.value === undefined || currency === '') return;
    let isOver = false;
    loadValues(shownRange, currency)
      .then((loaded) => {
        if (!isOver) values.value = sinceFirst(loaded);
      })
      .catch(announceError);
    return () => {
      isOver = true;
    };
  });
  useSignalEffect(() => {
    void theme.value;
    applyTheme(drawing.current!);
    showValues(drawing.current!, values.value ?? []);
  });
  return (
    <section class="panel value-chart" aria-labelledby="value-title">
      <header>
        <h2 id="value-title">Portfolio value</h2>
        <Change values={values.value} />
        <Choices
          legend="Time range"
          ids={Object.keys(RANGES) as Range[]}
          chosen={range.value}
          onChoose={(id) => {
            range.value = id;
          }}
        />
      </header>
      <div class="value-canvas" ref={box} aria-hidden="true" />
      {values.value?.length === 0 ? (
        <p class="value-note">No history yet. Your portfolio value appears here hour by hour.</p>
      ) : null}
      <ChartCredit>Times are UTC. </ChartCredit>
      <ValueTable values={values.value ?? []} />
    </section>
  );
}

function createDrawing(box: HTMLElement): Drawing {
  const chart = createChart(box, {
    autoSize: true,
    layout: { attributionLogo: false, fontSize: 11 },
    timeScale: { timeVisible: true, borderVisible: false },
    rightPriceScale: { borderVisible: false },
    handleScroll: false,
    handleScale: false,
  });
  const area = chart.addSeries(AreaSeries, {
    lineWidth: 2,
    priceLineVisible: false,
    autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => {
      const info = own();
      return info?.priceRange ? { ...info, priceRange: widenRange(info.priceRange) } : info;
    },
  });
  return { chart, area };
}

function applyTheme({ chart, area }: Drawing): void {
  const line = themeColor('accent');
  chart.applyOptions({
    layout: {
      background: { type: ColorType.Solid, color: themeColor('panel') },
      textColor: themeColor('muted'),
    },
    grid: { vertLines: { visible: false }, horzLines: { color: themeColor('line') } },
  });
  area.applyOptions({
    lineColor: line,
    topColor: faded(line, 0.28),
    bottomColor: faded(line, 0.02),
    priceFormat: { type: 'custom', formatter: formatAxis },
  });
}

function showValues({ chart, area }: Drawing, values: readonly ValuePoint[]): void {
  area.setData(
    values.map(({ timestamp, value }) => ({
      time: (Date.parse(timestamp) / 1000) as UTCTimestamp,
      value,
    })),
  );
  chart.timeScale().fitContent();
}

function ValueTable({ values }: { values: readonly ValuePoint[] }) {
  return (
    <table class="visually-hidden">
      <caption>
        Value in {shownQuote.value} over {RANGES[range.value].title}
      </caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {sample(values).map(({ timestamp, value }) => (
          <tr key={timestamp}>
            <td>{dateTime(timestamp)}</td>
            <td>{fixed(value.toFixed(8), valueDecimals.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Change({ values }: { values: readonly ValuePoint[] | undefined }) {
  const [first, last] = [values?.[0], values?.at(-1)];
  if (first === undefined || last === undefined || first.value === 0) return <p class="muted">–</p>;
  const change = (((last.value - first.value) / first.value) * 100).toFixed(4);
  const tone = changeTone(change);
  return (
    <p class={tone}>
      {ARROWS[tone]}
      {percent(change)}
    </p>
  );
}

/** Drops the points before the first positive value. */
function sinceFirst(values: readonly ValuePoint[]): readonly ValuePoint[] {
  const first = values.findIndex(({ value }) => value > 0);
  return first < 0 ? [] : values.slice(first);
}

/** Returns about TABLE_ROWS points, the last one included. */
function sample(values: readonly ValuePoint[]): ValuePoint[] {
  const every = Math.max(1, Math.ceil(values.length / TABLE_ROWS));
  return values.filter((_, index) => (values.length - 1 - index) % every === 0);
}
