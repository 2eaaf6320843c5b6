import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { themeColor } from '../../../components/theme.tsx';
import type { ChartLayer, PriceChart } from '../price-chart.ts';
import { tool } from '../settings.ts';
import { drawShape } from './draw-shape.ts';
import {
  countPoints,
  distanceTo,
  drawings,
  fibonacciPrices,
  type Point,
  type Position,
  type Shape,
} from './shapes.ts';

/** Distance in pixels within which a drawing is grabbed. */
const GRAB_PX = 7;
/** Movement in pixels after which releasing the pointer sets the second point. */
const DRAG_PX = 6;

/** The change that a moving pointer makes: of a point of the selected shape, or of all of it. */
interface Move {
  readonly from: Point;
  readonly shape: Shape;
  readonly point: number | undefined;
}

/** The drawings on the chart of a market, and how users make and change them. */
export class DrawingLayer implements ChartLayer, ISeriesPrimitive<Time> {
  private selected: number | undefined;
  /** The shape whose second point follows the pointer, and the position of its first. */
  private draft: { readonly shape: Shape; readonly start: Position } | undefined;
  private move: Move | undefined;
  /** The last measurement, which is not kept. */
  private measured: Shape | undefined;
  private requestUpdate = () => {};
  private colors = { line: '', text: '', panel: '', up: '', down: '' };

  constructor(
    private readonly chart: PriceChart,
    private readonly readSymbol: () => string,
    private readonly formatPrice: (price: number) => string,
  ) {
    chart.series.attachPrimitive(this);
    this.useTheme();
  }

