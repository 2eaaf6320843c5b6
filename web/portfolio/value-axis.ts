interface Range {
  readonly minValue: number;
  readonly maxValue: number;
}

/** So much of the largest value the axis spans at least. */
const MIN_SPAN = 0.02;

/** What the axis spans: a value that hardly moved is a line across the middle, not noise from edge to edge. */
export function widenRange({ minValue, maxValue }: Range): Range {
  const missing = Math.max(0, maxValue * MIN_SPAN - (maxValue - minValue));
  return { minValue: minValue - missing / 2, maxValue: maxValue + missing / 2 };
}

const AXIS = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumSignificantDigits: 5,
  maximumSignificantDigits: 5,
});

/** Digits enough to tell neighbours on the least span apart. */
export function formatAxis(value: number): string {
  return AXIS.format(value);
}
