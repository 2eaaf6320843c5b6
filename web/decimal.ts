/** Exact decimals: money on a page never goes through a double. */
export interface Decimal {
  readonly units: bigint;
  /** Decimals: the value is units ÷ 10^scale. */
  readonly scale: number;
}

export type Rounding = 'down' | 'up' | 'half';

/** A leading 0 begins no group: `0,500` is a half, written with a comma. */
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$|^(-?)\.(\d+)$/;
/** As much as the exchange takes of a literal. */
const MAX_LENGTH = 40;

export const ZERO: Decimal = { units: 0n, scale: 0 };
export const ONE: Decimal = { units: 1n, scale: 0 };

/** Undefined unless the text is a plain decimal, as people type and the exchange writes them. */
export function decimal(text: string): Decimal | undefined {
  const match = text.length > MAX_LENGTH ? null : DECIMAL.exec(text);
  if (match === null) return undefined;
  const sign = match[1] || match[4] || '';
  const whole = match[2] ?? '0';
  const fraction = match[3] ?? match[5] ?? '';
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

/** Without the commas that group thousands; any other comma stays, and so makes it no number. */
export function ungrouped(text: string): string {
  return GROUPED.test(text) ? text.replaceAll(',', '') : text;
}

/** Of a text that the exchange wrote. @throws RangeError where it is no number */
export function exact(text: string): Decimal {
  const value = decimal(text);
  if (value === undefined) throw new RangeError(`${text} is no number`);
  return value;
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: at(a, scale) + at(b, scale), scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { units: -b.units, scale: b.scale });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** Rounded to `scale` decimals. @throws RangeError where `b` is 0 */
export function divide(a: Decimal, b: Decimal, scale: number, rounding: Rounding): Decimal {
  if (b.units === 0n) throw new RangeError('division by zero');
  const up = a.units * 10n ** BigInt(Math.max(0, scale + b.scale - a.scale));
  const down = b.units * 10n ** BigInt(Math.max(0, a.scale - b.scale - scale));
  return { units: quotient(up, down, rounding), scale };
}

/** The sign of a − b. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [at(a, scale), at(b, scale)];
  return left < right ? -1 : Number(left > right);
}

export function smaller(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) < 0 ? a : b;
}

export function isZero({ units }: Decimal): boolean {
  return units === 0n;
}

/** To `scale` decimals, trailing zeros included. */
export function rounded(value: Decimal, scale: number, rounding: Rounding): Decimal {
  if (value.scale <= scale) return { units: at(value, scale), scale };
  return { units: quotient(value.units, 10n ** BigInt(value.scale - scale), rounding), scale };
}

/** To the multiple of `step` next to it. */
export function toGrid(value: Decimal, step: Decimal, rounding: Rounding): Decimal {
  return multiply(divide(value, step, 0, rounding), step);
}

/** Plain digits, without trailing zeros: what the exchange takes and gives. */
export function toText(value: Decimal): string {
  const text = toFixedText(value);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Plain digits with all decimals of the scale. */
export function toFixedText({ units, scale }: Decimal): string {
  const digits = `${units < 0n ? -units : units}`.padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Decimals of a text as the exchange writes it. */
export function countDecimals(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** For drawing only. */
export function toDouble(value: Decimal): number {
  return Number(toFixedText(value));
}

function at(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function quotient(up: bigint, down: bigint, rounding: Rounding): bigint {
  if (down < 0n) return quotient(-up, -down, rounding);
  const whole = up / down;
  const rest = up % down;
  if (rest === 0n || rounding === 'down') return whole;
  const size = rest < 0n ? -rest : rest;
  if (rounding === 'half' && 2n * size < down) return whole;
  return whole + (up < 0n ? -1n : 1n);
}
