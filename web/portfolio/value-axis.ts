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

const MAX_DECIMALS = 8;
/** Maximum error of a label, as a fraction of the distance between two. */
const MAX_ERROR = 0.05;

/** Formats the labels of an axis; those in the same unit (thousands, millions) have the same decimals. */
export function formatTicks(values: readonly number[]): string[] {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((value, index) => value - sorted[index]!);
  const error = Math.min(...steps, Math.abs(sorted[0] ?? 1) || 1) * MAX_ERROR;
  return values.map((value) => {
    const sameUnit = sorted.filter((each) => findUnit(each) === findUnit(value));
    return compactNumber(value, countDecimals(sameUnit, error));
  });
}

/** Returns the fewest decimals that keep labels exact to the eye and distinct. @param values Distinct, in the same unit. */
function countDecimals(values: readonly number[], error: number): number {
  let decimals = 0;
  const isEnough = () =>
    values.every((value) => Math.abs(value - shown(value, decimals)) <= error) &&
    new Set(values.map((value) => compactNumber(value, decimals))).size === values.length;
  while (decimals < MAX_DECIMALS && !isEnough()) decimals++;
  return decimals;
}

/** Returns the value that a label shows. */
function shown(value: number, decimals: number): number {
  const digit = findUnit(value) / 10 ** decimals;
  return Math.round(value / digit) * digit;
}

/** Returns one, a thousand, a million and so on: the unit in which a label shows a value. */
function findUnit(value: number): number {
  return 1000 ** Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3));
}
