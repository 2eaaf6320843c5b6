import type { ExactCandle } from './bars.ts';

/** A part of the chart that is drawn from its candles, such as indicators. */
export interface ChartLayer {
  useTheme(): void;
  /** Called after any change of the candles but that of the last one. */
  onBars(): void;
  /** @param isNew Whether the last candle follows the one that was the last before. */
  onBar(isNew: boolean): void;
  /** Called when another series shows the prices: primitives must be attached to it. */
  onSeriesReplaced(): void;
}

export interface ChartEvents {
  /** Called with the index of the candle under the pointer. */
  readonly onHover: (index: number | undefined) => void;
  /** Called when older candles should be loaded and passed to `prepend`. */
  readonly onNeedOlder: (before: ExactCandle) => void;
  /** Called with whether the last candle is to the right of the visible ones. */
  readonly onPan: (isInPast: boolean) => void;
}
