import { signal } from '@preact/signals';
import type { Balance } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import type { HeldPayments } from './held-parts.ts';

const MAX_PAYMENTS = 1000;
const requests = new ResponseOrder();

/** The payments that may hold something; undefined if they are not all known. */
export const heldPayments = signal<HeldPayments | undefined>(undefined);

/** Loads the payments of the account, if anything is held. Without them, what is held is shown as a whole. */
export async function loadHeldPayments(balances: readonly Balance<string>[]): Promise<void> {
  if (balances.every(({ held }) => held === '0')) return;
  const isNewest = requests.begin();
  const found = await readPayments().catch(() => undefined);
  if (isNewest()) heldPayments.value = found;
}

let refreshedFor = '';

/** Loads the payments of the account if they may have changed: since the last time something else is held. */
export async function refreshHeldPayments(balances: readonly Balance<string>[]): Promise<void> {
  const held = balances.map((each) => `${each.asset} ${each.held}`).join();
  if (held === refreshedFor) return;
  refreshedFor = held;
  await loadHeldPayments(balances);
  if (heldPayments.value === undefined) refreshedFor = '';
}

async function readPayments(): Promise<HeldPayments | undefined> {
  const [{ withdrawals, nextCursor }, found] = await Promise.all([
    api.listWithdrawals({ limit: MAX_PAYMENTS }),
    api.listDeposits({ limit: MAX_PAYMENTS }),
  ]);
  const isWhole = nextCursor === null && found.nextCursor === null;
  return isWhole ? { withdrawals, deposits: found.deposits } : undefined;
}
