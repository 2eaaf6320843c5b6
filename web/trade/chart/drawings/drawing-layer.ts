import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { themeColor } from '../../../components/theme.tsx';
import type { ChartLayer } from '../chart-layer.ts';
import type { PriceChart } from '../price-chart.ts';
import { tool } from '../settings.ts';
import { drawShape } from './draw-shape.ts';
import { changeDrawings, lastChanged, readShapes, undo } from './drawing-history.ts';
import { DrawingScale } from './drawing-scale.ts';
import { findShape } from './find-shape.ts';
import { SelectedDrawing } from './selected-drawing.ts';
import { COLORS, countPoints, type Position, type Shape } from './shapes.ts';

/** Movement in pixels after which releasing the pointer sets the second point. */
const DRAG_PX = 6;

/** The drawings on the chart of a market, and how users make and change them. */
export class DrawingLayer implements ChartLayer, ISeriesPrimitive<Time> {
  readonly selected: SelectedDrawing;
  /** The shape whose second point follows the pointer, and the position of its first. */
  private draft: { readonly shape: Shape; readonly start: Position } | undefined;
  /** The last measurement, which is not kept. */
  private measured: Shape | undefined;
  private requestUpdate = () => {};
  private colors = { line: '', tones: [] as string[], text: '', panel: '', up: '', down: '' };
  private readonly scale: DrawingScale;

  constructor(
    private readonly chart: PriceChart,
    private readonly readSymbol: () => string,
    private readonly formatPrice: (price: number) => string,
  ) {
    this.scale = new DrawingScale(chart);
    this.selected = new SelectedDrawing(this.scale, readSymbol);
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
    const tones = COLORS.map((each) => themeColor(`tone-${each}`));
    this.colors = { line: line!, tones, text: text!, panel: panel!, up: up!, down: down! };
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

  /** Draws again after the drawings changed. */
  refresh(): void {
    this.selected.refresh();
    this.requestUpdate();
  }

  /** Handles a pressed pointer. Returns whether the chart must not scroll. */
  press(at: Position): boolean {
    this.measured = undefined;
    this.requestUpdate();
    const active = tool.peek();
    if (this.draft !== undefined) {
      this.finish(at);
      return true;
    }
    if (active !== undefined) {
      this.begin(active, at);
      return true;
    }
    return this.selected.grab(at);
  }

  /** Follows the pointer. Returns whether it is over a drawing. */
  follow(at: Position): boolean {
    if (this.draft === undefined)
      return this.selected.follow(at) || findShape(this.shapes, at, this.scale) !== undefined;
    const { shape } = this.draft;
    const points = [shape.points[0]!, this.scale.toSnappedPoint(at)];
    this.draft = { ...this.draft, shape: { ...shape, points } };
    this.requestUpdate();
    return true;
  }

  /** Handles a released pointer. */
  release(at: Position): void {
    this.selected.release();
    if (this.draft === undefined) return;
    const { start } = this.draft;
    if (Math.hypot(at.x - start.x, at.y - start.y) > DRAG_PX) this.finish(at);
  }

  /** Handles a key while the chart has the focus. Returns whether it had a meaning. */
  key(key: string): boolean {
    if (key !== 'Escape') return this.selected.key(key);
    if (this.cancelDraft()) return true;
    const had = this.measured ?? this.selected.shape;
    this.deselect();
    return had !== undefined;
  }

  /**
   * Undoes the last change of the shown market.
   * @param isFocused Whether this chart has the focus; otherwise it must show the market that was changed last
   */
  undo(isFocused: boolean): boolean {
    const symbol = this.readSymbol();
    return (isFocused || symbol === lastChanged()) && undo(symbol);
  }

  /** Ends the drawing that is being made. Returns whether there was one, or a tool for it. */
  cancelDraft(): boolean {
    const had = this.draft ?? tool.peek();
    this.draft = undefined;
    tool.value = undefined;
    this.requestUpdate();
    return had !== undefined;
  }

  /** Deselects the drawing, and removes the measurement. */
  deselect(): void {
    this.measured = undefined;
    this.selected.select(undefined);
    this.requestUpdate();
  }

  /** Draws a shape in the middle of the chart, for users of the keyboard. */
  addInMiddle(): void {
    const active = tool.peek();
    const points = this.scale.middlePoints();
    if (active === undefined || points === undefined) return;
    this.complete({ tool: active, points: points.slice(0, countPoints(active)) });
  }

  updateAllViews(): void {
    this.selected.updateBox();
  }

  paneViews() {
    return this.views;
  }

  private readonly renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        if (this.chart.bars.length === 0) return;
        const extra = [this.draft?.shape, this.measured].filter((each) => each !== undefined);
        for (const shape of [...this.shapes, ...extra]) {
          drawShape(context, {
            shape,
            at: shape.points.map((point) => this.scale.toPosition(point)),
            size: mediaSize,
            isSelected: shape === this.selected.shape,
            colors: {
              ...this.colors,
              line: this.colors.tones[shape.color ?? -1] ?? this.colors.line,
            },
            formatPrice: this.formatPrice,
            heightAt: (price) => this.scale.heightAt(price),
            countBars: (from, to) => this.scale.countBars(from, to),
          });
        }
      }),
  };
  private readonly views = [{ zOrder: () => 'top' as const, renderer: () => this.renderer }];

  private get shapes(): readonly Shape[] {
    return readShapes(this.readSymbol());
  }

  private begin(active: Shape['tool'], at: Position): void {
    const point = this.scale.toSnappedPoint(at);
    if (countPoints(active) === 1) this.complete({ tool: active, points: [point] });
    else this.draft = { shape: { tool: active, points: [point, point] }, start: at };
  }

  private finish(at: Position): void {
    const { shape } = this.draft!;
    this.draft = undefined;
    this.complete({ ...shape, points: [shape.points[0]!, this.scale.toSnappedPoint(at)] });
  }

  private complete(shape: Shape): void {
    tool.value = undefined;
    if (shape.tool === 'measure') {
      this.deselect();
      this.measured = shape;
      return;
    }
    this.selected.select(shape);
    changeDrawings(this.readSymbol(), [...this.shapes, shape]);
  }
}
