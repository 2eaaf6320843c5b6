/**
 * Returns a percentile of the values of a histogram, in milliseconds, interpolated within its bucket; undefined without a value.
 * Values above all bounds count as the last bound.
 * @param counts One for each bound, then one for values above all. @param bounds Seconds, ascending. @param share 0 to 1.
 */
export function percentile(
  counts: readonly number[],
  bounds: readonly number[],
  share: number,
): number | undefined {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let rest = share * all;
  for (const [place, bound] of bounds.entries()) {
    const count = counts[place]!;
    if (count > 0 && rest <= count) {
      const from = bounds[place - 1] ?? 0;
      return 1000 * (from + ((bound - from) * rest) / count);
    }
    rest -= count;
  }
  return 1000 * bounds.at(-1)!;
}
