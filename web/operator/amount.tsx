import { amountParts } from './amount-text.ts';

/** An amount in a column: rounded where it is long, with the exact amount in the tooltip. */
export function Amount({ text }: { text: string }) {
  const { shown, exact } = amountParts(text);
  return <span title={shown === exact ? undefined : exact}>{shown}</span>;
}
