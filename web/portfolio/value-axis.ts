import { compactNumber } from '../format.ts';

interface Range {
  readonly minValue: number;
  readonly maxValue: number;
}

/** Minimum span of the axis, as a fraction of the largest value. */
const MIN_SPAN = 0.02;

/** Widens the axis range to the minimum span, so that a nearly flat value is not drawn as large swings. */
export function widenRange({ minValue, maxValue }: Range): Range {
  const missing = Math.max(0, maxValue * MIN_SPAN - (maxValue - minValue));
  return { minValue: minValue - missing / 2, maxValue: maxValue + missing / 2 };
}

/** Values from here on are shortened: 322.2K. */
const COMPACT_FROM = 100_000;
const MAX_DECIMALS = 8;
/** Maximum error of a label, as a fraction of the distance between two. */
const MAX_ERROR = 0.05;

/** Formats the labels of an axis with as few decimals as keep them exact to the eye and distinct. */
export function formatTicks(values: readonly number[]): string[] {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((value, index) => value - sorted[index]!);
  const error = Math.min(...steps, Math.abs(sorted[0] ?? 1) || 1) * MAX_ERROR;
  for (let decimals = 0; ; decimals++) {
    const texts = values.map((value) => compactNumber(value, decimals));
    const isExact = values.every((value) => Math.abs(value - shown(value, decimals)) <= error);
    if (decimals === MAX_DECIMALS || (isExact && new Set(texts).size === sorted.length)) {
      return texts;
    }
  }
}

/** Minimum distance of a label from the tag of a last value, between their centers: half a tag, half a label, and a gap of 4 px. */
const MIN_TAG_DISTANCE_PX = 18;

/** Empties the labels that would touch a tag. @param places Of the labels, and of the tags, in pixels; null outside of the axis. */
export function hideCovered(
  labels: readonly string[],
  places: readonly (number | null)[],
  tags: readonly (number | null)[],
): string[] {
  return labels.map((label, index) => {
    const place = places[index] ?? null;
    const isCovered =
      place !== null &&
      tags.some((tag) => tag !== null && Math.abs(tag - place) < MIN_TAG_DISTANCE_PX);
    return isCovered ? '' : label;
  });
}

/** Returns the value that a label shows, which has the decimals in thousands, millions and so on. */
function shown(value: number, decimals: number): number {
  const unit = 1000 ** Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3));
  const digit = unit / 10 ** decimals;
  return Math.round(value / digit) * digit;
}

/** Formats the label of the last value. */
export function formatLast(value: number, decimals: number): string {
  return Math.abs(value) >= COMPACT_FROM
    ? compactNumber(value, 2)
    : compactNumber(value, decimals, 'standard');
}
