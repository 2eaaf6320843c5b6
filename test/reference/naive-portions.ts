import type { OrderSelection } from '../../src/engine/command.ts';
import { MAX_SWEEPS_PER_ACCOUNT, PORTION } from '../../src/engine/limits.ts';
import type { ApprovalRequest } from '../../src/engine/operators/records.ts';
import type { Announcement } from '../../src/engine/protection/announcements.ts';
import type { Maintenance } from '../../src/engine/protection/trading-status.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { expireOldest, nextExpiry } from './naive-approvals.ts';
import { endCall, type NaiveCall } from './naive-auctions.ts';
import { activateBrackets } from './naive-brackets.ts';
import { placedUnder } from './naive-client-orders.ts';
import { nextConnection } from './naive-connections.ts';
import { listDueCustody, type NaiveDue, runDueCustody } from './naive-custody-dates.ts';
import { inOrder } from './naive-deadlines.ts';
import { end } from './naive-matching.ts';
import {
  isRestricted,
  type NaiveConnection,
  type NaiveDeadline,
  type NaiveInternalTransfer,
  type NaiveOrder,
  type NaiveState,
} from './naive-state.ts';
import { triggersOnRise } from './naive-stops.ts';
import { forgetOldest, nextForgotten } from './naive-sub-accounts.ts';
import type { NaiveTradeOutcome } from './naive-trading.ts';
import { endEach } from './naive-trading.ts';
import { delistingOrder } from './naive-trailing.ts';
import { BUY, isStop, SELL } from './naive-values.ts';

/** A sweep, which ends the orders of `left` that are still open in portions. */
export interface NaiveSweep {
  readonly id: number;
  readonly reason: number;
  readonly account: number;
  readonly below: number;
  /** Returns the number of orders to scan to find those that are left. */
  readonly scanned: () => number;
  /** Returns the orders that are left, in the order in which they end. */
  readonly left: () => NaiveOrder[];
}

type Terms = Omit<NaiveSweep, 'id' | 'below'>;

/** Runs a portion, whenever time advances and with every tick. */
export function beginPortion(state: NaiveState): void {
  renewPortion(state);
  proceed(state, nextDate(state) === undefined ? 0 : Math.floor(PORTION.ends / 4));
  runDates(state);
  proceed(state, 0);
}

/** Runs what is due within the rest of the portion. */
export function runDates(state: NaiveState): void {
  for (let next = nextDate(state); next !== undefined && state.endsLeft > 0; ) {
    if ('custody' in next) {
      runDueCustody(state, next.custody);
      state.endsLeft--;
    } else if ('forgotten' in next) {
      forgetOldest(state);
      state.endsLeft--;
    } else if ('requestedAt' in next) {
      expireOldest(state);
      state.endsLeft--;
    } else if ('cause' in next) {
      endCall(state, next);
      state.endsLeft--;
    } else if ('isActive' in next) {
      startOrEnd(state, next);
      state.endsLeft--;
    } else if ('ended' in next) {
      state.announcements.splice(state.announcements.indexOf(next.ended), 1);
      state.endsLeft--;
    } else if ('lease' in next) disconnect(state, next);
    else if ('id' in next) {
      count(state, () => end(state, next as NaiveOrder, OrderStatus.expired, OrderReason.expired));
      activateBrackets(state);
    } else {
      const { account, key, market } = next;
      state.deadlines = state.deadlines.filter((each) => each !== next);
      const matches = (order: NaiveOrder) =>
        order.key === key && (market === -1 || order.market === market);
      const scanned = () => listOrders(state, account).length;
      const left = () => listOrders(state, account).filter(matches);
      start(state, { account, reason: OrderReason.cancelAfter, scanned, left });
    }
    next = nextDate(state);
  }
}

