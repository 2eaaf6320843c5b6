import {
  type AutoscaleInfo,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  PriceScaleMode,
  type SeriesType,
  type Time,
} from 'lightweight-charts';
import { canvasFamily, canvasFont } from '../../components/canvas-font.ts';
import { faded, themeColor } from '../../components/theme.tsx';
import { type Bar, type ExactCandle, heikinAshi, toBar } from './bars.ts';
import type { ChartEvents, ChartLayer } from './chart-layer.ts';
import { chartNumber } from './chart-number.ts';
import { ChartTime } from './chart-time.ts';
import { Countdown } from './countdown.ts';
import { type ChartFill, type FillMark, groupFills } from './fill-marks.ts';
import { findLegendEnd } from './legend-end.ts';
import type { ChartItem } from './own-items.ts';
import { isLow } from './own-label.ts';
import { OwnLines } from './own-lines.ts';
import { paneMargins, paneSize } from './pane-margins.ts';
import { addPriceSeries, colorOptions } from './price-series.ts';
import type { ChartType, Interval, PriceScale } from './settings.ts';
import { findCandles, fitSpacing, hasSpacing, RIGHT_OFFSET } from './visible-bars.ts';

const SCALE_MODES: Readonly<Record<PriceScale, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
};
/** Older candles are loaded when fewer than this many remain to the left. */
const PREFETCH_CANDLES = 20;

/** Price chart with volume. Prices become doubles here, because they become pixels. */
export class PriceChart {
  readonly chart: IChartApi;
  private readonly countdown = new Countdown();
  /** Prices that the axis shows as numbers. */
  private ticks: readonly number[] = [];
  readonly own = new OwnLines(
    canvasFont,
    () => this.countdown.heights(),
    () => this.ticks,
    (top, bottom) => findCandles(this.chart, this.price, this.drawn, top, bottom),
    (y) => findLegendEnd(this.box, y),
  );
  private price: ISeriesApi<SeriesType>;
  private readonly volumes: ISeriesApi<'Histogram'>;
  private markers: ISeriesMarkersPluginApi<Time>;
  /** The line and the label of the last price. */
  private lastPrice: IPriceLine;
  private fills: readonly ChartFill[] = [];
  private marks: readonly FillMark[] = [];
  private shown: ExactCandle[] = [];
  /** The shown candles as doubles. */
  bars: Bar[] = [];
  /** The bars that the price series draws: the shown ones, or Heikin-Ashi bars. */
  private drawn: Bar[] = [];
  time = new ChartTime('15m');
  private type: ChartType = 'candles';
  /** Decimals of prices. */
  decimals = 2;
  private colors = {
    ...{ buy: '', sell: '', alert: '', panel: '', accent: '' },
    ...{ buySoft: '', sellSoft: '', alertSoft: '' },
  };
  private layers = new Set<ChartLayer>();
  private readonly resizes: ResizeObserver;
  private frame = 0;
  private barSpacing = 0;

