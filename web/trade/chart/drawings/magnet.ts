import type { Bar } from '../bars.ts';

/** Distance in pixels within which the magnet attracts a point. */
const SNAP_PX = 8;

/** Returns the open, high, low or close of a candle that is nearest to a height; undefined if none is close to it. */
export function snapPrice(
  { open, high, low, close }: Pick<Bar, 'open' | 'high' | 'low' | 'close'>,
  y: number,
  heightAt: (price: number) => number,
): number | undefined {
  const distance = (price: number) => Math.abs(heightAt(price) - y);
  const [nearest] = [open, high, low, close].sort((a, b) => distance(a) - distance(b));
  return distance(nearest!) <= SNAP_PX ? nearest : undefined;
}
