import { alignedParts, amountParts } from './amount-text.ts';

interface AmountProps {
  readonly text: string;
  /** Whether all rows have equally many decimals, but for amounts that are too small. */
  readonly isAligned?: boolean;
}

/** An amount in a column: rounded where it is long, with the exact amount in the tooltip. */
export function Amount({ text, isAligned = false }: AmountProps) {
  const { shown, exact } = isAligned ? alignedParts(text) : amountParts(text);
  return <span title={shown === exact ? undefined : exact}>{shown}</span>;
}
