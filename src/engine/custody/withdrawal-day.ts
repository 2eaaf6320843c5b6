import { WITHDRAWAL_WINDOW_MS } from '../limits.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import type { WithdrawalRecord } from './custody-records.ts';
import type { CustodyStore } from './custody-store.ts';
import { WithdrawalStatus } from './statuses.ts';

/** Returns what an account has withdrawn of an asset in 24 hours, over all networks and without fees: what daily limits count. */
export function withdrawnInDay(
  store: CustodyStore,
  account: number,
  asset: number,
  time: number,
): Exact {
  let total: Exact = 0;
  for (const each of store.accountWithdrawalRecords(account)) {
    if (store.networks.get(each.network)!.asset !== asset) continue;
    if (isPayment(each) && isOfDay(each, time)) total = sum(total, each.amount);
  }
  return total;
}

/** Returns whether a withdrawal was paid or still may be. */
export function isPayment({ status }: WithdrawalRecord): boolean {
  return status <= WithdrawalStatus.confirmed;
}

/** Returns whether a withdrawal could not leave earlier than 24 hours ago: one from a new device counts from the end of its delay. */
export function isOfDay({ createdAt, waitsUntil }: WithdrawalRecord, time: number): boolean {
  return time - Math.max(createdAt, waitsUntil) < WITHDRAWAL_WINDOW_MS;
}
