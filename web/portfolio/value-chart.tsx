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

const IN_TABLE = 12;

/** What the account was worth, with a table behind the canvas. */
export function ValueChart() {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<{ chart: IChartApi; area: ISeriesApi<'Area'> }>(undefined);
  const values = useSignal<readonly ValuePoint[] | undefined>(undefined);

  useEffect(() => {
    const chart = createChart(box.current!, {
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
    drawing.current = { chart, area };
    return () => chart.remove();
  }, []);
  useSignalEffect(() => {
    const [of, inQuote] = [range.value, shownQuote.value];
    if (balances.value === undefined || inQuote === '') return;
    let isOver = false;
    loadValues(of, inQuote)
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
    const { chart, area } = drawing.current!;
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
    area.setData(
      (values.value ?? []).map(({ timestamp, value }) => ({
        time: (Date.parse(timestamp) / 1000) as UTCTimestamp,
        value,
      })),
    );
    chart.timeScale().fitContent();
  });

  const shown = values.value;
  return (
    <section class="panel value-chart" aria-labelledby="value-title">
      <header>
        <h2 id="value-title">Value over time</h2>
        <Change values={shown} />
        <Choices
          legend="How far back"
          ids={Object.keys(RANGES) as Range[]}
          chosen={range.value}
          onChoose={(id) => {
            range.value = id;
          }}
        />
      </header>
      <div class="value-canvas" ref={box} aria-hidden="true" />
      {shown?.length === 0 ? (
        <p class="value-note">There was nothing yet. What you own is drawn here, hour by hour.</p>
      ) : null}
      <ChartCredit>Times are UTC. </ChartCredit>
      <table class="visually-hidden">
        <caption>
          Value in {shownQuote.value} over {RANGES[range.value].title}
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {sampled(shown ?? []).map(({ timestamp, value }) => (
            <tr key={timestamp}>
              <td>{dateTime(timestamp)}</td>
              <td>{fixed(value.toFixed(8), valueDecimals.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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

/** From when there was something: before that there is nothing to see. */
function sinceFirst(values: readonly ValuePoint[]): readonly ValuePoint[] {
  const first = values.findIndex(({ value }) => value > 0);
  return first < 0 ? [] : values.slice(first);
}

/** A dozen of them, the last one included. */
function sampled(values: readonly ValuePoint[]): ValuePoint[] {
  const every = Math.max(1, Math.ceil(values.length / IN_TABLE));
  return values.filter((_, index) => (values.length - 1 - index) % every === 0);
}
