import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type SeriesType,
  type Time,
} from 'lightweight-charts';
import { canvasFamily, canvasFont } from '../../components/canvas-font.ts';
import { faded, themeColor } from '../../components/theme.tsx';
import { grouped } from '../../format.ts';
import { type Bar, type ExactCandle, heikinAshi, toBar } from './bars.ts';
import { ChartTime } from './chart-time.ts';
import { type ChartOrder, OrderLines } from './order-lines.ts';
import type { ChartType, Interval } from './settings.ts';

/** A fill that the chart marks. */
export interface ChartFill {
  readonly side: 'buy' | 'sell';
  /** Seconds since 1970. */
  readonly time: number;
}

/** A part of the chart that is drawn from its candles, such as indicators. */
export interface ChartLayer {
  useTheme(): void;
  /** Called after any change of the candles but that of the last one. */
  onBars(): void;
  /** @param isNew Whether the last candle follows the one that was the last before. */
  onBar(isNew: boolean): void;
  /** Called when another series shows the prices: primitives must be attached to it. */
  onSeriesReplaced(): void;
}

/** Share of the chart height for volume bars. */
const VOLUME_SHARE = 0.18;
/** Older candles are loaded when fewer than this many remain to the left. */
const PREFETCH_CANDLES = 20;

export interface ChartEvents {
  /** Called with the index of the candle under the pointer. */
  readonly onHover: (index: number | undefined) => void;
  /** Called when older candles should be loaded and passed to `prepend`. */
  readonly onNeedOlder: (before: ExactCandle) => void;
}

/** Price chart with volume. Prices become doubles here, because they become pixels. */
export class PriceChart {
  readonly chart: IChartApi;
  readonly orders = new OrderLines(canvasFont);
  private price: ISeriesApi<SeriesType>;
  private readonly volumes: ISeriesApi<'Histogram'>;
  private markers: ISeriesMarkersPluginApi<Time>;
  private fills: readonly ChartFill[] = [];
  private shown: ExactCandle[] = [];
  /** The shown candles as doubles. */
  bars: Bar[] = [];
  /** The bars that the price series draws: the shown ones, or Heikin-Ashi bars. */
  private drawn: Bar[] = [];
  time = new ChartTime('15m');
  private type: ChartType = 'candles';
  private decimals = 2;
  private colors = { buy: '', sell: '', panel: '', accent: '' };
  private layers = new Set<ChartLayer>();

