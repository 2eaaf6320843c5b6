import {
  depositStatusName,
  shownDepositStatuses,
  withdrawalStatuses,
} from '../../engine/custody/statuses.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import { orderStatuses } from '../../engine/terms.ts';
import type { CustodyChange, EndedOrder, Fill, Page } from '../../history/history.ts';
import type { Notice } from '../../users/notifications/notices.ts';
import type { Cursor, Subscription } from '../../users/notifications/subscriptions.ts';
import { depositText, withdrawalText } from '../endpoints/custody/custody-records.ts';
import { fillText } from '../endpoints/fills.ts';
import { orderText } from '../endpoints/records.ts';
import type { NotificationServices } from './notification-services.ts';

/** The events that subscriptions may have. */
export const eventNames = [
  'fill.created',
  'order.filled',
  'order.canceled',
  'order.expired',
  'order.rejected',
  'price.alert',
  'trade.busted',
  ...shownDepositStatuses.map((status) => `deposit.${status}` as const),
  ...withdrawalStatuses.map((status) => `withdrawal.${status}` as const),
] as const;
export type EventName = (typeof eventNames)[number];

/** One event of an account. */
export interface AccountEvent {
  /** Unique within the account; the same whenever the event is read. */
  readonly id: string;
  readonly name: EventName;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The record, as JSON. */
  readonly data: string;
}

/** The events that follow a cursor. */
export interface EventPage {
  readonly events: readonly (AccountEvent & { readonly cursor: Cursor })[];
  /** The cursor after all of them, and after everything that no event was made of. */
  readonly cursor: Cursor;
  /** Whether there may be more. */
  readonly hasMore: boolean;
  /** Whether nothing was recorded since the cursor. */
  readonly isEmpty: boolean;
}

/** Records read at once from each source. */
const PAGE = 100;
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** Returns whether a subscription has an event. @param pattern A name, `*`, or the beginning of a name and `.*`. */
export function matchesEvent(pattern: string, name: string): boolean {
  if (pattern === '*' || pattern === name) return true;
  return pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1));
}

/** Returns the cursor of a subscription that begins now. */
export async function presentCursor({ replica, users }: NotificationServices): Promise<Cursor> {
  const { position, exchange } = replica;
  // Both as of the same moment.
  const tradeId = exchange.state.nextTradeId - 1;
  const noticeId = await users.lastNoticeId();
  return {
    ...{ orderBatch: position, orderId: LAST_ID, tradeId, noticeId },
    ...{ custodyBatch: position, custodyIndex: LAST_ID },
  };
}

/**
 * Returns the next events of a subscription, in the order in which they happened. They are read from history, so nothing
 * is lost while a receiver or this node is down.
 */
export async function readEvents(
  { events: patterns, cursor }: Pick<Subscription, 'events' | 'cursor'>,
  account: Account,
  services: NotificationServices,
): Promise<EventPage> {
  const wants = (prefix: string) =>
    eventNames.some(
      (name) => name.startsWith(prefix) && patterns.some((each) => matchesEvent(each, name)),
    );
  const present = await presentCursor(services);
  const [orders, fills, notices, changes] = await Promise.all([
    wants('order.') ? readOrders(account, cursor, present, services) : [],
    wants('fill.') ? readFills(account, cursor, present, services) : [],
    wants('price.') || wants('trade.') ? readNotices(account, cursor, present, services) : [],
    wants('deposit.') || wants('withdrawal.')
      ? readChanges(account, cursor, present, services)
      : [],
  ]);
  return mergeEvents({ orders, fills, notices, changes }, cursor, present, services, patterns);
}

async function readOrders(
  { index }: Account,
  cursor: Cursor,
  present: Cursor,
  { archivist }: NotificationServices,
): Promise<EndedOrder[]> {
  const after = { endedIn: cursor.orderBatch, id: cursor.orderId };
  const filter = { account: index, after, upTo: present.orderBatch, limit: PAGE };
  return (await archivist.query(
    { kind: 'endedOrders', filter },
    present.orderBatch,
  )) as EndedOrder[];
}

async function readFills(
  { index }: Account,
  { tradeId }: Cursor,
  present: Cursor,
  { archivist }: NotificationServices,
): Promise<readonly Fill[]> {
  const range = { afterId: tradeId, beforeId: present.tradeId + 1, descending: false, limit: PAGE };
  const filter = { account: index, ...range };
  const page = await archivist.query({ kind: 'fills', filter }, present.orderBatch);
  return (page as Page<Fill>).items;
}

