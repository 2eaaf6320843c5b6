/** The grid of the replayed market: US cents, and hundred-millionths of a bitcoin. */
export const PRICE_DECIMALS = 2;
export const AMOUNT_DECIMALS = 8;
/** A price times an amount is exact in these. */
export const COST_DECIMALS = PRICE_DECIMALS + AMOUNT_DECIMALS;

/**
 * Whole units of a decimal text: with 2 decimals `236.4` is 23640.
 * @throws RangeError where the text is no decimal above or equal to zero, or finer than that.
 */
export function unitsOf(text: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) {
    throw new RangeError(`${JSON.stringify(text)} is no number with at most ${decimals} decimals`);
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** The decimal text of whole units, the reverse of `unitsOf`. */
export function textOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
