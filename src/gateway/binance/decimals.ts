/** Decimals of every amount and price of the dialect. Some clients fail on fewer. */
export const DECIMALS = 8;

const ZEROS = '0'.repeat(DECIMALS);

/**
 * Returns a decimal number with 8 decimals; further ones are cut off, so that a balance is never shown as more than it is.
 * @param text As `formatUnits` returns it.
 */
export function toDecimals(text: string): string {
  const point = text.indexOf('.');
  if (point < 0) return `${text}.${ZEROS}`;
  const decimals = text.length - point - 1;
  return decimals <= DECIMALS ? text + ZEROS.slice(decimals) : text.slice(0, point + 1 + DECIMALS);
}