  constructor(box: HTMLElement, events: ChartEvents) {
    this.chart = createChart(box, {
      autoSize: true,
      // The logo injects a style sheet, which the content security policy forbids; ChartCredit shows the notice.
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      timeScale: {
        timeVisible: true,
        rightOffset: 4,
        borderVisible: false,
        tickMarkFormatter: (time: Time, mark: number) => this.time.formatMark(time, mark),
      },
      localization: { timeFormatter: (time: Time) => this.time.formatCrosshair(time) },
      rightPriceScale: { borderVisible: false },
    });
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.volumes.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_SHARE, bottom: 0 } });
    [this.price, this.markers] = this.addPriceSeries();
    this.chart.subscribeCrosshairMove(({ logical }) => {
      events.onHover(logical === undefined ? undefined : (logical as number));
    });
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      const first = this.shown[0];
      if (range !== null && first !== undefined && range.from < PREFETCH_CANDLES)
        events.onNeedOlder(first);
    });
    this.useTheme();
  }

  candleAt(index: number): ExactCandle | undefined {
    return this.shown[index];
  }

  get series(): ISeriesApi<SeriesType> {
    return this.price;
  }

  /** Width of the price axis in pixels. */
  get axisWidth(): number {
    return this.chart.priceScale('right').width();
  }

  /** Applies the colors of the current theme, and the font. */
  useTheme(): void {
    const line = themeColor('line');
    const [buy, sell, panel, accent] = ['buy', 'sell', 'panel', 'accent'].map(themeColor);
    this.colors = { buy: buy!, sell: sell!, panel: panel!, accent: accent! };
    this.chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: this.colors.panel },
        textColor: themeColor('muted'),
        fontFamily: canvasFamily(),
        panes: { separatorColor: line, separatorHoverColor: line },
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
    });
    this.colorPrice();
    this.draw();
    for (const layer of this.layers) layer.useTheme();
  }

  usePriceFormat(decimals: number): void {
    this.decimals = decimals;
    const formatter = (price: number) => grouped(price.toFixed(decimals));
    const priceFormat = { type: 'custom', formatter, minMove: 10 ** -decimals } as const;
    this.price.applyOptions({ priceFormat });
  }

  /** Changes how prices are drawn. */
  useType(type: ChartType): void {
    if (type === this.type) return;
    this.type = type;
    this.price.detachPrimitive(this.orders);
    this.markers.detach();
    this.chart.removeSeries(this.price);
    [this.price, this.markers] = this.addPriceSeries();
    this.colorPrice();
    this.usePriceFormat(this.decimals);
    this.draw();
    for (const layer of this.layers) layer.onSeriesReplaced();
  }

  /** Changes the time axis, for candles of another interval or another time zone. */
  useTime(interval: Interval): void {
    this.time = new ChartTime(interval);
    this.draw();
  }

  /** Replaces all candles, oldest first. */
  show(candles: readonly ExactCandle[]): void {
    this.shown = [...candles];
    this.draw();
    this.chart.timeScale().resetTimeScale();
  }

  /** Adds candles missed while disconnected; replaces all if they do not connect to the shown ones. */
  backfill(candles: readonly ExactCandle[]): void {
    const [last, first] = [this.shown.at(-1), candles[0]];
    if (first === undefined) return;
    if (last === undefined || last.timestamp < first.timestamp) {
      this.show(candles);
      return;
    }
    const before = this.shown.filter(({ timestamp }) => timestamp < first.timestamp);
    this.shown = [...before, ...candles];
    this.draw();
  }

  /** @param before Expected first candle; ignored if it has changed in the meantime. */
  prepend(older: readonly ExactCandle[], before: string): void {
    if (this.shown[0]?.timestamp !== before) return;
    this.shown = [...older, ...this.shown];
    this.draw();
  }

  /** Updates the last candle, or appends the next one. */
  update(candle: ExactCandle): void {
    const last = this.shown.at(-1);
    if (last !== undefined && candle.timestamp < last.timestamp) return;
    const isNew = last?.timestamp !== candle.timestamp;
    if (!isNew) for (const list of [this.shown, this.bars, this.drawn]) list.pop();
    const bar = toBar(candle);
    this.shown.push(candle);
    this.bars.push(bar);
    this.drawn.push(this.toDrawn(bar, this.drawn.at(-1)));
    this.price.update(this.pricePoint(this.drawn.at(-1)!));
    this.volumes.update(this.volumePoint(bar));
    for (const layer of this.layers) layer.onBar(isNew);
  }

  /** Draws a line at the price of each open order. */
  markOrders(orders: readonly ChartOrder[], canCancel: boolean): void {
    this.orders.use(orders, this.colors, this.decimals, canCancel);
  }

  /** Draws an arrow at the candle of each fill, below it for a buy and above it for a sell. */
  markFills(fills: readonly ChartFill[]): void {
    this.fills = fills;
    const first = this.bars[0]?.time ?? Number.POSITIVE_INFINITY;
    const known = fills.filter(({ time }) => time >= first);
    this.markers.setMarkers(
      known.map(({ side, time }) => ({
        time: this.time.toAxis(this.barStart(time)),
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: this.colors[side],
        size: 1,
      })),
    );
  }

  addLayer(layer: ChartLayer): void {
    this.layers.add(layer);
    layer.onBars();
  }

  removeLayer(layer: ChartLayer): void {
    this.layers.delete(layer);
  }

  remove(): void {
    this.chart.remove();
  }

  private addPriceSeries(): [ISeriesApi<SeriesType>, ISeriesMarkersPluginApi<Time>] {
    const series = this.createSeries();
    series.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
    series.attachPrimitive(this.orders);
    return [series, createSeriesMarkers(series, [])];
  }

  private createSeries(): ISeriesApi<SeriesType> {
    switch (this.type) {
      case 'bars':
        return this.chart.addSeries(BarSeries, { thinBars: false });
      case 'line':
        return this.chart.addSeries(LineSeries, { lineWidth: 2 });
      case 'area':
        return this.chart.addSeries(AreaSeries, { lineWidth: 2 });
      default:
        return this.chart.addSeries(CandlestickSeries, { borderVisible: this.type === 'hollow' });
    }
  }

  private colorPrice(): void {
    const { buy, sell, accent } = this.colors;
    this.price.applyOptions(
      this.type === 'line'
        ? { color: accent }
        : this.type === 'area'
          ? { lineColor: accent, topColor: faded(accent, 0.28), bottomColor: faded(accent, 0) }
          : {
              upColor: this.type === 'hollow' ? faded(buy, 0.15) : buy,
              downColor: sell,
              borderUpColor: buy,
              borderDownColor: sell,
              wickUpColor: buy,
              wickDownColor: sell,
            },
    );
  }

  private draw(): void {
    this.bars = this.shown.map(toBar);
    this.drawn = [];
    for (const bar of this.bars) this.drawn.push(this.toDrawn(bar, this.drawn.at(-1)));
    this.price.setData(this.drawn.map((bar) => this.pricePoint(bar)));
    this.volumes.setData(this.bars.map((bar) => this.volumePoint(bar)));
    this.markFills(this.fills);
    for (const layer of this.layers) layer.onBars();
  }

  private toDrawn(bar: Bar, previous: Bar | undefined): Bar {
    return this.type === 'heikinAshi' ? heikinAshi(bar, previous) : bar;
  }

  private pricePoint({ time, open, high, low, close }: Bar) {
    const axis = this.time.toAxis(time);
    return this.type === 'line' || this.type === 'area'
      ? { time: axis, value: close }
      : { time: axis, open, high, low, close };
  }

  private volumePoint({ time, open, close, volume }: Bar) {
    const color = faded(close >= open ? this.colors.buy : this.colors.sell);
    return { time: this.time.toAxis(time), value: volume, color };
  }

  /** Returns the start of the candle that contains a time. */
  private barStart(time: number): number {
    const index = this.bars.findLastIndex((bar) => bar.time <= time);
    return this.bars[Math.max(index, 0)]!.time;
  }
}
