import { batch, computed, effect, signal, untracked } from '@preact/signals';
import Big from 'big.js';
import { ApiRequestError, type Balance, StreamClosedError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { announce, announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { openStreams } from '../live.ts';
import { alertUser } from '../notifications/desktop.ts';
import { alertFillsByStream } from '../notifications/notices.ts';
import { isPushed } from '../notifications/push.ts';
import { playFilled, playTrade } from '../notifications/sounds.ts';
import { loadSession, profile } from '../session.ts';
import { FillToasts } from './fill-toasts.ts';
import { ruleChanges } from './market-updates.ts';
import { marketPath, priceDecimalsFor } from './markets.ts';
import { describeFills, describeOutcome } from './order-outcome.ts';
import type { ExactFill, ExactOrder } from './records.ts';

export type ExactBalance = Balance<string>;

/** Newest first. */
export const openOrders = signal<readonly ExactOrder[]>([]);
/** Closed orders loaded so far, newest first; undefined until the first page has loaded. */
export const pastOrders = signal<readonly ExactOrder[] | undefined>(undefined);
export const fills = signal<readonly ExactFill[] | undefined>(undefined);
export const balances = signal<readonly ExactBalance[]>([]);
/** Whether the balances have loaded, without which every order would seem to lack funds. */
export const hasBalances = signal(false);
/** The account's fee rates by symbol. */
export const fees = signal<ReadonlyMap<string, { makerFee: string; takerFee: string }>>(new Map());
/** Cursors of the next pages; null after the last page. */
export const cursors = signal<{ orders: string | null; fills: string | null }>({
  orders: null,
  fills: null,
});

export const isSignedIn = computed(() => Boolean(profile.value));
export const canTrade = computed(() => profile.value?.permissions.includes('trade') ?? false);

export function available(asset: string): Big | undefined {
  const balance = balances.value.find((each) => each.asset === asset);
  return balance === undefined ? undefined : new Big(balance.available);
}

const PAGE_SIZE = 50;

/** Loads the next page of closed orders. */
export async function loadPastOrders(): Promise<void> {
  const cursor = cursors.value.orders ?? undefined;
  const page = await api.listOrders({ status: 'closed', limit: PAGE_SIZE, cursor });
  pastOrders.value = newestFirst([...(pastOrders.value ?? []), ...page.orders], orderKey);
  cursors.value = { ...cursors.value, orders: page.nextCursor };
}

/** Loads the next page of fills. */
export async function loadFills(): Promise<void> {
  const cursor = cursors.value.fills ?? undefined;
  const page = await api.getFills({ limit: PAGE_SIZE, cursor });
  fills.value = newestFirst([...(fills.value ?? []), ...page.fills], fillKey);
  cursors.value = { ...cursors.value, fills: page.nextCursor };
}

/** Announces fills, except those that the outcome of an order reports. */
export const fillToasts = new FillToasts((arrived) => {
  const [{ id, orderId, symbol }] = arrived as [ExactFill];
  const text = describeFills(arrived, priceDecimalsFor(symbol));
  announce(text, 'success');
  alertUser({
    title: t('Trade in {symbol}', { symbol }),
    text,
    tag: `fill ${id} ${orderId}`,
    isPushed: isPushed('fill.created'),
    path: marketPath(symbol),
  });
});

/** Subscribes to the private channels while a user is signed in. */
export function startAccount(): void {
  alertFillsByStream();
  effect(() => {
    if (!isSignedIn.value) return;
    return untracked(followAccount);
  });
  effect(() => {
    if (ruleChanges.value > 0 && isSignedIn.peek()) loadFees().catch(announceError);
  });
}

/** Handles a stream error; the session may have been ended in another tab. */
function onStreamError(error: Error): void {
  if (error instanceof ApiRequestError && error.code === 'UNAUTHORIZED') {
    announce(t('You were signed out. Sign in to see your orders and balances.'), 'error');
    loadSession().catch(announceError);
  } else announceError(error);
}

function followAccount(): () => void {
  const { streams, close } = openStreams(true, onStreamError);
  const wasOpen = new Set<string>();
  const subscriptions = [
    streams.subscribe({ channel: 'orders' }, ({ op, data }) =>
      applyOrders(op === 'snapshot', data.orders, wasOpen),
    ),
    streams.subscribe({ channel: 'fills' }, ({ op, data }) => {
      if (data.busts !== undefined) {
        fills.value = newestFirst([...data.busts, ...(fills.value ?? [])], fillKey);
        announce(
          t('A trade in {symbol} was busted and reversed.', { symbol: data.busts[0]!.symbol }),
          'error',
        );
      }
      if (op === 'update' && data.fills.length > 0) {
        fills.value = newestFirst([...data.fills, ...(fills.value ?? [])], fillKey);
        playTrade();
        fillToasts.add(data.fills);
      }
    }),
    streams.subscribe({ channel: 'balances' }, ({ op, data }) => {
      const known = op === 'snapshot' ? [] : balances.value;
      const changed = new Set(data.balances.map(({ asset }) => asset));
      balances.value = [...known.filter(({ asset }) => !changed.has(asset)), ...data.balances].sort(
        (a, b) => (a.asset < b.asset ? -1 : 1),
      );
      hasBalances.value = true;
    }),
  ];
  Promise.all(subscriptions).catch((error) => {
    if (!(error instanceof StreamClosedError)) onStreamError(error);
  });
  Promise.all([loadPastOrders(), loadFills(), loadFees()]).catch(announceError);
  return close;
}

async function loadFees(): Promise<void> {
  const { fees: rates } = await api.getFees();
  fees.value = new Map(rates.map((fee) => [fee.symbol, fee]));
}

function applyOrders(
  isSnapshot: boolean,
  orders: readonly ExactOrder[],
  wasOpen: Set<string>,
): void {
  const changed = new Set(orders.map(({ orderId }) => orderId));
  const kept = isSnapshot ? [] : openOrders.value.filter(({ orderId }) => !changed.has(orderId));
  const closed = orders.filter(({ status }) => status !== 'open');
  if (!isSnapshot && closed.some(({ status }) => status === 'filled')) playFilled();
  for (const order of closed) {
    if (wasOpen.has(order.orderId) && order.status === 'rejected') {
      announce(describeOutcome(order, priceDecimalsFor(order.symbol)).text, 'error');
    }
  }
  batch(() => {
    const open = orders.filter(({ status }) => status === 'open');
    for (const { orderId } of open) wasOpen.add(orderId);
    openOrders.value = newestFirst([...open, ...kept], orderKey);
    if (closed.length > 0) {
      pastOrders.value = newestFirst([...closed, ...(pastOrders.value ?? [])], orderKey);
    }
  });
}

const orderKey = ({ orderId }: ExactOrder) => orderId;
const fillKey = ({ id, orderId, side }: ExactFill) => `${id} ${orderId} ${side}`;

/** Removes duplicates (the first occurrence wins) and sorts newest first. */
function newestFirst<Row extends { readonly timestamp: string }>(
  rows: readonly Row[],
  readKey: (row: Row) => string,
): Row[] {
  const unique = new Map<string, Row>();
  for (const row of rows) if (!unique.has(readKey(row))) unique.set(readKey(row), row);
  return [...unique.values()].sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
}
