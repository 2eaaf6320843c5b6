import { MAX_UNITS } from '../../engine/limits.ts';
import { parseUnits } from '../../engine/numbers/units.ts';

/** An exact number of zero or more: units × 10^-decimals, in as few decimals as possible. */
export interface Decimal {
  /** A safe integer. */
  readonly units: number;
  readonly decimals: number;
}

/** A field or a row is invalid; the message completes "line N: ". */
export class RowError extends Error {}

const LITERAL = /^\d+(?:\.(\d+))?$/;
const ZEROS_AT_END = /\.?0+$/;

/** Parses a literal such as `236.4700` exactly. @throws RowError if it is negative, not a decimal, or overflows */
export function parseDecimal(literal: string, name: string): Decimal {
  const match = LITERAL.exec(literal);
  if (match === null) {
    const problem = /^-\d/.test(literal) ? 'is negative' : 'is not a decimal number';
    throw new RowError(`${name} ${JSON.stringify(literal.slice(0, 40))} ${problem}`);
  }
  const shortest = match[1]?.endsWith('0') ? literal.replace(ZEROS_AT_END, '') : literal;
  const point = shortest.indexOf('.');
  const decimals = point === -1 ? 0 : shortest.length - point - 1;
  const units = parseUnits(shortest, decimals);
  if (typeof units === 'number') return { units, decimals };
  throw new RowError(
    typeof units === 'bigint' || units === 'tooLong'
      ? `${name} ${literal.slice(0, 40)} is too large or has too many digits (at most ${MAX_UNITS} without the point)`
      : `${name} ${JSON.stringify(literal)} is not a decimal number`,
  );
}

/** Parses a literal above zero. @throws RowError */
export function parsePositive(literal: string, name: string): Decimal {
  const decimal = parseDecimal(literal, name);
  if (decimal.units === 0) throw new RowError(`${name} is zero`);
  return decimal;
}

/** Returns a negative number, 0 or a positive number, like the comparison of the two values. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.decimals === b.decimals) return a.units - b.units;
  const decimals = Math.max(a.decimals, b.decimals);
  const scaled = ({ units, decimals: own }: Decimal) =>
    BigInt(units) * 10n ** BigInt(decimals - own);
  const difference = scaled(a) - scaled(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Converts to integer units of 10^-decimals, rounded to the nearest (half up), and a number above zero to at least one
 * unit. May exceed the safe integers for a value that `compareDecimals` finds above their range.
 */
export function toUnits({ units, decimals: own }: Decimal, decimals: number): number {
  if (own <= decimals) return units * 10 ** (decimals - own);
  if (units === 0) return 0;
  const divisor = 10 ** (own - decimals);
  const rest = units % divisor;
  return Math.max(1, (units - rest) / divisor + (2 * rest >= divisor ? 1 : 0));
}
