import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LABEL_PX, legendHeight } from './own-label.ts';
import { paneMargins } from './pane-margins.ts';

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