  attached({ requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.requestUpdate = requestUpdate;
  }

  useTheme(): void {
    const [line, text, panel, up, down] = ['accent', 'text', 'panel', 'buy', 'sell'].map(
      themeColor,
    );
    this.colors = { line: line!, text: text!, panel: panel!, up: up!, down: down! };
    this.requestUpdate();
  }

  onBars(): void {
    this.requestUpdate();
  }

  onBar(): void {
    this.requestUpdate();
  }

  onSeriesReplaced(): void {
    this.chart.series.attachPrimitive(this);
  }

  /** Handles a pressed pointer. Returns whether the chart must not scroll. */
  press(at: Position): boolean {
    this.measured = undefined;
    const active = tool.peek();
    if (this.draft !== undefined) {
      this.finish(at);
      return true;
    }
    if (active !== undefined) {
      this.begin(active, at);
      return true;
    }
    return this.grab(at);
  }

  /** Follows the pointer. Returns whether it is over a drawing. */
  follow(at: Position): boolean {
    if (this.draft !== undefined) {
      const [first] = this.draft.shape.points;
      this.draft = {
        ...this.draft,
        shape: { ...this.draft.shape, points: [first!, this.toPoint(at)] },
      };
      this.requestUpdate();
      return true;
    }
    if (this.move === undefined) return this.find(at) !== undefined;
    this.replaceSelected(moved(this.move, this.toPoint(at)));
    return true;
  }

  /** Handles a released pointer. */
  release(at: Position): void {
    this.move = undefined;
    if (this.draft === undefined) return;
    const { start } = this.draft;
    if (Math.hypot(at.x - start.x, at.y - start.y) > DRAG_PX) this.finish(at);
  }

  /** Handles a key. Returns whether it had a meaning. */
  key(key: string): boolean {
    if (key === 'Escape') return this.cancel();
    const shape = this.selected === undefined ? undefined : this.shapes[this.selected];
    if (shape === undefined) return false;
    if (key === 'Delete' || key === 'Backspace') {
      this.store(this.shapes.filter((_, index) => index !== this.selected));
      this.selected = undefined;
      return true;
    }
    const direction = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -8],
      ArrowDown: [0, 8],
    }[key];
    if (direction === undefined) return false;
    const from = shape.points[0]!;
    const at = this.toPosition(from);
    const time = this.timeAt(this.logicalAt(from.time) + direction[0]!);
    const price = this.toPoint({ x: at.x, y: at.y + direction[1]! }).price;
    this.replaceSelected(moved({ from, shape, point: undefined }, { time, price }));
    return true;
  }

  /** Draws a shape in the middle of the chart, for users of the keyboard. */
  addInMiddle(): void {
    const active = tool.peek();
    const range = this.chart.chart.timeScale().getVisibleLogicalRange();
    if (active === undefined || range === null) return;
    const middle = this.chart.series.getPane().getHeight() / 2;
    const width = range.to - range.from;
    const points = [0.35, 0.65].map((share, index) => ({
      time: this.timeAt(Math.round(range.from + share * width)),
      price: this.toPoint({ x: 0, y: middle + (index === 0 ? 30 : -30) }).price,
    }));
    this.complete({ tool: active, points: points.slice(0, countPoints(active)) });
  }

  clear(): void {
    this.store([]);
    this.selected = undefined;
    this.measured = undefined;
  }

  paneViews() {
    return [{ zOrder: () => 'top' as const, renderer: () => this.renderer }];
  }

  private readonly renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        const extra = [this.draft?.shape, this.measured].filter((each) => each !== undefined);
        for (const [index, shape] of [...this.shapes, ...extra].entries()) {
          drawShape(context, {
            shape,
            at: shape.points.map((point) => this.toPosition(point)),
            size: mediaSize,
            isSelected: index === this.selected,
            colors: this.colors,
            formatPrice: this.formatPrice,
            heightAt: (price) => this.heightAt(price),
            countBars: (from, to) => Math.round(this.logicalAt(to) - this.logicalAt(from)),
          });
        }
      }),
  };

  private get shapes(): readonly Shape[] {
    return drawings.peek()[this.readSymbol()] ?? [];
  }

  private store(shapes: readonly Shape[]): void {
    drawings.value = { ...drawings.peek(), [this.readSymbol()]: shapes };
    this.requestUpdate();
  }

  private replaceSelected(shape: Shape): void {
    this.store(this.shapes.map((each, index) => (index === this.selected ? shape : each)));
  }

  private begin(active: Shape['tool'], at: Position): void {
    const point = this.toPoint(at);
    if (countPoints(active) === 1) this.complete({ tool: active, points: [point] });
    else this.draft = { shape: { tool: active, points: [point, point] }, start: at };
    this.requestUpdate();
  }

  private finish(at: Position): void {
    const { shape } = this.draft!;
    this.draft = undefined;
    this.complete({ ...shape, points: [shape.points[0]!, this.toPoint(at)] });
  }

  private complete(shape: Shape): void {
    tool.value = undefined;
    if (shape.tool === 'measure') {
      this.measured = shape;
      this.selected = undefined;
      this.requestUpdate();
      return;
    }
    this.selected = this.shapes.length;
    this.store([...this.shapes, shape]);
  }

  private grab(at: Position): boolean {
    this.selected = this.find(at);
    this.requestUpdate();
    if (this.selected === undefined) return false;
    const shape = this.shapes[this.selected]!;
    const point = shape.points.findIndex((each) => {
      const { x, y } = this.toPosition(each);
      return Math.hypot(x - at.x, y - at.y) <= GRAB_PX;
    });
    this.move = { from: this.toPoint(at), shape, point: point < 0 ? undefined : point };
    return true;
  }

  private cancel(): boolean {
    const had = this.draft ?? this.measured ?? this.selected ?? tool.peek();
    this.draft = undefined;
    this.measured = undefined;
    this.selected = undefined;
    tool.value = undefined;
    this.requestUpdate();
    return had !== undefined;
  }

  /** Returns the index of the topmost shape at a position. */
  private find(at: Position): number | undefined {
    const index = this.shapes.findLastIndex((shape) => this.isNear(shape, at));
    return index < 0 ? undefined : index;
  }

  private isNear(shape: Shape, at: Position): boolean {
    const [a, b] = shape.points.map((point) => this.toPosition(point)) as [Position, Position];
    switch (shape.tool) {
      case 'horizontal':
        return Math.abs(a.y - at.y) <= GRAB_PX;
      case 'fibonacci': {
        const isBetween =
          at.x >= Math.min(a.x, b.x) - GRAB_PX && at.x <= Math.max(a.x, b.x) + GRAB_PX;
        const levels = fibonacciPrices(shape.points).map(([, price]) => this.heightAt(price));
        return isBetween && levels.some((y) => Math.abs(y - at.y) <= GRAB_PX);
      }
      default:
        return distanceTo(at, a, b, shape.tool === 'ray') <= GRAB_PX;
    }
  }

  private toPoint({ x, y }: Position): Point {
    const logical = this.chart.chart.timeScale().coordinateToLogical(x) ?? 0;
    return { time: this.timeAt(logical), price: this.chart.series.coordinateToPrice(y) ?? 0 };
  }

  private toPosition({ time, price }: Point): Position {
    const logical = this.logicalAt(time) as Logical;
    return {
      x: this.chart.chart.timeScale().logicalToCoordinate(logical) ?? 0,
      y: this.heightAt(price),
    };
  }

  private heightAt(price: number): number {
    return this.chart.series.priceToCoordinate(price) ?? -1;
  }

  /** Returns the position of a time among the candles, also before the first and after the last one. */
  private logicalAt(time: number): number {
    const { bars } = this.chart;
    const step = this.step;
    const first = bars[0]?.time ?? 0;
    if (time < first) return (time - first) / step;
    const index = bars.findLastIndex((bar) => bar.time <= time);
    const until = bars[index + 1]?.time ?? (bars[index]?.time ?? 0) + step;
    const from = bars[index]?.time ?? 0;
    const isAfter = index === bars.length - 1;
    return index + (time - from) / (isAfter ? step : until - from);
  }

  private timeAt(logical: number): number {
    const { bars } = this.chart;
    const last = bars.length - 1;
    if (logical < 0) return (bars[0]?.time ?? 0) + logical * this.step;
    if (logical > last) return (bars[last]?.time ?? 0) + (logical - last) * this.step;
    return bars[Math.round(logical)]!.time;
  }

  /** The time between the last two candles, in seconds. */
  private get step(): number {
    const { bars } = this.chart;
    const [before, last] = [bars.at(-2), bars.at(-1)];
    return before === undefined || last === undefined ? 60 : last.time - before.time;
  }
}

/** Returns the shape after its point, or all of it, has moved as far as the pointer. */
function moved({ from, shape, point }: Move, to: Point): Shape {
  return {
    ...shape,
    points: shape.points.map((each, index) =>
      point === undefined || point === index
        ? { time: each.time + to.time - from.time, price: each.price + to.price - from.price }
        : each,
    ),
  };
}
