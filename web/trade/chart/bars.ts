import type { Candle } from '../../../src/client/index.ts';

export type ExactCandle = Candle<string>;

/** A candle as doubles, because it becomes pixels. */
export interface Bar {
  /** Start, in seconds since 1970. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In the base asset. */
  readonly volume: number;
}

export function toBar({ timestamp, open, high, low, close, volume }: ExactCandle): Bar {
  return {
    time: Date.parse(timestamp) / 1000,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Number(volume),
  };
}

/**
 * Returns the Heikin-Ashi bar that follows another: the close is the mean of a candle's four prices, the open is the
 * middle of the previous Heikin-Ashi body.
 */
export function heikinAshi(bar: Bar, previous: Bar | undefined): Bar {
  const close = (bar.open + bar.high + bar.low + bar.close) / 4;
  const open =
    previous === undefined ? (bar.open + bar.close) / 2 : (previous.open + previous.close) / 2;
  return {
    ...bar,
    open,
    close,
    high: Math.max(bar.high, open, close),
    low: Math.min(bar.low, open, close),
  };
}
