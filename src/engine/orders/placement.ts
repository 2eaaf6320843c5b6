import type { KnownOrder } from '../client-order-ids/client-order-ids.ts';
import { CommandKind, type PlaceOrder, type PlaceStopOrder } from '../command.ts';
import type { Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../limits.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { OrderReason } from '../terms.ts';
import { setRemaining } from './matching/icebergs.ts';
import { initialBest } from './triggers/initial-trigger.ts';
import { Trail } from './triggers/trail.ts';

/** The fields by which a repeated request to place an order is recognized. */
export interface Identity {
  readonly clientOrderId: string | null;
  /** See `PlaceOrder`. */
  readonly searchedBelow?: number | undefined;
}

/** Returns the order that was placed under a client order id, if the engine remembers it. */
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
 * Returns the outcome of a request whose client order id is known: the order it placed, or the
 * rejection of a reused id. Rejects an id that only history may know. Undefined for a new id.
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
  return state.version >= 2 && state.clientOrderIds.needsHistory(account, searchedBelow)
    ? rejected(RejectionCode.needsHistory)
    : undefined;
}

/** Engine version 1: returns whether no more client order ids can be remembered. */
export function isMemoryFull(state: State, clientOrderId: string | null): boolean {
  return clientOrderId !== null && state.version < 2 && state.clientOrderQueue.isFull;
}

/** Assigns the id of a new order and remembers it under its client order id. */
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
 * Adds an order that does not trade now to the open orders, without a hold. `price` determines the
 * hold while the order is pending, even if the collar changes. An order without a trigger that may match runs
 * as a triggered one.
 * @param createdAt When its id was assigned, in milliseconds since 1970.
 */
export function addOpenOrder(
  state: State,
  command: PlaceOrder | PlaceStopOrder,
  price: number,
  orderId: number,
  createdAt: number,
): number {
  const { orders, details } = state;
  const slot = orders.allocate();
  orders.side[slot] = command.side;
  orders.setAccount(slot, command.account);
  orders.setPrice(slot, price);
  details.set(slot, orderId, command.amount, state.time, OrderReason.none, command);
  details.setTimes(slot, createdAt, 0);
  setRemaining(state, slot, command.amount, command.displayAmount);
  if (command.kind === CommandKind.placeStopOrder) {
    addTrigger(state, command, slot, orderId);
    details.setAwaitingTrigger(slot);
  } else if (!command.postOnly) details.setTriggered(slot);
  state.insertOrder(slot);
  state.link(slot);
  const { connections } = state;
  if (connections.current !== 0) connections.register(slot, connections.current);
  return slot;
}

function addTrigger(state: State, command: PlaceStopOrder, slot: number, orderId: number): void {
  const { details, markets } = state;
  const { side, trailing, triggerPrice } = command;
  if (trailing === undefined) {
    details.setTriggerPrice(slot, triggerPrice);
    return;
  }
  const trail = new Trail(slot, orderId, side, trailing);
  trail.leave(initialBest(side, trailing, markets[command.market]!));
  details.setTrail(trail);
}
