import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '../../src/client/index.ts';
import { faded, themeColor } from '../components/theme.tsx';
import { grouped } from '../format.ts';

export type ExactCandle = Candle<string>;
export interface ChartOrder {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly title: string;
}

/** Share of the chart height for volume bars. */
const VOLUME_SHARE = 0.18;
/** Older candles are loaded when fewer than this many remain to the left. */
const PREFETCH_CANDLES = 20;

/** Candlestick chart with volume. Prices become doubles here, because they become pixels. */
export class PriceChart {
  private readonly chart: IChartApi;
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly volumes: ISeriesApi<'Histogram'>;
  private lines: IPriceLine[] = [];
  private shown: ExactCandle[] = [];
  private up = '';
  private down = '';

  /**
   * @param onHover Called with the candle under the pointer.
   * @param onNeedOlder Called when older candles should be loaded and passed to `prepend`.
   */
  constructor(
    box: HTMLElement,
    onHover: (candle: ExactCandle | undefined) => void,
    onNeedOlder: (before: ExactCandle) => void,
  ) {
    this.chart = createChart(box, {
      autoSize: true,
      // The logo injects a style sheet, which the content security policy forbids; ChartCredit shows the notice.
      layout: { attributionLogo: false, fontSize: 11 },
      crosshair: { mode: CrosshairMode.Normal },
      timeScale: { timeVisible: true, rightOffset: 4, borderVisible: false },
      rightPriceScale: { borderVisible: false },
    });
    this.candles = this.chart.addSeries(CandlestickSeries, { borderVisible: false });
    this.candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.volumes.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_SHARE, bottom: 0 } });
    this.chart.subscribeCrosshairMove(({ logical }) => {
      onHover(logical === undefined ? undefined : this.shown[logical]);
    });
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      const first = this.shown[0];
      if (range !== null && first !== undefined && range.from < PREFETCH_CANDLES)
        onNeedOlder(first);
    });
    this.useTheme();
  }

  /** Applies the colors of the current theme. */
  useTheme(): void {
    const line = themeColor('line');
    this.up = themeColor('buy');
    this.down = themeColor('sell');
    this.chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: themeColor('panel') },
        textColor: themeColor('muted'),
      },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
    });
    this.candles.applyOptions({
      upColor: this.up,
      downColor: this.down,
      wickUpColor: this.up,
      wickDownColor: this.down,
    });
    this.draw();
  }

  usePriceFormat(decimals: number): void {
    const formatter = (price: number) => grouped(price.toFixed(decimals));
    const priceFormat = { type: 'custom', formatter, minMove: 10 ** -decimals } as const;
    this.candles.applyOptions({ priceFormat });
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
    if (last?.timestamp === candle.timestamp) this.shown.pop();
    this.shown.push(candle);
    this.candles.update(candleBar(candle));
    this.volumes.update(this.volumeBar(candle));
  }

  /** Draws a line at the price of each open order. */
  markOrders(orders: readonly ChartOrder[]): void {
    for (const line of this.lines) this.candles.removePriceLine(line);
    this.lines = orders.map(({ side, price, title }) =>
      this.candles.createPriceLine({
        price: Number(price),
        title,
        color: side === 'buy' ? this.up : this.down,
        lineStyle: LineStyle.Dashed,
        lineWidth: 1,
        axisLabelVisible: true,
      }),
    );
  }

  remove(): void {
    this.chart.remove();
  }

  private draw(): void {
    this.candles.setData(this.shown.map(candleBar));
    this.volumes.setData(this.shown.map((candle) => this.volumeBar(candle)));
  }

  private volumeBar(candle: ExactCandle) {
    const isUp = Number(candle.close) >= Number(candle.open);
    const color = faded(isUp ? this.up : this.down);
    return { time: toChartTime(candle), value: Number(candle.volume), color };
  }
}

function candleBar(candle: ExactCandle) {
  const { open, high, low, close } = candle;
  return {
    time: toChartTime(candle),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
  };
}

function toChartTime({ timestamp }: ExactCandle): UTCTimestamp {
  return (Date.parse(timestamp) / 1000) as UTCTimestamp;
}
