import { signal } from '@preact/signals';
import { changeDrawings, continueChange, readShapes } from './drawing-history.ts';
import type { DrawingScale } from './drawing-scale.ts';
import { findPoint, findShape } from './find-shape.ts';
import type { Point, Position, Shape } from './shapes.ts';

/** Pixels by which an arrow key moves a drawing up or down. */
const STEP_PX = 8;

/** The change that a moving pointer makes: of a point of the selected drawing, or of all of it. */
interface Move {
  readonly from: Point;
  readonly shape: Shape;
  readonly point: number | undefined;
}

/** The box around the selected drawing, in pixels of the chart. */
export interface SelectionBox {
  readonly shape: Shape;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The selected drawing of a chart, and its changes. */
export class SelectedDrawing {
  /** The box around the drawing; undefined while none is selected. */
  readonly box = signal<SelectionBox | undefined>(undefined);
  private selected: Shape | undefined;
  private move: Move | undefined;
  /** The drawing if the last change moved it: the next movements are part of that change. */
  private moved: Shape | undefined;

  constructor(
    private readonly scale: DrawingScale,
    private readonly readSymbol: () => string,
  ) {}

  get shape(): Shape | undefined {
    return this.selected;
  }

  select(shape: Shape | undefined): void {
    this.selected = shape;
    this.updateBox();
  }

  /** Deselects a drawing that is gone. */
  refresh(): void {
    if (this.selected !== undefined && !this.shapes.includes(this.selected)) this.select(undefined);
  }

  /** Updates the box after the chart moved. */
  updateBox(): void {
    const box = this.selected === undefined ? undefined : this.findBox(this.selected);
    if (JSON.stringify(box) !== JSON.stringify(this.box.peek())) this.box.value = box;
  }

  /** Selects the drawing at a position, which then follows the pointer. Returns whether there is one. */
  grab(at: Position): boolean {
    const shape = findShape(this.shapes, at, this.scale);
    this.moved = undefined;
    this.select(shape);
    if (shape === undefined) return false;
    const point = findPoint(shape, at, this.scale);
    const from = point === undefined ? this.scale.toPoint(at) : shape.points[point]!;
    this.move = { from, shape, point };
    return true;
  }

  /** Returns whether the pointer moves the drawing. */
  follow(at: Position): boolean {
    if (this.move === undefined) return false;
    const { point } = this.move;
    const to = point === undefined ? this.scale.toPoint(at) : this.scale.toSnappedPoint(at);
    this.moveTo(withMove(this.move, to));
    return true;
  }

  release(): void {
    this.move = undefined;
  }

  /** Handles a key. Returns whether it had a meaning. */
  key(key: string): boolean {
    const shape = this.selected;
    if (shape === undefined) return false;
    if (key === 'Delete' || key === 'Backspace') {
      this.remove();
      return true;
    }
    const direction = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -STEP_PX],
      ArrowDown: [0, STEP_PX],
    }[key];
    if (direction === undefined) return false;
    const from = shape.points[0]!;
    const at = this.scale.toPosition(from);
    const to = {
      time: this.scale.shiftTime(from.time, direction[0]!),
      price: this.scale.toPoint({ x: at.x, y: at.y + direction[1]! }).price,
    };
    this.moveTo(withMove({ from, shape, point: undefined }, to));
    return true;
  }

  /** Changes the color or the width. */
  style(changes: Pick<Shape, 'color' | 'width'>): void {
    if (this.selected !== undefined) this.replace({ ...this.selected, ...changes }, changeDrawings);
  }

  remove(): void {
    const { selected } = this;
    this.select(undefined);
    changeDrawings(
      this.readSymbol(),
      this.shapes.filter((each) => each !== selected),
    );
  }

  private get shapes(): readonly Shape[] {
    return readShapes(this.readSymbol());
  }

  /** Moves the drawing; its movements until another change are one step of the history. */
  private moveTo(shape: Shape): void {
    this.replace(shape, this.moved === this.selected ? continueChange : changeDrawings);
    this.moved = shape;
  }

  private replace(shape: Shape, store: typeof changeDrawings): void {
    const { selected, shapes } = this;
    this.select(shape);
    store(
      this.readSymbol(),
      shapes.map((each) => (each === selected ? shape : each)),
    );
  }

  private findBox(shape: Shape): SelectionBox {
    const at = shape.points.map((point) => this.scale.toPosition(point));
    const [xs, ys] = [at.map(({ x }) => Math.round(x)), at.map(({ y }) => Math.round(y))];
    return {
      shape,
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    };
  }
}

/** Returns the shape after its point, or all of it, has moved as far as the pointer. */
function withMove({ from, shape, point }: Move, to: Point): Shape {
  return {
    ...shape,
    points: shape.points.map((each, index) =>
      point === undefined || point === index
        ? { time: each.time + to.time - from.time, price: each.price + to.price - from.price }
        : each,
    ),
  };
}
