import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  MAX_DROPPED_AT_ONCE,
  MAX_REMEMBERED,
  MAX_SWEPT_AT_ONCE,
  SWEEP_EVERY_ORDERS,
} from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { reject } from './naive-administration.ts';
import type { NaiveState } from './naive-state.ts';
import type { NaiveTradeOutcome } from './naive-trading.ts';

/** The client order ids that the engine remembers, and how it forgets them. */

export interface NaiveRecentId {
  readonly clientOrderId: string;
  readonly orderId: number;
  /** The terms of the request as text. */
  readonly terms: string;
  /** Time at which the order was placed, in seconds since 1970. */
  readonly second: number;
}

/** The remembered ids of an account from version 2 on. */
export interface NaiveRecent {
  /** Oldest first; an id whose order was open when it was due is moved to the end. */
  ids: NaiveRecentId[];
  /** The newest order whose id was dropped, and the second in which it was placed. */
  droppedOrderId: number;
  droppedSecond: number;
}

/** The fields by which a repeated request is recognized. */
interface Request {
  readonly account: number;
  readonly clientOrderId: string | null;
  readonly searchedBelow?: number | undefined;
}

/** Returns the order that was placed under a client order id. */
export function placedUnder(
  state: NaiveState,
  account: number,
  clientOrderId: string,
): { readonly orderId: number; readonly terms: string } | undefined {
  if (state.version < 2) {
    return state.clientOrders.find(
      (each) => each.account === account && each.clientOrderId === clientOrderId,
    );
  }
  const known = state.recent
    .get(account)
    ?.ids.findLast((each) => each.clientOrderId === clientOrderId);
  if (known === undefined) return undefined;
  return hasExpired(state, known.second) && !isOpen(state, known.orderId) ? undefined : known;
}

/** Returns the outcome for a known client order id, or for one that only history may know. */
export function checkClientOrderId(
  state: NaiveState,
  { account, clientOrderId, searchedBelow = 0 }: Request,
  terms: string,
): NaiveTradeOutcome | undefined {
  if (clientOrderId === null) return undefined;
  const known = placedUnder(state, account, clientOrderId);
  if (known !== undefined) {
    return known.terms === terms
      ? { kind: 'repeated', orderId: known.orderId }
      : reject(RejectionCode.duplicateClientOrderId);
  }
  const memory = state.recent.get(account);
  if (memory === undefined || memory.droppedOrderId === 0) return undefined;
  const isSearched = memory.droppedOrderId < searchedBelow;
  return isSearched || hasExpired(state, memory.droppedSecond)
    ? undefined
    : reject(RejectionCode.needsHistory);
}

export function remember(
  state: NaiveState,
  account: number,
  clientOrderId: string | null,
  orderId: number,
  terms: string,
): void {
  if (clientOrderId === null) return;
  state.placed.push({ account, clientOrderId, time: state.time });
  if (state.version < 2) {
    const forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
    state.clientOrders.push({ account, clientOrderId, orderId, terms, forgetAt });
    return;
  }
  put(state, account, { clientOrderId, orderId, terms, second: Math.floor(state.time / 1000) });
  if (orderId % SWEEP_EVERY_ORDERS === 0 && !forgetExpired(state, state.sweptAccount)) {
    state.sweptAccount = (state.sweptAccount + 1) % state.accounts.length;
  }
}

/** Converts the ids that version 1 remembered. */
export function convertClientOrders(state: NaiveState): void {
  for (const { account, clientOrderId, orderId, terms, forgetAt } of state.clientOrders) {
    const second = Math.floor((forgetAt - CLIENT_ORDER_ID_LIFETIME_MS) / 1000);
    put(state, account, { clientOrderId, orderId, terms, second });
  }
  state.clientOrders = [];
}

function put(state: NaiveState, account: number, id: NaiveRecentId): void {
  const memory = state.recent.get(account) ?? { ids: [], droppedOrderId: 0, droppedSecond: 0 };
  state.recent.set(account, memory);
  const { ids } = memory;
  for (let turn = 0; turn < MAX_DROPPED_AT_ONCE; turn++) {
    if (ids.length < MAX_REMEMBERED.clientOrderIds) break;
    const first = ids.shift()!;
    if (isOpen(state, first.orderId)) ids.push(first);
    else if (first.orderId > memory.droppedOrderId) {
      memory.droppedOrderId = first.orderId;
      memory.droppedSecond = first.second;
    }
  }
  ids.push(id);
}

/** @returns Whether some id was forgotten and more may have expired. */
function forgetExpired(state: NaiveState, account: number): boolean {
  const memory = state.recent.get(account);
  if (memory === undefined) return false;
  let hasForgotten = false;
  for (let turn = 0; turn < MAX_SWEPT_AT_ONCE; turn++) {
    const first = memory.ids[0];
    if (first === undefined || !hasExpired(state, first.second)) return false;
    memory.ids.shift();
    if (isOpen(state, first.orderId)) memory.ids.push(first);
    else hasForgotten = true;
  }
  return hasForgotten;
}

/**
 * Engine version 1: a client order id is kept for its lifetime, and as long as its order is open.
 */
export function forgetClientOrders(state: NaiveState): void {
  const kept: typeof state.clientOrders = [];
  const prolonged: typeof state.clientOrders = [];
  for (const each of state.clientOrders) {
    if (each.forgetAt > state.time) kept.push(each);
    else if (isOpen(state, each.orderId)) {
      each.forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
      prolonged.push(each);
    }
  }
  state.clientOrders = [...kept, ...prolonged];
}

function isOpen(state: NaiveState, orderId: number): boolean {
  return state.open.some((order) => order.id === orderId);
}

function hasExpired(state: NaiveState, second: number): boolean {
  return Math.floor(state.time / 1000) - second >= CLIENT_ORDER_ID_LIFETIME_MS / 1000;
}
