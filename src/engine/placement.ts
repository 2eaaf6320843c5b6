import type { Account } from './accounts.ts';
import { CommandKind, type PlaceOrder, type PlaceStopOrder } from './command.ts';
import type { Outcome } from './event.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from './limits.ts';
import { RejectionCode, rejected } from './rejection.ts';
import type { State } from './state.ts';
import { OrderReason } from './terms.ts';

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

/**
 * Takes an order that does not trade now among the open ones, with no hold so far. `price` is what
 * its hold is reckoned by while it waits for a trigger, whatever becomes of the market's collar.
 */
export function putDown(
  state: State,
  command: PlaceOrder | PlaceStopOrder,
  price: number,
  orderId: number,
): number {
  const { orders, details } = state;
  const slot = orders.allocate();
  orders.side[slot] = command.side;
  orders.setAccount(slot, command.account);
  orders.setPrice(slot, price);
  orders.setRemaining(slot, command.amount);
  details.set(slot, orderId, command.amount, state.time, OrderReason.none, command);
  if (command.kind === CommandKind.placeStopOrder) {
    details.setTriggerPrice(slot, command.triggerPrice);
    details.setWaiting(slot);
  }
  state.enter(slot);
  state.link(slot);
  return slot;
}
