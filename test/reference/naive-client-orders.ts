import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  MAX_DROPPED_AT_ONCE,
  MAX_SWEPT_AT_ONCE,
  REMEMBERED,
  SWEEP_EVERY_ORDERS,
} from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { refuse } from './naive-administration.ts';
import type { NaiveState } from './naive-state.ts';
import type { NaiveTradeOutcome } from './naive-trading.ts';

/** Which client order ids place an order once: what the engine remembers of them, and how it forgets. */

export interface NaiveRecentId {
  readonly clientOrderId: string;
  readonly orderId: number;
  /** All that the request asked for. */
  readonly terms: string;
  /** In which its order was placed, since 1970. */
  readonly second: number;
}

/** What an account's memory holds from version 2 on. */
export interface NaiveRecent {
  /** Oldest first; one whose order was open when its turn to be forgotten came is at the end again. */
  ids: NaiveRecentId[];
  /** The newest order whose id had to make room, and its second. */
  droppedOrderId: number;
  droppedSecond: number;
}

/** What a request is known by. */
interface Request {
  readonly account: number;
  readonly clientOrderId: string | null;
  readonly searchedBelow?: number | undefined;
}

/** The order that a client order id stands for. */
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

/** What a known client order id is answered with, or one that only history may know. */
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
      : refuse(RejectionCode.duplicateClientOrderId);
  }
  const memory = state.recent.get(account);
  if (memory === undefined || memory.droppedOrderId === 0) return undefined;
  const isSearched = memory.droppedOrderId < searchedBelow;
  return isSearched || hasExpired(state, memory.droppedSecond)
    ? undefined
    : refuse(RejectionCode.mustAskHistory);
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

/** Takes over what version 1 remembered. */
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
    if (ids.length < REMEMBERED.clientOrderIds) break;
    const first = ids.shift()!;
    if (isOpen(state, first.orderId)) ids.push(first);
    else if (first.orderId > memory.droppedOrderId) {
      memory.droppedOrderId = first.orderId;
      memory.droppedSecond = first.second;
    }
  }
  ids.push(id);
}

/** @returns Whether any was forgotten as the last that was looked at. */
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

/** Version 1: a client order id is kept for its time, and on while its order is open. */
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
