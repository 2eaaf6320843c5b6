import type Big from 'big.js';
import { balanceText, grouped } from '../format.ts';

interface AmountProps {
  readonly asset: string;
  readonly amount: string | Big;
  /** Whether the ticker follows the number. */
  readonly hasUnit?: boolean;
}

/** An amount of a balance; `title` has all digits. */
export function Amount({ asset, amount, hasUnit = false }: AmountProps) {
  return (
    <span title={`${grouped(amount)} ${asset}`}>
      {balanceText(amount)}
      {hasUnit ? ` ${asset}` : null}
    </span>
  );
}
