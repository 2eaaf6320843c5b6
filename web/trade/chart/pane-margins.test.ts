import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LABEL_PX, legendHeight } from './own-label.ts';
import { keepLinesOffLegend, paneMargins } from './pane-margins.ts';

test('prices have most of a pane, above the volumes and below the legend with a label', () => {
  const size = fc.record({
    width: fc.integer({ min: 0, max: 3000 }),
    height: fc.integer({ min: 0, max: 2000 }),
  });
  fc.assert(
    fc.property(size, (pane) => {
      const { prices, volumes } = paneMargins(pane);
      expect(1 - prices.top - prices.bottom).toBeGreaterThan(0.45);
      expect(1 - prices.bottom).toBeLessThan(volumes.top);
      // The page shows no legend on lower charts.
      if (pane.height < 250) return;
      expect(prices.top * pane.height).toBeGreaterThanOrEqual(LABEL_PX);
      if (prices.top < 0.3)
        expect(prices.top * pane.height).toBeGreaterThan(legendHeight(pane) + LABEL_PX - 0.001);
    }),
  );
});

/** Returns the height of a price in a pane with an automatic scale. */
function toHeight(
  price: number,
  { minValue, maxValue }: { readonly minValue: number; readonly maxValue: number },
  pane: { readonly width: number; readonly height: number },
): number {
  const { top, bottom } = paneMargins(pane).prices;
  const share = (maxValue - price) / (maxValue - minValue);
  return pane.height * (top + share * (1 - top - bottom));
}

const SCALE = { priceRange: { minValue: 100, maxValue: 200 } };

test('the legend covers no own line, and candles keep most of the pane', () => {
  const size = fc.record({
    width: fc.integer({ min: 300, max: 3000 }),
    height: fc.integer({ min: 260, max: 2000 }),
  });
  const prices = fc.array(fc.double({ min: 50, max: 300, noNaN: true }), { maxLength: 3 });
  fc.assert(
    fc.property(size, prices, (pane, lines) => {
      // The last line is below all candles.
      const { priceRange } = keepLinesOffLegend(SCALE, [...lines, 60], pane)!;
      expect(priceRange!.minValue).toBe(100);
      expect(priceRange!.maxValue).toBeGreaterThanOrEqual(200);
      const top = toHeight(200, priceRange!, pane) / pane.height;
      expect(top).toBeLessThan(0.3 + 1e-9);
      const free = legendHeight(pane) + LABEL_PX / 2;
      const covered = lines
        .map((price) => toHeight(price, priceRange!, pane))
        .filter((y) => y >= 0 && y < free - 1e-6);
      // Low panes have no space for a line near their top.
      if (pane.height >= 400 && lines.length <= 1) expect(covered).toEqual([]);
    }),
  );
});

test('a line below the legend, or outside of the pane, does not change the scale', () => {
  const pane = { width: 900, height: 400 };
  const findHighest = (price: number) =>
    keepLinesOffLegend(SCALE, [price], pane)!.priceRange!.maxValue;
  expect(toHeight(212, SCALE.priceRange, pane)).toBeLessThan(25);
  expect(findHighest(212)).toBeGreaterThan(200);
  expect(findHighest(200)).toBe(200);
  expect(findHighest(150)).toBe(200);
  expect(toHeight(220, SCALE.priceRange, pane)).toBeLessThan(0);
  expect(findHighest(220)).toBe(200);
  expect(keepLinesOffLegend(null, [212], pane)).toBeNull();
  // The page shows no legend on such a small chart.
  expect(keepLinesOffLegend(SCALE, [212], { width: 300, height: 200 })).toBe(SCALE);
});
