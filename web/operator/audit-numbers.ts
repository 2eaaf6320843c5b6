import type { AuditEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { findUnmatched, matchWithdrawals } from './audit-withdrawals.ts';

const MAX_WITHDRAWALS = 1000;

/** Looks up the numbers of the withdrawals that entries have requested, and adds them to those that are known. */
export async function readWithdrawalNumbers(
  entries: readonly AuditEntry[],
  known: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const requests = findUnmatched(entries, known);
  const accounts = [...new Set(requests.map(({ account }) => account!))];
  const pages = await Promise.all(
    accounts.map((account) => {
      const times = requests
        .filter((each) => each.account === account)
        .map(({ timestamp }) => Date.parse(timestamp));
      const period = { since: Math.min(...times), until: Math.max(...times) };
      return api.listAllWithdrawals({ account, ...period, limit: MAX_WITHDRAWALS });
    }),
  );
  const withdrawals = pages.flatMap((page) => page.withdrawals);
  return new Map([...known, ...matchWithdrawals(requests, withdrawals)]);
}
