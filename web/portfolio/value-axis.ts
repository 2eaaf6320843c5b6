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

const AXIS = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumSignificantDigits: 5,
  maximumSignificantDigits: 5,
});

/** Formats an axis label, with enough digits to keep neighboring labels distinct at the minimum span. */
export function formatAxis(value: number): string {
  return AXIS.format(value);
}
