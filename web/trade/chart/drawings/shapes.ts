import { storedValue } from '../../../preferences.ts';
import { TOOLS, type Tool } from '../settings.ts';

export interface Point {
  /** Seconds since 1970. */
  readonly time: number;
  readonly price: number;
}

/** A drawing on the chart of a market. Horizontal and vertical lines have one point, the others have two. */
export interface Shape {
  readonly tool: Tool;
  readonly points: readonly Point[];
  /** Number of a color of series, --tone-0 to --tone-5; by default the accent color. */
  readonly color?: number | undefined;
  /** In pixels; by default 1. */
  readonly width?: number | undefined;
}

export const COLORS = [0, 1, 2, 3, 4, 5] as const;
export const WIDTHS = [1, 2, 3] as const;

/** Drawings by symbol. */
export const drawings = storedValue<Readonly<Record<string, readonly Shape[]>>>(
  'drawings',
  parseDrawings,
  {},
);

/** Returns the number of points of a drawing. */
export function countPoints(tool: Tool): 1 | 2 {
  return tool === 'horizontal' || tool === 'vertical' ? 1 : 2;
}

function parseDrawings(json: unknown): Readonly<Record<string, readonly Shape[]>> | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  return Object.fromEntries(
    Object.entries(json).map(([symbol, shapes]) => [
      symbol,
      Array.isArray(shapes) ? shapes.filter(isShape) : [],
    ]),
  );
}

function isShape({ tool, points, color, width }: Partial<Shape>): boolean {
  return (
    (color === undefined || COLORS.some((each) => each === color)) &&
    (width === undefined || WIDTHS.some((each) => each === width)) &&
    TOOLS.some((each) => each === tool) &&
    Array.isArray(points) &&
    points.length === countPoints(tool!) &&
    points.every(({ time, price }) => Number.isFinite(time) && Number.isFinite(price))
  );
}

/** Levels of a Fibonacci retracement, as shares of the way from its second point back to its first. */
const FIBONACCI = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;

/** Returns the prices of the levels: 0 is the second point, 1 the first. */
export function fibonacciPrices([from, to]: readonly Point[]): readonly (readonly [
  share: number,
  price: number,
])[] {
  return FIBONACCI.map((share) => [share, to!.price + share * (from!.price - to!.price)]);
}

export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Returns the distance of a position from a segment, or from a ray, which continues after its second end. */
export function distanceTo({ x, y }: Position, a: Position, b: Position, isRay = false): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - a.x) * dx + (y - a.y) * dy) / length;
  const share = Math.max(0, isRay ? along : Math.min(1, along));
  return Math.hypot(x - (a.x + share * dx), y - (a.y + share * dy));
}
