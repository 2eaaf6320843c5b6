import Big from 'big.js';

/** Plain digits; unlike `Big`, without an exponent. */
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;
/** Maximum length of a number that the exchange accepts. */
const MAX_LENGTH = 40;

export const ZERO = new Big(0);

/** Parses plain digits with a decimal point; returns undefined for any other text. */
export function decimal(text: string): Big | undefined {
  return text.length <= MAX_LENGTH && DECIMAL.test(text) ? new Big(text) : undefined;
}

/** Converts integer units: `1250n` with two decimals → 12.5. */
export function fromUnits(units: bigint, decimals: number): Big {
  return new Big(`${units}e-${decimals}`);
}

/** A constructor of its own, because big.js sets the precision of divisions per constructor. */
const Quotient = Big();

/** Divides, rounded to `decimals` decimals. @throws if `b` is 0 */
export function divide(a: Big, b: Big, decimals: number, rounding: Big.RoundingMode): Big {
  Quotient.DP = decimals;
  Quotient.RM = rounding;
  return new Big(new Quotient(a).div(b));
}

/** Rounds to a multiple of `step`. */
export function toGrid(value: Big, step: Big, rounding: Big.RoundingMode): Big {
  return divide(value, step, 0, rounding).times(step);
}
