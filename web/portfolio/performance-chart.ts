import {
  AreaSeries,
  type AutoscaleInfo,
  BaselineSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { canvasFamily } from '../components/canvas-font.ts';
import { faded, themeColor } from '../components/theme.tsx';
import { formatTime } from '../format.ts';
import type { ChartPoint } from './performance.ts';
import { formatTicks, widenRange } from './value-axis.ts';

/** Contents of the chart: the value of the portfolio, or gains since the beginning of the range. */
export const CHART_KINDS = ['value', 'gains'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** Formats of the marks of the time axis, by TickMarkType: years, months, days, times, and times with seconds. */
const MARKS: readonly Intl.DateTimeFormatOptions[] = [
  { year: 'numeric' },
  { month: 'short' },
  { day: 'numeric', month: 'short' },
  { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
];

/** The canvas of the portfolio's value and gains. Doubles are only for pixels. */
export class PerformanceChart {
  private readonly chart: IChartApi;
  private readonly value: ISeriesApi<'Area'>;
  private readonly gain: ISeriesApi<'Baseline'>;
  private readonly realized: ISeriesApi<'Line'>;
  private readonly flows: ISeriesMarkersPluginApi<Time>;
  private readonly gainFlows: ISeriesMarkersPluginApi<Time>;
  private points: readonly ChartPoint[] = [];
  private longestTick = '';

  /** @param onHover Called with the index of the point under the pointer; undefined once it has left. */
  constructor(box: HTMLElement, onHover: (index: number | undefined) => void) {
    this.chart = createChart(box, {
      autoSize: true,
      layout: { attributionLogo: false, fontSize: 11 },
      timeScale: {
        timeVisible: true,
        borderVisible: false,
        fixLeftEdge: true,
        fixRightEdge: true,
        rightOffset: 0,
        tickMarkFormatter: (time: Time, type: number) =>
          formatTime(new Date((time as number) * 1000), MARKS[type]!),
      },
      // The legend shows the point under the pointer.
      crosshair: {
        horzLine: { visible: false, labelVisible: false },
        vertLine: { labelVisible: false },
      },
      rightPriceScale: {
        borderVisible: false,
        entireTextOnly: true,
        scaleMargins: { top: 0.14, bottom: 0.08 },
      },
      handleScroll: false,
      handleScale: false,
    });
    // A tag of the last value would cover labels of the axis; the legend shows it.
    const common = { lineWidth: 2, priceLineVisible: false, lastValueVisible: false } as const;
    this.value = this.chart.addSeries(AreaSeries, {
      ...common,
      autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => {
        const info = own();
        return info?.priceRange ? { ...info, priceRange: widenRange(info.priceRange) } : info;
      },
    });
    this.gain = this.chart.addSeries(BaselineSeries, { ...common, visible: false });
    this.realized = this.chart.addSeries(LineSeries, { ...common, lineStyle: 2, visible: false });
    this.flows = createSeriesMarkers<Time>(this.value, []);
    this.gainFlows = createSeriesMarkers<Time>(this.gain, []);
    this.chart.subscribeCrosshairMove(({ time }) => {
      const index = this.points.findIndex((point) => toTime(point) === time);
      onHover(index < 0 ? undefined : index);
    });
    const time = this.chart.timeScale();
    time.subscribeSizeChange(() => time.fitContent());
  }

  remove(): void {
    this.chart.remove();
  }

  show(points: readonly ChartPoint[], kind: ChartKind): void {
    this.points = points;
    const values = (pick: (point: ChartPoint) => number) =>
      points.map((point) => ({ time: toTime(point), value: pick(point) }));
    const isValue = kind === 'value';
    this.value.applyOptions({ visible: isValue });
    this.gain.applyOptions({ visible: !isValue });
    this.realized.applyOptions({ visible: !isValue });
    this.value.setData(isValue ? values(({ value }) => value.toNumber()) : []);
    this.gain.setData(isValue ? [] : values(({ gain }) => gain.toNumber()));
    this.realized.setData(isValue ? [] : values(({ realized }) => realized.toNumber()));
    this.flows.setMarkers(isValue ? markers(points) : []);
    this.gainFlows.setMarkers(isValue ? [] : markers(points));
    this.chart.timeScale().fitContent();
  }

  /** Shows or hides the values of the axis. */
  showAxis(isShown: boolean): void {
    this.chart.applyOptions({ rightPriceScale: { visible: isShown } });
  }

  /** Takes the colors of the theme. */
  useTheme(): void {
    const [accent, buy, sell] = [themeColor('accent'), themeColor('buy'), themeColor('sell')];
    const priceFormat = {
      type: 'custom',
      // The chart measures the width of the axis by the labels at its ends, and by this text.
      formatter: () => this.longestTick,
      tickmarksFormatter: (values: readonly number[]) => this.formatTicks(values),
      minMove: 1e-8,
    } as const;
    this.chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: themeColor('panel') },
        textColor: themeColor('muted'),
        fontFamily: canvasFamily(),
      },
      grid: { vertLines: { visible: false }, horzLines: { color: themeColor('line') } },
    });
    this.value.applyOptions({
      lineColor: accent,
      topColor: faded(accent, 0.28),
      bottomColor: faded(accent, 0.02),
      priceFormat,
    });
    this.gain.applyOptions({
      baseValue: { type: 'price', price: 0 },
      topLineColor: buy,
      topFillColor1: faded(buy, 0.28),
      topFillColor2: faded(buy, 0.02),
      bottomLineColor: sell,
      bottomFillColor1: faded(sell, 0.02),
      bottomFillColor2: faded(sell, 0.28),
      priceFormat,
    });
    this.realized.applyOptions({ color: accent, priceFormat });
  }

  private formatTicks(values: readonly number[]): string[] {
    const labels = formatTicks(values);
    this.longestTick = labels.toSorted((a, b) => b.length - a.length)[0] ?? '';
    return labels;
  }
}

function toTime({ time }: ChartPoint): UTCTimestamp {
  return Math.floor(time / 1000) as UTCTimestamp;
}

/** Size of the arrows, as a part of the usual one: they mark the curve, and do not hide it. */
const ARROW_SIZE = 0.6;

/** Returns the arrows of points with flows: deposits point up above the curve, withdrawals down below it. */
function markers(points: readonly ChartPoint[]): SeriesMarker<Time>[] {
  const common = { color: themeColor('warn'), size: ARROW_SIZE };
  const above = { ...common, position: 'aboveBar', shape: 'arrowUp' } as const;
  const below = { ...common, position: 'belowBar', shape: 'arrowDown' } as const;
  return points.flatMap((point): SeriesMarker<Time>[] => {
    const time = toTime(point);
    return [
      ...(point.withdrawn === undefined ? [] : [{ ...below, time }]),
      ...(point.deposited === undefined ? [] : [{ ...above, time }]),
    ];
  });
}
