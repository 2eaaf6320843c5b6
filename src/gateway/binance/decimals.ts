import type { Exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';

/** Decimals of every amount and price of the dialect. Some clients fail on fewer. */
export const DECIMALS = 8;

const ZEROS = '0'.repeat(DECIMALS);
const ZERO = `0.${ZEROS}`;
const ONE = 10 ** DECIMALS;
const POWERS_OF_TEN = Array.from({ length: DECIMALS + 1 }, (_, exponent) => 10 ** exponent);

/**
 * Returns an amount or price with 8 decimals; further ones are cut off, so that a balance is never shown as more than it is.
 * @param units Multiples of 10 ** -decimals.
 * @throws RangeError for a number that is not a safe integer
 */
export function decimalText(units: Exact, decimals: number): string {
  if (units === 0) return ZERO;
  const isShort = Number.isSafeInteger(units) && (units as number) > 0 && decimals <= DECIMALS;
  if (!isShort) return pad(formatUnits(units, decimals));
  const unit = POWERS_OF_TEN[decimals]!;
  const fraction = (units as number) % unit;
  const whole = ((units as number) - fraction) / unit;
  if (fraction === 0) return `${whole}.${ZEROS}`;
  // A leading one preserves the leading zeros of the fraction; slice removes it.
  return `${whole}.${String(ONE + fraction * POWERS_OF_TEN[DECIMALS - decimals]!).slice(1)}`;
}

function pad(text: string): string {
  const point = text.indexOf('.');
  if (point < 0) return `${text}.${ZEROS}`;
  const decimals = text.length - point - 1;
  return decimals <= DECIMALS ? text + ZEROS.slice(decimals) : text.slice(0, point + 1 + DECIMALS);
}
