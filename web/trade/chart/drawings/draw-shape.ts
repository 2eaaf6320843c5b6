import { canvasFont } from '../../../components/canvas-font.ts';
import { percent } from '../../../format.ts';
import { t } from '../../../i18n/index.ts';
import { fibonacciPrices, type Position, type Shape } from './shapes.ts';

export interface ShapeView {
  readonly shape: Shape;
  /** Its points in pixels. */
  readonly at: readonly Position[];
  readonly size: { readonly width: number; readonly height: number };
  readonly isSelected: boolean;
  readonly colors: {
    readonly line: string;
    readonly text: string;
    readonly panel: string;
    readonly up: string;
    readonly down: string;
  };
  readonly formatPrice: (price: number) => string;
  readonly heightAt: (price: number) => number;
  readonly countBars: (from: number, to: number) => number;
}

const HANDLE_PX = 4;

/** Draws a shape, with handles at its points if it is selected. */
export function drawShape(context: CanvasRenderingContext2D, view: ShapeView): void {
  const { shape, at, isSelected, colors } = view;
  context.font = canvasFont();
  context.textBaseline = 'middle';
  context.lineWidth = shape.width ?? 1;
  context.strokeStyle = colors.line;
  DRAW[shape.tool](context, view);
  if (!isSelected) return;
  context.lineWidth = 1.5;
  context.fillStyle = colors.panel;
  for (const { x, y } of at) {
    context.beginPath();
    context.arc(x, y, HANDLE_PX, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

type Draw = (context: CanvasRenderingContext2D, view: ShapeView) => void;

const DRAW: Readonly<Record<Shape['tool'], Draw>> = {
  trend: (context, { at: [a, b] }) => line(context, a!, b!),
  ray: (context, { at: [a, b], size }) => line(context, a!, rayEnd(a!, b!, size.width)),
  horizontal: (context, { at: [a], size, shape, formatPrice, colors }) => {
    line(context, { x: 0, y: a!.y }, { x: size.width, y: a!.y });
    context.fillStyle = colors.text;
    context.fillText(formatPrice(shape.points[0]!.price), 6, a!.y - 8);
  },
  vertical: (context, { at: [a], size }) =>
    line(context, { x: a!.x, y: 0 }, { x: a!.x, y: size.height }),
  rectangle: drawRectangle,
  fibonacci: drawFibonacci,
  measure: drawMeasure,
};

function drawRectangle(context: CanvasRenderingContext2D, { at, colors }: ShapeView): void {
  const [a, b] = at as [Position, Position];
  const box = [a.x, a.y, b.x - a.x, b.y - a.y] as const;
  context.fillStyle = colors.line;
  context.globalAlpha = 0.12;
  context.fillRect(...box);
  context.globalAlpha = 1;
  context.strokeRect(...box);
}

function drawFibonacci(context: CanvasRenderingContext2D, view: ShapeView): void {
  const { shape, at, colors, formatPrice, heightAt } = view;
  const [a, b] = at as [Position, Position];
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  context.setLineDash([3, 3]);
  line(context, a, b);
  context.setLineDash([]);
  context.fillStyle = colors.text;
  for (const [share, price] of fibonacciPrices(shape.points)) {
    const y = heightAt(price);
    line(context, { x: left, y }, { x: right, y });
    context.fillText(`${share} (${formatPrice(price)})`, left + 4, y - 7);
  }
}

function drawMeasure(context: CanvasRenderingContext2D, view: ShapeView): void {
  const { shape, at, colors, formatPrice, countBars } = view;
  const [a, b] = at as [Position, Position];
  const [from, to] = shape.points as [Shape['points'][0], Shape['points'][0]];
  const change = to.price - from.price;
  const color = change >= 0 ? colors.up : colors.down;
  context.strokeStyle = color;
  context.fillStyle = color;
  context.globalAlpha = 0.15;
  context.fillRect(
    Math.min(a.x, b.x),
    Math.min(a.y, b.y),
    Math.abs(b.x - a.x),
    Math.abs(b.y - a.y),
  );
  context.globalAlpha = 1;
  line(context, { x: (a.x + b.x) / 2, y: a.y }, { x: (a.x + b.x) / 2, y: b.y });
  const share = percent(((100 * change) / from.price).toFixed(2));
  const text = `${formatPrice(change)} (${share}), ${t('{bars} bars', { bars: countBars(from.time, to.time) })}`;
  const width = context.measureText(text).width + 12;
  const left = (a.x + b.x) / 2 - width / 2;
  const top = b.y < a.y ? b.y - 24 : b.y + 4;
  context.fillStyle = colors.panel;
  context.fillRect(left, top, width, 20);
  context.strokeRect(left, top, width, 20);
  context.fillStyle = color;
  context.fillText(text, left + 6, top + 11);
}

function line(context: CanvasRenderingContext2D, a: Position, b: Position): void {
  context.beginPath();
  context.moveTo(a.x, a.y);
  context.lineTo(b.x, b.y);
  context.stroke();
}

/** Returns the point at which a ray leaves the chart. */
function rayEnd(a: Position, b: Position, width: number): Position {
  const dx = b.x - a.x;
  if (dx === 0) return { x: b.x, y: b.y < a.y ? 0 : 1e5 };
  const x = dx > 0 ? width : 0;
  return { x, y: a.y + ((b.y - a.y) * (x - a.x)) / dx };
}
