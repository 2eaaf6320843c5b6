import type { Balance } from '../../src/client/index.ts';
import { msg } from '../i18n/index.ts';
import { heldPayments } from './held.ts';
import { splitHeld } from './held-parts.ts';

/** A part of what is held of a balance. */
interface HeldLine {
  /** Marked with `msg`; has a place for `amount`. */
  readonly text: string;
  readonly amount: string;
}

/** Lists what holds a part of a balance; one line for all of it while the payments are not known. */
export function listHeld(balance: Pick<Balance<string>, 'asset' | 'held'>): readonly HeldLine[] {
  const parts = heldPayments.value && splitHeld(balance, heldPayments.value);
  if (parts === undefined) return [{ text: msg('{amount} on hold'), amount: balance.held }];
  const lines = [
    [msg('{amount} in orders'), parts.orders],
    [msg('{amount} in withdrawals'), parts.withdrawals],
    [msg('{amount} in disputed deposits'), parts.deposits],
  ] as const;
  return lines.flatMap(([text, amount]) => (amount === undefined ? [] : [{ text, amount }]));
}
