import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AXIS_LABEL_PX, findCovered, placeAxisLabels } from './axis-labels.ts';

const HEIGHT = 400;
const lastPrice = fc.integer({ min: 20, max: HEIGHT - 40 });

describe('labels of the price axis', () => {
  test('no label covers another, or the last price and the countdown, where they fit', () => {
    const heights = fc.array(fc.integer({ min: 0, max: HEIGHT }), { maxLength: 20 });
    fc.assert(
      fc.property(heights, lastPrice, (wanted, last) => {
        const above = wanted.filter((y) => y < last).length;
        const half = AXIS_LABEL_PX / 2;
        fc.pre(above * AXIS_LABEL_PX <= last - half);
        fc.pre((wanted.length - above) * AXIS_LABEL_PX <= HEIGHT - last - 17 - half);
        const placed = placeAxisLabels(wanted, HEIGHT, [last, last + 17]);
        const all = [...placed, last, last + 17].sort((a, b) => a - b);
        for (const [index, y] of all.entries()) {
          expect(y).toBeGreaterThanOrEqual(half);
          expect(y).toBeLessThanOrEqual(HEIGHT - half);
          if (index > 0) expect(y - all[index - 1]!).toBeGreaterThanOrEqual(AXIS_LABEL_PX);
        }
        for (const [index, y] of placed.entries()) {
          expect(y < last).toBe(wanted[index]! < last);
        }
      }),
    );
  });

  test('labels stay at their heights where nothing is near, and keep the order of the prices', () => {
    expect(placeAxisLabels([50, 300, 120], HEIGHT, [200, 217])).toEqual([50, 300, 120]);
    expect(placeAxisLabels([199, 195, 201], HEIGHT, [200, 217])).toEqual([183, 166, 234]);
    expect(placeAxisLabels([2, HEIGHT], HEIGHT)).toEqual([8.5, 391.5]);
  });

  test('numbers that a label would cut are removed', () => {
    const ticks = [84, 83, 117, 116, 192, 193, 227, 300];
    expect(findCovered(ticks, [{ y: 100 }], [200, 220])).toEqual([84, 116, 193, 227]);
  });
});
