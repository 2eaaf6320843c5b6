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

/** Like `amountParts`, with equally many decimals in all rows, so that their points are below each other. */
export function alignedParts(text: string): ReturnType<typeof amountParts> {
  const { shown, exact } = amountParts(text);
  const isSmall = countDecimals(shown) > MAX_DECIMALS;
  return { shown: isSmall ? shown : withMinus(fixed(text, MAX_DECIMALS)), exact };
}

/** Replaces the hyphen of a negative number. */
export function withMinus(text: string): string {
  return text.replace(/^-/, '−');
}
