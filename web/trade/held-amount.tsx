import Big from 'big.js';
import { Tip } from '../components/tip.tsx';
import { balanceText, grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { refreshHeldPayments } from '../portfolio/held.ts';
import { listHeld } from '../portfolio/held-lines.ts';
import { balances } from './account.ts';

interface HeldAmountProps {
  readonly asset: string;
  readonly held: string;
  /** Decimals that are kept even if they are zeros. */
  readonly minDecimals?: number;
}

/** The held part of a balance; a box shows what holds it. */
export function HeldAmount({ asset, held, minDecimals = 0 }: HeldAmountProps) {
  if (new Big(held).eq(0)) {
    return (
      <span class="muted">
        <Amount asset={asset} amount={held} minDecimals={minDecimals} />
      </span>
    );
  }
  const lines = listHeld({ asset, held }).map(({ text, amount }) => (
    <span key={text}>{t(text, { amount: `${grouped(amount)} ${asset}` })}</span>
  ));
  return (
    <Tip tip={lines} onOpen={() => void refreshHeldPayments(balances.peek())}>
      {balanceText(held, minDecimals)}
    </Tip>
  );
}
