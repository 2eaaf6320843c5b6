import type { IChartApi, ISeriesApi, Logical, SeriesType } from 'lightweight-charts';
import type { Bar } from '../bars.ts';
import { magnet } from '../settings.ts';
import { coordinateAt, logicalAt, timeAt } from './bar-times.ts';
import { snapPrice } from './magnet.ts';
import type { Point, Position } from './shapes.ts';

/** The parts of a price chart that have scales. */
interface ScaledChart {
  readonly bars: readonly Bar[];
  readonly chart: Pick<IChartApi, 'timeScale'>;
  readonly series: Pick<
    ISeriesApi<SeriesType>,
    'coordinateToPrice' | 'priceToCoordinate' | 'getPane'
  >;
}

/** Converts between the points of drawings, which are times and prices, and positions on a chart. */
export class DrawingScale {
  constructor(private readonly chart: ScaledChart) {}

  /** Returns the point at a position. */
  toPoint({ x, y }: Position): Point {
    const logical = this.chart.chart.timeScale().coordinateToLogical(x) ?? 0;
    const price = this.chart.series.coordinateToPrice(y) ?? 0;
    return { time: timeAt(this.chart.bars, logical), price };
  }

  /** Returns the point at a position, or a price of its candle while the magnet is on. */
  toSnappedPoint(at: Position): Point {
    const point = this.toPoint(at);
    const bar = this.chart.bars.findLast(({ time }) => time === point.time);
    if (magnet.peek() === 'off' || bar === undefined) return point;
    const price = snapPrice(bar, at.y, (each) => this.heightAt(each)) ?? point.price;
    return { ...point, price };
  }

  toPosition({ time, price }: Point): Position {
    const scale = this.chart.chart.timeScale();
    const x = coordinateAt(logicalAt(this.chart.bars, time), (index) =>
      scale.logicalToCoordinate(index as Logical),
    );
    return { x: x ?? 0, y: this.heightAt(price) };
  }

  heightAt(price: number): number {
    return this.chart.series.priceToCoordinate(price) ?? -1;
  }

  countBars(from: number, to: number): number {
    const { bars } = this.chart;
    return Math.round(logicalAt(bars, to) - logicalAt(bars, from));
  }

  /** Returns the time a number of candles after another. */
  shiftTime(time: number, count: number): number {
    const { bars } = this.chart;
    return timeAt(bars, logicalAt(bars, time) + count);
  }

  /** Returns the points of a new drawing in the middle of the chart; undefined for an empty chart. */
  middlePoints(): readonly [Point, Point] | undefined {
    const range = this.chart.chart.timeScale().getVisibleLogicalRange();
    if (range === null) return undefined;
    const middle = this.chart.series.getPane().getHeight() / 2;
    const point = (share: number, shiftPx: number): Point => ({
      time: timeAt(this.chart.bars, Math.round(range.from + share * (range.to - range.from))),
      price: this.toPoint({ x: 0, y: middle + shiftPx }).price,
    });
    return [point(0.35, 30), point(0.65, -30)];
  }
}
