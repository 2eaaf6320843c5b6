import Big from 'big.js';
import { countDecimals, fixed, grouped, rounded } from '../format.ts';

/** Decimals of amounts from 1 on. Smaller amounts keep all of theirs. */
const MAX_DECIMALS = 4;

/** Returns an amount as it is shown in a column and exactly, both with a true minus sign. */
export function amountParts(text: string): { readonly shown: string; readonly exact: string } {
  const exact = withMinus(grouped(text));
  const isLong = countDecimals(text) > MAX_DECIMALS && new Big(text).abs().gte(1);
  return { shown: isLong ? withMinus(rounded(text, MAX_DECIMALS)) : exact, exact };
}

/** An amount with all decimals of its asset. */
interface AlignedParts {
  readonly digits: string;
  /** The zeros at its end, with the point if all decimals are 0. */
  readonly zeros: string;
  /** The point and zeros that longer amounts have more, so that all points are below each other. */
  readonly padding: string;
}

/**
 * Returns an amount for a column in which the points of all assets are below each other.
 * @param maxDecimals The decimals of the asset that has the most; further ones are cut
 */
export function alignedParts(text: string, decimals: number, maxDecimals: number): AlignedParts {
  const shown = Math.min(maxDecimals, Math.max(decimals, countDecimals(text)));
  const aligned = withMinus(fixed(text, shown));
  const zeros = /\.?0*$/.exec(shown === 0 ? '' : aligned)![0];
  const digits = aligned.slice(0, aligned.length - zeros.length);
  const point = shown === 0 && maxDecimals > 0 ? '.' : '';
  return { digits, zeros, padding: point + '0'.repeat(maxDecimals - shown) };
}

/** Replaces the hyphen of a negative number. */
export function withMinus(text: string): string {
  return text.replace(/^-/, '−');
}
