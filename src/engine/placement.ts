import type { Account } from './accounts.ts';
import type { Outcome } from './event.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from './limits.ts';
import { RejectionCode, rejected } from './rejection.ts';
import type { State } from './state.ts';

/** What to answer where the client order id is known: its order, or that it is another's. */
export function placedBefore(
  account: Account,
  clientOrderId: string | null,
  fingerprint: number,
): Outcome | undefined {
  if (clientOrderId === null) return undefined;
  const known = account.clientOrders.get(clientOrderId);
  if (known === undefined) return undefined;
  return known.fingerprint === fingerprint
    ? { kind: 'repeated', orderId: known.orderId }
    : rejected(RejectionCode.duplicateClientOrderId);
}

/** The id of a new order, remembered under its client order id. */
export function takeOrderId(
  state: State,
  account: Account,
  clientOrderId: string | null,
  fingerprint: number,
): number {
  const orderId = state.nextOrderId++;
  if (clientOrderId !== null) {
    const forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
    state.remember({ account, clientOrderId, orderId, fingerprint, forgetAt });
  }
  return orderId;
}
