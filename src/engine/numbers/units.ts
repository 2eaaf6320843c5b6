/**
 * Converts between decimal text and integers of units, a unit being 10^-decimals: with 2 decimals
 * `1.5` is 150. No fraction is ever stored in a double.
 *
 * Units are a number up to ±(2^53 - 1) and a bigint beyond, so that prices and amounts stay
 * numbers. Literals that are too long are rejected before any arithmetic.
 */

export const MAX_LITERAL_CHARACTERS = 40;
/** Maximum absolute value of the exponent of a literal. */
export const MAX_EXPONENT = 30;

/**
 * Reasons for which a literal is rejected. `malformed`: not a JSON number. `tooLong`: too many
 * characters, or too large an exponent. `offGrid`: finer than one unit.
 */
export type DecimalFault = 'malformed' | 'tooLong' | 'offGrid';

/** At this many decimals, every literal that is not too long is an integer of units. */
const FINEST_DECIMALS = MAX_LITERAL_CHARACTERS + MAX_EXPONENT;
/** The powers of ten that a double represents exactly, by exponent. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Up to this many decimals, one unit of the whole plus its fraction is a safe integer. */
const MAX_SHORT_DECIMALS = 15;

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
/** The bit that distinguishes lower-case from upper-case ASCII letters. */
const LOWER_CASE_BIT = 0x20;

/** Parses a literal in JSON's number grammar exactly; `-0` is 0. */
export function parseUnits(literal: string, decimals: number): number | bigint | DecimalFault {
  if (literal.length > MAX_LITERAL_CHARACTERS) return 'tooLong';
  const isNegative = literal.charCodeAt(0) === MINUS;
  const start = isNegative ? 1 : 0;
  let position = start;
  let character = literal.charCodeAt(position);
  // May be inexact above 2^53 - 1, but never falls below it; then parseLong takes over.
  let digits = 0;
  while (character >= ZERO && character <= NINE) {
    digits = digits * 10 + (character - ZERO);
    character = literal.charCodeAt(++position);
  }
  const wholeDigits = position - start;
  if (wholeDigits === 0) return 'malformed';
  if (wholeDigits > 1 && literal.charCodeAt(start) === ZERO) return 'malformed';

  // The units are digits × 10^shift.
  let shift = decimals;
  if (character === POINT) {
    const fraction = position + 1;
    character = literal.charCodeAt(++position);
    while (character >= ZERO && character <= NINE) {
      digits = digits * 10 + (character - ZERO);
      character = literal.charCodeAt(++position);
    }
    if (position === fraction) return 'malformed';
    shift -= position - fraction;
  }
  const end = position;
  if (position < literal.length) {
    if ((character | LOWER_CASE_BIT) !== LOWER_E) return 'malformed';
    const exponent = parseExponent(literal, position + 1);
    if (Number.isNaN(exponent)) return 'malformed';
    if (Math.abs(exponent) > MAX_EXPONENT) return 'tooLong';
    shift += exponent;
  }

  if (digits === 0) return 0;
  if (digits <= Number.MAX_SAFE_INTEGER) {
    while (shift < 0 && digits % 10 === 0) {
      digits /= 10;
      shift++;
    }
    if (shift < 0) return 'offGrid';
    const units = digits * (POWERS_OF_TEN[shift] ?? Number.POSITIVE_INFINITY);
    if (units <= Number.MAX_SAFE_INTEGER) return isNegative ? -units : units;
  }
  return parseLong(literal.slice(start, end), isNegative, shift);
}

/** Parses the exponent from `position` to the end; NaN if it is invalid. */
function parseExponent(literal: string, position: number): number {
  const sign = literal.charCodeAt(position);
  const start = sign === PLUS || sign === MINUS ? position + 1 : position;
  if (start === literal.length) return Number.NaN;
  let exponent = 0;
  for (let index = start; index < literal.length; index++) {
    const character = literal.charCodeAt(index);
    if (!(character >= ZERO && character <= NINE)) return Number.NaN;
    exponent = exponent * 10 + (character - ZERO);
  }
  return sign === MINUS ? -exponent : exponent;
}

/** Parses digits with at most one point, with bigints. */
function parseLong(
  mantissa: string,
  isNegative: boolean,
  shift: number,
): number | bigint | 'offGrid' {
  let units = BigInt(mantissa.replace('.', ''));
  if (shift < 0) {
    const divisor = 10n ** BigInt(-shift);
    if (units % divisor !== 0n) return 'offGrid';
    units /= divisor;
  } else {
    units *= 10n ** BigInt(shift);
  }
  if (isNegative) units = -units;
  const asNumber = Number(units);
  return Number.isSafeInteger(asNumber) ? asNumber : units;
}

/**
 * Formats units as canonical decimal text: no exponent, no trailing zeros, `0` for zero.
 * @throws RangeError for a number that is not a safe integer, which has already lost digits.
 */
export function formatUnits(units: number | bigint, decimals: number): string {
  if (units === 0) return '0';
  const sign = units < 0 ? '-' : '';
  if (typeof units === 'bigint') return sign + formatLong(units < 0 ? -units : units, decimals);
  if (!Number.isSafeInteger(units)) {
    throw new RangeError(`${units} is not an exact number of units: compute it in bigints.`);
  }
  const magnitude = Math.abs(units);
  if (decimals > MAX_SHORT_DECIMALS) return sign + formatLong(BigInt(magnitude), decimals);

  const unit = POWERS_OF_TEN[decimals]!;
  let fraction = magnitude % unit;
  const whole = (magnitude - fraction) / unit;
  if (fraction === 0) return sign + whole;
  let places = decimals;
  // Removes three zeros at a time, because many amounts are round.
  while (fraction % 1000 === 0) {
    fraction /= 1000;
    places -= 3;
  }
  while (fraction % 10 === 0) {
    fraction /= 10;
    places--;
  }
  // A leading one preserves the leading zeros of the fraction; slice removes it.
  return `${sign}${whole}.${String(POWERS_OF_TEN[places]! + fraction).slice(1)}`;
}

function formatLong(magnitude: bigint, decimals: number): string {
  const digits = String(magnitude).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

/**
 * Returns the positive multiple of `multiple` units nearest to a literal (half rounds up), at least
 * one multiple, as decimal text. Undefined if the literal or the result is not a valid literal.
 */
export function nearestOnGrid(
  literal: string,
  decimals: number,
  multiple: number | bigint,
): string | undefined {
  const finest = parseUnits(literal, FINEST_DECIMALS);
  if (typeof finest === 'string') return undefined;
  const step = BigInt(multiple);
  const finestStep = step * 10n ** BigInt(FINEST_DECIMALS - decimals);
  const steps = (2n * BigInt(finest) + finestStep) / (2n * finestStep);
  const text = formatUnits((steps < 1n ? 1n : steps) * step, decimals);
  return text.length > MAX_LITERAL_CHARACTERS ? undefined : text;
}
