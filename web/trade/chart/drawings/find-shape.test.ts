import { expect, test } from 'bun:test';
import { findShape } from './find-shape.ts';
import type { Shape } from './shapes.ts';

/** A second and a unit of price are a pixel each. */
const scale = {
  toPosition: ({ time, price }: { time: number; price: number }) => ({ x: time, y: price }),
  heightAt: (price: number) => price,
};
const point = (time: number, price: number) => ({ time, price });

test.each([
  ['rectangle', [point(100, 100), point(300, 200)], [200, 103], [200, 150]],
  ['rectangle', [point(300, 200), point(100, 100)], [97, 150], [80, 150]],
  ['vertical', [point(100, 100)], [103, 900], [110, 100]],
  ['horizontal', [point(100, 100)], [900, 103], [100, 110]],
  ['trend', [point(100, 100), point(200, 200)], [150, 150], [250, 250]],
  ['ray', [point(100, 100), point(200, 200)], [250, 250], [50, 50]],
] as const)('a %s is grabbed on its lines only', (tool, points, [x, y], [farX, farY]) => {
  const shape: Shape = { tool, points };
  expect(findShape([shape], { x, y }, scale)).toBe(shape);
  expect(findShape([shape], { x: farX, y: farY }, scale)).toBeUndefined();
});
