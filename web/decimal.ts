/** An exact decimal. Pages never convert amounts of money to doubles. */
export interface Decimal {
  readonly units: bigint;
  /** Number of decimals: the value is units ÷ 10^scale. */
  readonly scale: number;
}

export type Rounding = 'down' | 'up' | 'half';

/** A group cannot start with 0: `0,500` is one half with a decimal comma. */
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$|^(-?)\.(\d+)$/;
/** Maximum length of a number that the exchange accepts. */
const MAX_LENGTH = 40;

export const ZERO: Decimal = { units: 0n, scale: 0 };
export const ONE: Decimal = { units: 1n, scale: 0 };

/** Parses a plain decimal; returns undefined for any other text. */
export function decimal(text: string): Decimal | undefined {
  const match = text.length > MAX_LENGTH ? null : DECIMAL.exec(text);
  if (match === null) return undefined;
  const sign = match[1] || match[4] || '';
  const whole = match[2] ?? '0';
  const fraction = match[3] ?? match[5] ?? '';
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

/** Removes commas that group thousands. Any other comma stays, so that the text does not parse. */
export function ungrouped(text: string): string {
  return GROUPED.test(text) ? text.replaceAll(',', '') : text;
}

/** Parses a decimal from the exchange. @throws RangeError if it is not a number */
export function exact(text: string): Decimal {
  const value = decimal(text);
  if (value === undefined) throw new RangeError(`${text} is not a number`);
  return value;
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: rescale(a, scale) + rescale(b, scale), scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { units: -b.units, scale: b.scale });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** Divides, rounded to `scale` decimals. @throws RangeError if `b` is 0 */
export function divide(a: Decimal, b: Decimal, scale: number, rounding: Rounding): Decimal {
  if (b.units === 0n) throw new RangeError('division by zero');
  const numerator = a.units * 10n ** BigInt(Math.max(0, scale + b.scale - a.scale));
  const denominator = b.units * 10n ** BigInt(Math.max(0, a.scale - b.scale - scale));
  return { units: quotient(numerator, denominator, rounding), scale };
}

/** Returns the sign of a − b. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [rescale(a, scale), rescale(b, scale)];
  return left < right ? -1 : Number(left > right);
}

export function smaller(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) < 0 ? a : b;
}

export function isZero({ units }: Decimal): boolean {
  return units === 0n;
}

/** Rounds to `scale` decimals, trailing zeros included. */
export function rounded(value: Decimal, scale: number, rounding: Rounding): Decimal {
  if (value.scale <= scale) return { units: rescale(value, scale), scale };
  return { units: quotient(value.units, 10n ** BigInt(value.scale - scale), rounding), scale };
}

/** Rounds to a multiple of `step`. */
export function toGrid(value: Decimal, step: Decimal, rounding: Rounding): Decimal {
  return multiply(divide(value, step, 0, rounding), step);
}

/** Formats plain digits without trailing zeros, as the exchange does. */
export function toText(value: Decimal): string {
  const text = toFixedText(value);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Formats plain digits with all decimals of the scale. */
export function toFixedText({ units, scale }: Decimal): string {
  const digits = `${units < 0n ? -units : units}`.padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Counts the decimals of a number from the exchange. */
export function countDecimals(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** Converts to a double, for drawing only. */
export function toDouble(value: Decimal): number {
  return Number(toFixedText(value));
}

function rescale(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function quotient(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator < 0n) return quotient(-numerator, -denominator, rounding);
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n || rounding === 'down') return whole;
  const distance = rest < 0n ? -rest : rest;
  if (rounding === 'half' && 2n * distance < denominator) return whole;
  return whole + (numerator < 0n ? -1n : 1n);
}
