import type { Bar } from '../bars.ts';

/** The volume traded in a range of prices. */
export interface ProfileRow {
  readonly low: number;
  readonly high: number;
  /** Volume of rising candles, and of the others. */
  readonly up: number;
  readonly down: number;
}

/** Returns the volume of bars by price, lowest first: each bar's volume counts evenly from its low to its high. */
export function volumeProfile(bars: readonly Bar[], rows: number): readonly ProfileRow[] {
  if (bars.length === 0) return [];
  const low = Math.min(...bars.map((bar) => bar.low));
  const high = Math.max(...bars.map((bar) => bar.high));
  const height = (high - low) / rows;
  const up = new Float64Array(rows);
  const down = new Float64Array(rows);
  const rowAt = (price: number) =>
    height === 0 ? 0 : Math.min(rows - 1, Math.max(0, Math.floor((price - low) / height)));
  for (const bar of bars) {
    const volumes = bar.close >= bar.open ? up : down;
    const [first, last] = [rowAt(bar.low), rowAt(bar.high)];
    if (first === last) {
      volumes[first]! += bar.volume;
      continue;
    }
    const perPrice = bar.volume / (bar.high - bar.low);
    for (let row = first; row <= last; row++) {
      const from = Math.max(bar.low, low + row * height);
      const to = row === last ? bar.high : low + (row + 1) * height;
      volumes[row]! += perPrice * Math.max(0, to - from);
    }
  }
  return Array.from({ length: rows }, (_, row) => ({
    low: low + row * height,
    high: low + (row + 1) * height,
    up: up[row]!,
    down: down[row]!,
  }));
}
