import { alignedParts, amountParts } from './amount-text.ts';

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

/** An amount with all decimals of its asset, in a column of several assets. */
export function ExactAmount({ text, decimals, maxDecimals }: ExactAmountProps) {
  const { digits, zeros, padding } = alignedParts(text, decimals, maxDecimals);
  return (
    <span class="exact-amount">
      {digits}
      <span class="muted">{zeros}</span>
      <span class="padding" aria-hidden="true">
        {padding}
      </span>
    </span>
  );
}
