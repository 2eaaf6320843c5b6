import type { KnownOrder } from '../client-order-ids/client-order-ids.ts';
import { CommandKind, type PlaceOrder, type PlaceStopOrder } from '../command.ts';
import type { Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../limits.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { OrderReason } from '../terms.ts';

/** What identifies a request to place an order, so that it can be sent again. */
export interface Identity {
  readonly clientOrderId: string | null;
  /** See `PlaceOrder`. */
  readonly searchedBelow?: number | undefined;
}

/** The order placed under a client order id, as far as the engine remembers it. */
export function findPlaced(
  state: State,
  account: Account,
  clientOrderId: string,
): KnownOrder | undefined {
  return state.version < 2
    ? account.clientOrders.get(clientOrderId)
    : state.clientOrderIds.find(account, clientOrderId);
}

/**
 * The answer to a request whose client order id is known: its order, or that it is another's. Also the
 * rejection of one whose id may be known to history alone.
 */
export function checkClientOrderId(
  state: State,
  account: Account,
  { clientOrderId, searchedBelow }: Identity,
  fingerprint: number,
): Outcome | undefined {
  if (clientOrderId === null) return undefined;
  const known = findPlaced(state, account, clientOrderId);
  if (known !== undefined) {
    return known.fingerprint === fingerprint
      ? { kind: 'repeated', orderId: known.orderId }
      : rejected(RejectionCode.duplicateClientOrderId);
  }
  return state.version >= 2 && state.clientOrderIds.mustAskHistory(account, searchedBelow)
    ? rejected(RejectionCode.mustAskHistory)
    : undefined;
}

/** Version 1: whether no more client order ids can be remembered. */
export function isMemoryFull(state: State, clientOrderId: string | null): boolean {
  return clientOrderId !== null && state.version < 2 && state.clientOrderQueue.isFull;
}

/** The id of a new order, remembered under its client order id. */
export function assignOrderId(
  state: State,
  account: Account,
  clientOrderId: string | null,
  fingerprint: number,
): number {
  const orderId = state.nextOrderId++;
  if (clientOrderId === null) return orderId;
  if (state.version < 2) {
    const forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
    state.clientOrderQueue.add({ account, clientOrderId, orderId, fingerprint, forgetAt });
  } else state.clientOrderIds.add(account, clientOrderId, orderId, fingerprint);
  return orderId;
}

/**
 * Takes an order that does not trade now among the open ones, with no hold so far. `price` is what
 * its hold is reckoned by while it waits for a trigger, whatever becomes of the market's collar.
 */
export function addOpenOrder(
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
    details.setAwaitingTrigger(slot);
  }
  state.enter(slot);
  state.link(slot);
  return slot;
}
