import { rounded } from '../../format.ts';

/** Formats a double of a chart with a minus sign, as the axes have it: `-1234.5` → `−1,234.50`. */
export function chartNumber(value: number, decimals: number): string {
  return rounded(value.toFixed(decimals), decimals).replace('-', '−');
}
