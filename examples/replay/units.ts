/** Decimals of the replayed market: prices in cents, amounts in satoshis. */
export const PRICE_DECIMALS = 2;
export const AMOUNT_DECIMALS = 8;
/** Decimals in which price times amount is exact. */
export const COST_DECIMALS = PRICE_DECIMALS + AMOUNT_DECIMALS;

/**
 * Converts a decimal text to integer units: with 2 decimals `236.4` is 23640.
 * @throws RangeError if the text is not a non-negative decimal, or has more decimals
 */
export function parseUnits(text: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) {
    throw new RangeError(
      `${JSON.stringify(text)} is not a number with at most ${decimals} decimals`,
    );
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Formats integer units as a decimal text, the inverse of `parseUnits`. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
