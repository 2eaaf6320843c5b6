import Big from 'big.js';
import type { Balance, Deposit, Withdrawal } from '../../src/client/index.ts';
import { ZERO } from '../decimal.ts';

/** Withdrawals with these states hold their amount and fee. */
const OPEN: readonly Withdrawal['status'][] = [
  ...(['delayed', 'awaiting_approval', 'approved'] as const),
  ...(['sending', 'broadcast'] as const),
];

/** The parts of a held amount; undefined for those that hold nothing. */
export interface HeldParts {
  readonly orders: string | undefined;
  readonly withdrawals: string | undefined;
  readonly deposits: string | undefined;
}

export interface HeldPayments {
  readonly withdrawals: readonly Pick<Withdrawal<string>, 'asset' | 'status' | 'amount' | 'fee'>[];
  readonly deposits: readonly Pick<Deposit<string>, 'asset' | 'held'>[];
}

/** Splits what is held of a balance; undefined if payments hold more, because they were loaded at another time. */
export function splitHeld(
  { asset, held }: Pick<Balance<string>, 'asset' | 'held'>,
  { withdrawals, deposits }: HeldPayments,
): HeldParts | undefined {
  const open = withdrawals.filter((each) => each.asset === asset && OPEN.includes(each.status));
  const leaving = open.reduce((sum, { amount, fee }) => sum.plus(amount).plus(fee), ZERO);
  const disputed = deposits
    .filter((each) => each.asset === asset)
    .reduce((sum, each) => sum.plus(each.held), ZERO);
  const rest = new Big(held).minus(leaving).minus(disputed);
  if (rest.lt(0)) return undefined;
  const text = (part: Big) => (part.eq(0) ? undefined : part.toFixed());
  return { orders: text(rest), withdrawals: text(leaving), deposits: text(disputed) };
}