async function readChanges(
  { index }: Account,
  { custodyBatch, custodyIndex }: Cursor,
  { orderBatch: upTo }: Cursor,
  { archivist }: NotificationServices,
): Promise<CustodyChange[]> {
  const after = { changedIn: custodyBatch, changeIndex: custodyIndex };
  const filter = { account: index, after, upTo, limit: PAGE };
  return (await archivist.query({ kind: 'custodyChanges', filter }, upTo)) as CustodyChange[];
}

async function readNotices(
  { id }: Account,
  { noticeId }: Cursor,
  present: Cursor,
  { users }: NotificationServices,
): Promise<Notice[]> {
  const found = await Promise.all(
    ['price.', 'trade.'].map((prefix) => users.notices.after(id, noticeId, prefix, PAGE)),
  );
  const notices = found.flat().sort((a, b) => a.id - b.id);
  return notices.slice(0, PAGE).filter((notice) => notice.id <= present.noticeId);
}

interface Sources {
  readonly orders: readonly EndedOrder[];
  readonly fills: readonly Fill[];
  readonly notices: readonly Notice[];
  readonly changes: readonly CustodyChange[];
}

/** One event, and the part of the cursor that it moves. */
type Moving = AccountEvent & { readonly moves: Partial<Cursor> };

/** Merges the sources by time, as far as all of them have been read. Fills precede the orders that they ended. */
function mergeEvents(
  sources: Sources,
  from: Cursor,
  present: Cursor,
  services: NotificationServices,
  patterns: readonly string[],
): EventPage {
  const lists = [
    sources.fills.map((fill) => fillEvent(fill, services)),
    sources.orders.map((ended) => orderEvent(ended, services)),
    inOrder(sources.notices.map(noticeEvent)),
    sources.changes.map((change) => changeEvent(change, services)),
  ];
  const full = lists.filter(({ length }) => length >= PAGE);
  // A source that was not read to its end may have more at the time of its last record.
  const readUntil = Math.min(...full.map((list) => list.at(-1)!.time), Number.POSITIVE_INFINITY);
  const merged = lists.flat().sort((a, b) => a.time - b.time);
  const usable = merged.filter(({ time }) => time <= readUntil);
  let cursor = from;
  const events = usable.flatMap(({ moves, ...event }) => {
    cursor = { ...cursor, ...moves };
    return patterns.some((each) => matchesEvent(each, event.name)) ? [{ ...event, cursor }] : [];
  });
  const hasMore = full.length > 0;
  const isEmpty = merged.length === 0;
  return { events, cursor: hasMore ? cursor : present, hasMore, isEmpty };
}

/** Gives events times that do not decrease, so that sorting by time keeps their order. */
function inOrder(events: readonly Moving[]): Moving[] {
  let latest = 0;
  return events.map((event) => {
    latest = Math.max(latest, event.time);
    return { ...event, time: latest };
  });
}

function fillEvent(fill: Fill, { replica }: NotificationServices): Moving {
  const market = replica.exchange.state.markets[fill.market]!;
  return {
    id: `fill-${fill.tradeId}`,
    name: 'fill.created',
    time: fill.time,
    data: fillText(fill, market),
    moves: { tradeId: fill.tradeId },
  };
}

function orderEvent({ order, endedIn }: EndedOrder, { replica }: NotificationServices): Moving {
  const market = replica.exchange.state.markets[order.market]!;
  return {
    id: `order-${order.id}`,
    name: `order.${orderStatuses[order.status]}` as EventName,
    time: order.updatedAt,
    data: orderText(order, market),
    moves: { orderBatch: endedIn, orderId: order.id },
  };
}

function changeEvent(change: CustodyChange, { replica }: NotificationServices): Moving {
  const { kind, id, updatedAt, changedIn, changeIndex } = change;
  const { state } = replica.exchange;
  const [name, data]: [EventName, string] =
    change.kind === 'deposit'
      ? [`deposit.${depositStatusName(change)}`, depositText(change, state)]
      : [`withdrawal.${withdrawalStatuses[change.status]}`, withdrawalText(change, state)];
  return {
    id: `${kind}-${id}-${changedIn}-${changeIndex}`,
    name,
    time: updatedAt,
    data,
    moves: { custodyBatch: changedIn, custodyIndex: changeIndex },
  };
}

function noticeEvent({ id, event, createdAt, data }: Notice): Moving {
  return {
    id: `notice-${id}`,
    name: event as EventName,
    time: createdAt,
    data,
    moves: { noticeId: id },
  };
}