/** Ends a connection and cancels its open orders. */
export function disconnect(
  state: NaiveState,
  connection: NaiveConnection,
): { orders: NaiveOrder[]; sweep?: number } {
  const { id, account } = connection;
  const open = listOrders(state, account);
  state.endsLeft -= Math.floor(open.length / PORTION.scanned);
  const ids = open
    .map((order) => order.id)
    .filter((each) => state.orderConnections.get(each) === id);
  for (const [orderId, other] of state.orderConnections) {
    if (other === id) state.orderConnections.delete(orderId);
  }
  state.connections = state.connections.filter((each) => each !== connection);
  if (ids.length === 0) {
    state.endsLeft--;
    return { orders: [] };
  }
  const left = () => listOrders(state, account).filter((order) => ids.includes(order.id));
  return start(state, {
    ...{ account, reason: OrderReason.disconnected },
    ...{ scanned: () => ids.length, left },
  });
}

export function renewPortion(state: NaiveState): void {
  state.endsLeft = PORTION.ends;
  state.triggersLeft = PORTION.triggers;
}

type NaiveDate =
  | NaiveOrder
  | NaiveDeadline
  | NaiveConnection
  | ApprovalRequest
  | { readonly custody: NaiveDue }
  | NaiveCall
  | { readonly forgotten: NaiveInternalTransfer }
  | Maintenance
  | { readonly ended: Announcement };

/** Starts a maintenance, or ends the one in progress. */
function startOrEnd(state: NaiveState, period: Maintenance): void {
  const others = state.maintenance.filter((each) => each !== period);
  state.maintenance = period.isActive ? others : [{ ...period, isActive: true }, ...others];
}

/**
 * Returns the earliest due order, deadline, connection, request for approval, deposit or withdrawal, internal transfer, auction,
 * maintenance or announcement; at equal times in this order.
 */
function nextDate(state: NaiveState): NaiveDate | undefined {
  const date = nextOrderOrDeadline(state);
  const connection = nextConnection(state);
  const [request] = state.approvals;
  const [period] = state.maintenance;
  const dates: (readonly [number, NaiveDate])[] = [];
  if (date !== undefined) dates.push(['dueAt' in date ? date.dueAt : date.expiresAt, date]);
  if (connection !== undefined) dates.push([connection.lease.dueAt, connection]);
  if (request !== undefined) dates.push([nextExpiry(state), request]);
  const [custody] = listDueCustody(state);
  if (custody !== undefined) dates.push([custody.dueAt, { custody }]);
  const [transfer] = state.internalTransfers;
  if (transfer !== undefined) dates.push([nextForgotten(state), { forgotten: transfer }]);
  const [call] = state.calls
    .filter(({ endsAt }) => endsAt !== 0)
    .sort((a, b) => a.endsAt - b.endsAt || a.market - b.market);
  if (call !== undefined && !isRestricted(state)) dates.push([call.endsAt, call]);
  if (period !== undefined) dates.push([period.isActive ? period.to : period.from, period]);
  for (const ended of state.announcements)
    if (ended.until !== 0) dates.push([ended.until, { ended }]);
  const [first] = dates.sort(([a], [b]) => a - b);
  return first === undefined || first[0] > state.time ? undefined : first[1];
}

function nextOrderOrDeadline(state: NaiveState): NaiveOrder | NaiveDeadline | undefined {
  const [order] = state.open
    .filter(({ expiresAt }) => expiresAt !== 0 && expiresAt <= state.time)
    .sort((a, b) => a.expiresAt - b.expiresAt || a.id - b.id);
  const [deadline] = inOrder(state.deadlines).filter(({ dueAt }) => dueAt <= state.time);
  if (order === undefined || deadline === undefined) return order ?? deadline;
  return order.expiresAt <= deadline.dueAt ? order : deadline;
}

