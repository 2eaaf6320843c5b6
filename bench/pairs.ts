import { round } from './rest/processes.ts';

/**
 * Helpers of benches that compare two programs on a machine whose speed changes from second to second: both are measured
 * in short slices that take turns, and every slice is compared with its neighbors.
 */

/** Ratios of neighboring slices. */
export interface PairedRatio {
  /** The median. */
  readonly ratio: number;
  /** The lowest and the highest ratio. */
  readonly ratioFrom: number;
  readonly ratioTo: number;
}

/** Compares each slice with the reference of the same index. */
export function pairedRatio(slices: readonly number[], references: readonly number[]): PairedRatio {
  const ratios = slices.map((slice, index) => slice / references[index]!);
  return {
    ratio: round(median(ratios)),
    ratioFrom: round(Math.min(...ratios)),
    ratioTo: round(Math.max(...ratios)),
  };
}

/**
 * Returns the mean of every value and the next one: the references of slices that are each between two slices of the
 * reference.
 */
export function neighborMeans(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => (values[index]! + value) / 2);
}

/** Returns the median; of an even number of values the higher one of the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
