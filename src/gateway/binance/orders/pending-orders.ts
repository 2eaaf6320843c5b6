import type { OrderRecord } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { listPendingLegs } from '../../../engine/orders/contingent/pending-legs.ts';
import type { State } from '../../../engine/state.ts';

/**
 * The status of an order that waits for the working order of its list (enums.md, "Order status"). It is no order of the exchange
 * yet.
 */
export const PENDING_NEW = -1;

/** Orders that one order may have attached: take profit and stop loss. */
const MAX_PENDING = 2;

/** Returns the orders that wait for an order. */
export function listPending(working: OrderRecord): OrderRecord[] {
  return listPendingLegs(working).map((order) => ({ ...order, status: PENDING_NEW }));
}

/** Returns an account's open orders with those that wait for them, by ascending id. */
export function listOpenOrders(state: State, account: Account): OrderRecord[] {
  const open = state.accountOpenOrders(account);
  if (state.attachments.size === 0) return open;
  return open.flatMap((order) => [order, ...listPending(order)]).sort((a, b) => a.id - b.id);
}

/** Returns the order of an account that waits under this id. */
export function findPending(
  state: State,
  account: Account,
  orderId: number,
): OrderRecord | undefined {
  for (let distance = 1; distance <= MAX_PENDING; distance++) {
    const working = state.openOrder(orderId - distance);
    if (working?.account !== account.index) continue;
    const found = listPending(working).find(({ id }) => id === orderId);
    if (found !== undefined) return found;
  }
  return undefined;
}