export function cancelSelected(
  state: NaiveState,
  account: number,
  { market, orderIds, clientOrderId }: OrderSelection,
  reason: number,
): NaiveTradeOutcome {
  if (state.sweeps.filter((sweep) => sweep.account === account).length >= MAX_SWEEPS_PER_ACCOUNT) {
    return reject(RejectionCode.limitReached);
  }
  const known = clientOrderId === null ? undefined : placedUnder(state, account, clientOrderId);
  const ids = clientOrderId === null ? orderIds : known === undefined ? [] : [known.orderId];
  const left = () =>
    listOrders(state, account)
      .filter((order) => market === -1 || order.market === market)
      .filter((order) => ids?.includes(order.id) ?? true);
  const scanned = () => ids?.length ?? listOrders(state, account).length;
  return { kind: 'orders', ...start(state, { account, reason, scanned, left }) };
}

/** Cancels the orders of a market that is already closed and has no triggered orders. */
export function cancelMarketInPortions(
  state: NaiveState,
  market: number,
  reason: number,
): NaiveTradeOutcome {
  const left = () => {
    const pending = state.stops
      .filter((order) => order.market === market)
      .sort((a, b) => a.id - b.id);
    const stops = pending.filter(({ trailing }) => trailing === undefined);
    const trailing = pending.filter((order) => order.trailing !== undefined);
    const rising = stops.filter(triggersOnRise).sort((a, b) => a.triggerPrice - b.triggerPrice);
    const falling = stops
      .filter((order) => !triggersOnRise(order))
      .sort((a, b) => b.triggerPrice - a.triggerPrice);
    return [
      ...state.side(market, BUY),
      ...state.side(market, SELL),
      ...rising,
      ...falling,
      ...state.triggered.filter((order) => order.market === market && isStop(order.type)),
      ...delistingOrder(state, trailing),
    ];
  };
  const terms = { account: -1, reason, scanned: () => 0, left };
  const started = start(state, terms);
  if (started.sweep === undefined) return { kind: 'orders', ...started };
  const open = state.open.filter((order) => order.market === market);
  return { kind: 'orders', ...started, left: open.length };
}

function start(state: NaiveState, terms: Terms): { orders: NaiveOrder[]; sweep?: number } {
  const sweep = { ...terms, id: state.nextSweepId++, below: state.nextOrderId };
  const { orders, isDone } =
    state.endsLeft > 0 ? step(state, sweep, state.endsLeft) : { orders: [], isDone: false };
  if (isDone) return { orders };
  state.sweeps.push(sweep);
  return { orders, sweep: sweep.id };
}

function proceed(state: NaiveState, kept: number): void {
  while (state.sweeps.length > 0 && state.endsLeft > kept) {
    const sweep = state.sweeps.shift()!;
    const left = state.endsLeft - kept;
    const maximum = state.sweeps.length === 0 ? left : Math.min(left, PORTION.turn);
    const { orders, isDone } = step(state, sweep, maximum);
    if (!isDone) state.sweeps.push(sweep);
    state.swept.push({ sweep: sweep.id, orders: orders.map(({ id }) => id), isDone });
  }
}

function step(state: NaiveState, sweep: NaiveSweep, maximum: number) {
  const before = state.endsLeft;
  const scanned = Math.floor(sweep.scanned() / PORTION.scanned);
  const orders: NaiveOrder[] = [];
  let isDone = false;
  for (;;) {
    const order = sweep.left().find(({ id }) => id < sweep.below);
    isDone = order === undefined;
    if (order === undefined || before - state.endsLeft >= maximum) break;
    count(state, () => orders.push(...endEach(state, [order], sweep.reason)));
  }
  state.endsLeft -= scanned;
  if (state.endsLeft === before) state.endsLeft--;
  return { orders, isDone };
}

/** Counts the orders that `work` ends. */
function count(state: NaiveState, work: () => void): void {
  const before = state.open.length;
  work();
  state.endsLeft -= before - state.open.length;
}

/** Returns the open orders of an account, the oldest first. */
function listOrders(state: NaiveState, account: number): NaiveOrder[] {
  return state.open.filter((order) => order.account === account).sort((a, b) => a.id - b.id);
}
