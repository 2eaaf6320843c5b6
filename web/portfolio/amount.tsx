import { grouped } from '../format.ts';
import { markets } from './holdings.ts';
import { countAmountDecimals, shownAmount, shownTotal } from './market-digits.ts';

interface AmountProps {
  readonly asset: string;
  readonly amount: string;
  /** Whether it is the whole balance, which is rounded as its value is. */
  readonly isTotal?: boolean;
}

/** An amount with the decimals of its markets; `title` has all of them. */
export function Amount({ asset, amount, isTotal = false }: AmountProps) {
  const format = isTotal ? shownTotal : shownAmount;
  return (
    <span title={grouped(amount)}>{format(amount, countAmountDecimals(asset, markets.value))}</span>
  );
}
