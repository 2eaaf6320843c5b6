import Big from 'big.js';
import { compact, countDecimals } from '../format.ts';
import { alignedParts, amountParts } from './amount-text.ts';
import { valueText } from './values.ts';

/** From here on, values of a column that has small and large ones are shortened. */
export const THOUSAND = new Big(1e3);
export const MILLION = new Big(1e6);
const BILLION = new Big(1e9);

interface ShortValueProps {
  readonly value: Big;
  readonly quote: string;
  /** The smallest value that is shortened. */
  readonly from?: Big;
}

/** A value in one line: shortened from a billion on, with the exact value in the tooltip. */
export function ShortValue({ value, quote, from = BILLION }: ShortValueProps) {
  const exact = valueText(value, quote);
  if (value.abs().lt(from)) return <span class="one-line">{exact}</span>;
  return (
    <span class="one-line" title={exact}>
      {compact(value.toFixed())} {quote}
    </span>
  );
}

/** An amount in a column: rounded where it is long, with the exact amount in the tooltip. */
export function Amount({ text }: { readonly text: string }) {
  const { shown, exact } = amountParts(text);
  return <span title={shown === exact ? undefined : exact}>{shown}</span>;
}

interface ExactAmountProps {
  readonly text: string;
  /** Decimals of the asset. */
  readonly decimals: number;
  /** Decimals of the asset in the column that has the most. */
  readonly maxDecimals: number;
}

/** An amount with all decimals of its asset, in a column of several assets. Further ones are in the tooltip. */
export function ExactAmount({ text, decimals, maxDecimals }: ExactAmountProps) {
  const { digits, zeros, padding } = alignedParts(text, decimals, maxDecimals);
  const isCut = countDecimals(text) > maxDecimals;
  return (
    <span class="exact-amount" title={isCut ? amountParts(text).exact : undefined}>
      {digits}
      <span class="muted">{zeros}</span>
      <span class="padding" aria-hidden="true">
        {padding}
      </span>
    </span>
  );
}