  constructor(
    private readonly box: HTMLElement,
    events: ChartEvents,
  ) {
    this.chart = createChart(box, {
      autoSize: true,
      // The logo injects a style sheet, which the content security policy forbids; ChartCredit shows the notice.
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      timeScale: {
        timeVisible: true,
        rightOffset: RIGHT_OFFSET,
        borderVisible: false,
        tickMarkFormatter: (time: Time, mark: number) => this.time.formatMark(time, mark),
      },
      localization: { timeFormatter: (time: Time) => this.time.formatCrosshair(time) },
      rightPriceScale: { borderVisible: false, entireTextOnly: true },
    });
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    [this.price, this.markers, this.lastPrice] = this.addPriceSeries();
    this.chart.subscribeCrosshairMove(({ logical }) => {
      events.onHover(logical === undefined ? undefined : (logical as number));
    });
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      const first = this.shown[0];
      if (range === null || first === undefined) return;
      if (range.from < PREFETCH_CANDLES) events.onNeedOlder(first);
      events.onPan(range.to < this.shown.length - 1);
    });
    this.resizes = new ResizeObserver(() => {
      cancelAnimationFrame(this.frame);
      // The library takes the new size in the next frame.
      this.frame = requestAnimationFrame(() => {
        this.fitMargins();
        if (hasSpacing(this.chart, this.barSpacing)) this.fitBars();
      });
    });
    this.resizes.observe(box);
    // New indicators and dragged separators change the height of the pane of prices.
    const pane = this.chart.panes()[0]!.getHTMLElement();
    if (pane !== null) this.resizes.observe(pane);
    this.useTheme();
  }

  candleAt(index: number): ExactCandle | undefined {
    return this.shown[index];
  }

  /** Returns the marks of fills at a candle. */
  fillsAt(index: number): readonly FillMark[] {
    const time = this.bars[index]?.time;
    return this.marks.filter((mark) => mark.time === time);
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
    this.colors = {
      buy: themeColor('buy'),
      sell: themeColor('sell'),
      alert: themeColor('warn'),
      panel: themeColor('panel'),
      accent: themeColor('accent'),
      buySoft: themeColor('buy-soft'),
      sellSoft: themeColor('sell-soft'),
      alertSoft: themeColor('warn-soft'),
    };
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
    const formatter = (price: number) => chartNumber(price, decimals);
    const tickmarksFormatter = (prices: readonly number[]) => {
      this.ticks = prices;
      return prices.map(formatter);
    };
    const minMove = 10 ** -decimals;
    const priceFormat = { type: 'custom', formatter, tickmarksFormatter, minMove } as const;
    this.price.applyOptions({ priceFormat });
  }

  /** Changes how prices are drawn. */
  useType(type: ChartType): void {
    if (type === this.type) return;
    this.type = type;
    this.detachPrimitives();
    this.markers.detach();
    this.chart.removeSeries(this.price);
    [this.price, this.markers, this.lastPrice] = this.addPriceSeries();
    this.colorPrice();
    this.usePriceFormat(this.decimals);
    this.draw();
    for (const layer of this.layers) layer.onSeriesReplaced();
  }

  /** Changes how the price axis is divided. */
  useScale(scale: PriceScale): void {
    // In percent, the axis shows other numbers than prices.
    this.ticks = [];
    this.chart.priceScale('right').applyOptions({ mode: SCALE_MODES[scale] });
  }

  /** Lets the price axis follow the visible prices again. */
  fitPrices(): void {
    this.chart.priceScale('right').applyOptions({ autoScale: true });
  }

  /** Changes the time axis, for candles of another interval or another time zone. */
  useTime(interval: Interval): void {
    this.time = new ChartTime(interval);
    this.countdown.interval = interval;
    this.draw();
  }

  /** Replaces all candles, oldest first. */
  show(candles: readonly ExactCandle[]): void {
    this.shown = [...candles];
    this.draw();
    this.fitBars();
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
    this.markLastPrice();
    if (isNew) this.markFills(this.fills);
    for (const layer of this.layers) layer.onBar(isNew);
  }

  /** Draws a line at the price of each open order. */
  markOwn(items: readonly ChartItem[], canRemove: boolean): void {
    this.own.use(items, this.colors, this.decimals, canRemove);
  }

  /** Draws an arrow per candle and side with fills, below it for buys and above it for sells; the legend counts them. */
  markFills(fills: readonly ChartFill[]): void {
    this.fills = fills;
    const first = this.bars[0]?.time ?? Number.POSITIVE_INFINITY;
    const known = fills.filter(({ time }) => time >= first);
    this.marks = groupFills(known, (time) => this.barStart(time));
    this.markers.setMarkers(
      this.marks.map(({ side, time }) => ({
        time: this.time.toAxis(time),
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: this.colors[side],
        size: 1,
      })),
    );
  }

  /** Scrolls to the last candle. */
  showLatest(): void {
    this.chart.timeScale().scrollToRealTime();
  }

  addLayer(layer: ChartLayer): void {
    this.layers.add(layer);
    layer.onBars();
  }

  removeLayer(layer: ChartLayer): void {
    this.layers.delete(layer);
  }

  remove(): void {
    // The library detaches no primitive of a removed chart, and the countdown would still draw.
    this.detachPrimitives();
    this.resizes.disconnect();
    cancelAnimationFrame(this.frame);
    this.chart.remove();
  }

  /** Lets the margins follow the size of the pane of prices. */
  private fitMargins(): void {
    const pane = paneSize(this.chart);
    const { prices, volumes } = paneMargins(pane);
    this.chart.priceScale('right').applyOptions({ scaleMargins: prices });
    this.volumes.priceScale().applyOptions({ scaleMargins: volumes });
    this.box.classList.toggle('low-chart', isLow(pane));
  }

  /** Shows the last candles, with the distances that a chart opens with. */
  private fitBars(): void {
    this.barSpacing = fitSpacing(this.chart, this.shown.length);
  }

  private detachPrimitives(): void {
    this.price.detachPrimitive(this.own);
    this.price.detachPrimitive(this.countdown);
  }

  private addPriceSeries(): [ISeriesApi<SeriesType>, ISeriesMarkersPluginApi<Time>, IPriceLine] {
    const series = addPriceSeries(this.chart, this.type);
    // The label of the library is the last visible price, which is an old one while the user looks at the past.
    series.applyOptions({
      lastValueVisible: false,
      priceLineVisible: false,
      autoscaleInfoProvider: (getScale: () => AutoscaleInfo | null) =>
        this.own.fitScale(getScale(), paneSize(this.chart)),
    });
    const lastPrice = series.createPriceLine({
      price: 0,
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      lineVisible: false,
      axisLabelVisible: false,
    });
    series.attachPrimitive(this.own);
    series.attachPrimitive(this.countdown);
    return [series, createSeriesMarkers(series, []), lastPrice];
  }

  private colorPrice(): void {
    this.price.applyOptions(colorOptions(this.type, this.colors));
  }

  private draw(): void {
    this.bars = this.shown.map(toBar);
    this.drawn = [];
    for (const bar of this.bars) this.drawn.push(this.toDrawn(bar, this.drawn.at(-1)));
    this.price.setData(this.drawn.map((bar) => this.pricePoint(bar)));
    this.volumes.setData(this.bars.map((bar) => this.volumePoint(bar)));
    this.markFills(this.fills);
    this.markLastPrice();
    for (const layer of this.layers) layer.onBars();
  }

  private markLastPrice(): void {
    const last = this.bars.at(-1);
    const isShown = last !== undefined;
    const { buy, sell, accent, panel } = this.colors;
    const isLine = this.type === 'line' || this.type === 'area';
    const color = isLine ? accent : isShown && last.close < last.open ? sell : buy;
    this.countdown.use(last, { color, text: panel });
    this.lastPrice.applyOptions({
      price: last?.close ?? 0,
      color,
      axisLabelTextColor: panel,
      lineVisible: isShown,
      axisLabelVisible: isShown,
    });
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
