import { afterEach, describe, expect, test } from 'bun:test';
import type { Bar } from '../bars.ts';
import { magnet } from '../settings.ts';
import { DrawingScale } from './drawing-scale.ts';

const STEP_S = 900;
const bars: readonly Bar[] = [0, 1, 2, 3].map((index) => ({
  time: index * STEP_S,
  open: 100,
  high: 130,
  low: 80,
  close: 110,
  volume: 1,
}));

/** A chart of 10 pixels per candle and a pixel per unit of price, as lightweight-charts 5.2 converts them. */
const scale = new DrawingScale({
  bars,
  chart: {
    timeScale: () => ({
      coordinateToLogical: (x: number) => Math.ceil(x / 10),
      logicalToCoordinate: (index: number) => (Number.isInteger(index) ? 10 * index : 0),
    }),
  },
  series: {
    coordinateToPrice: (y: number) => 200 - y,
    priceToCoordinate: (price: number) => 200 - price,
  },
} as unknown as ConstructorParameters<typeof DrawingScale>[0]);

afterEach(() => {
  magnet.value = 'off';
});

describe('scale of drawings', () => {
  test('a point between candles keeps its place', () => {
    expect(scale.toPosition({ time: 1.5 * STEP_S, price: 150 })).toEqual({ x: 15, y: 50 });
    expect(scale.toPosition({ time: 9.5 * STEP_S, price: 150 })).toEqual({ x: 95, y: 50 });
  });

  test('the magnet takes a price of the candle at the pointer', () => {
    const near = { x: 10, y: 74 };
    expect(scale.toSnappedPoint(near)).toEqual({ time: STEP_S, price: 126 });
    magnet.value = 'on';
    expect(scale.toSnappedPoint(near)).toEqual({ time: STEP_S, price: 130 });
    expect(scale.toSnappedPoint({ x: 10, y: 80 })).toEqual({ time: STEP_S, price: 120 });
    expect(scale.toSnappedPoint({ x: 80, y: 74 }).price).toBe(126);
  });
});
