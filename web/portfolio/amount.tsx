import type Big from 'big.js';
import { balanceText, grouped } from '../format.ts';

interface AmountProps {
  readonly asset: string;
  readonly amount: string | Big;
  /** Whether the ticker follows the number. */
  readonly hasUnit?: boolean;
  /** Decimals that are kept even if they are zeros. */
  readonly minDecimals?: number;
}

/** An amount of a balance; `title` has all digits. */
export function Amount({ asset, amount, hasUnit = false, minDecimals = 0 }: AmountProps) {
  return (
    <span title={`${grouped(amount)} ${asset}`}>
      {balanceText(amount, minDecimals)}
      {hasUnit ? ` ${asset}` : null}
    </span>
  );
}
