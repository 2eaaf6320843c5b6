/** A value this many times the 98th percentile is cut off, so that one burst does not flatten the rest. */
const OUTLIER = 2;

/** Returns the top of the scale: the highest value, or the 98th percentile if that is far below it. */
export function scaleTop(values: readonly (number | null)[]): number {
  const sorted = values
    .filter((value) => value !== null)
    .map(Number)
    .sort((a, b) => a - b);
  const highest = sorted.at(-1) ?? 0;
  const usual = sorted[Math.ceil(0.98 * sorted.length) - 1] ?? 0;
  return usual > 0 && highest > OUTLIER * usual ? usual : Math.max(highest, 0);
}
