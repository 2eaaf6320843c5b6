import { distanceTo, fibonacciPrices, type Position, type Shape } from './shapes.ts';

/** Distance in pixels within which a drawing is grabbed. */
const GRAB_PX = 7;

/** The positions of points and prices on a chart. */
interface Scale {
  toPosition(point: Shape['points'][number]): Position;
  heightAt(price: number): number;
}

/** Returns the topmost drawing at a position. */
export function findShape(shapes: readonly Shape[], at: Position, scale: Scale): Shape | undefined {
  return shapes.findLast((shape) => isNear(shape, at, scale));
}

/** Returns the index of the point of a drawing at a position; undefined if there is none. */
export function findPoint(shape: Shape, at: Position, scale: Scale): number | undefined {
  const index = shape.points.findIndex((point) => {
    const { x, y } = scale.toPosition(point);
    return Math.hypot(x - at.x, y - at.y) <= GRAB_PX;
  });
  return index < 0 ? undefined : index;
}

function isNear(shape: Shape, at: Position, scale: Scale): boolean {
  const [a, b] = shape.points.map((point) => scale.toPosition(point)) as [Position, Position];
  switch (shape.tool) {
    case 'horizontal':
      return Math.abs(a.y - at.y) <= GRAB_PX;
    case 'vertical':
      return Math.abs(a.x - at.x) <= GRAB_PX;
    case 'rectangle': {
      const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }];
      return corners.some((corner, index) => {
        return distanceTo(at, corner, corners[(index + 1) % 4]!) <= GRAB_PX;
      });
    }
    case 'fibonacci': {
      const isBetween =
        at.x >= Math.min(a.x, b.x) - GRAB_PX && at.x <= Math.max(a.x, b.x) + GRAB_PX;
      const levels = fibonacciPrices(shape.points).map(([, price]) => scale.heightAt(price));
      return isBetween && levels.some((y) => Math.abs(y - at.y) <= GRAB_PX);
    }
    default:
      return distanceTo(at, a, b, shape.tool === 'ray') <= GRAB_PX;
  }
}
