import type { SurveillanceAlert, Withdrawal } from '../../src/client/index.ts';

/** The numbers of items of an account that wait for an operator. */
export interface Signals {
  readonly alerts: number;
  readonly withdrawals: number;
}

/** Counts open alerts and withdrawals to approve by account. An alert counts for the main accounts of its users. */
export function countSignals(
  alerts: readonly Pick<SurveillanceAlert, 'accounts'>[],
  withdrawals: readonly Pick<Withdrawal<string>, 'account'>[],
): ReadonlyMap<string, Signals> {
  const counts = new Map<string, Signals>();
  const add = (account: string, name: keyof Signals) => {
    const count = counts.get(account) ?? { alerts: 0, withdrawals: 0 };
    counts.set(account, { ...count, [name]: count[name] + 1 });
  };
  for (const { accounts } of alerts) for (const account of accounts) add(account, 'alerts');
  for (const { account } of withdrawals) add(account, 'withdrawals');
  return counts;
}
