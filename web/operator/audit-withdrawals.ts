import type { AuditEntry, Withdrawal } from '../../src/client/index.ts';
import { decimal } from '../decimal.ts';

type Request = Pick<AuditEntry, 'id' | 'account' | 'action' | 'outcome' | 'timestamp' | 'details'>;

/** Returns the accepted requests for withdrawals, whose entries lack the number that the withdrawal got. */
export function findRequests<Entry extends Request>(entries: readonly Entry[]): Entry[] {
  return entries.filter(
    ({ account, action, outcome }) =>
      action === 'requestWithdrawal' && outcome === 'done' && account !== null,
  );
}

/**
 * Returns the requests of accounts that have one whose number is not known. Known ones of the same accounts are matched
 * again: an equal request of an older page may have the smaller number.
 */
export function findUnmatched<Entry extends Request>(
  entries: readonly Entry[],
  known: ReadonlyMap<string, string>,
): Entry[] {
  const requests = findRequests(entries);
  const unmatched = requests.filter(({ id }) => !known.has(id));
  const accounts = new Set(unmatched.map(({ account }) => account));
  return requests.filter(({ account }) => accounts.has(account));
}

/**
 * Returns the numbers of the withdrawals that entries of the audit have requested, by the ids of the entries. A
 * withdrawal was created by the request of its account at the same time. Several at one time differ in amount
 * and address; equal ones are in the order of their numbers, as the entries are.
 */
export function matchWithdrawals(
  entries: readonly Request[],
  withdrawals: readonly Pick<
    Withdrawal<string>,
    'id' | 'account' | 'asset' | 'amount' | 'address' | 'createdAt'
  >[],
): ReadonlyMap<string, string> {
  const left = withdrawals.toSorted((a, b) => Number(a.id) - Number(b.id));
  const numbers = new Map<string, string>();
  for (const entry of findRequests(entries).toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const { account, timestamp, details } = entry;
    const at = left.findIndex(
      (each) =>
        each.account === account &&
        Date.parse(each.createdAt) === Date.parse(timestamp) &&
        each.asset === details.asset &&
        decimal(`${details.amount}`)?.eq(each.amount) &&
        (details.address === undefined || each.address === details.address),
    );
    if (at >= 0) numbers.set(entry.id, left.splice(at, 1)[0]!.id);
  }
  return numbers;
}
