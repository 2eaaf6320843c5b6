import { signal } from '@preact/signals';
import type { Notice } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announce } from '../components/toast.tsx';
import { grouped, sentenceCase } from '../format.ts';

const SHOWN = 20;
const REFRESH_MS = 5000;

/** The newest notices of the account, newest first; undefined until they have loaded. */
export const notices = signal<readonly Notice[] | undefined>(undefined);
export const unread = signal(0);
const order = new ResponseOrder();

/** Loads the notices. Those that arrived since the last time are announced. */
export async function loadNotices(): Promise<void> {
  const isNewest = order.begin();
  const found = await api.listNotices({ limit: SHOWN });
  if (!isNewest()) return;
  const known = notices.value?.[0]?.id ?? 0;
  const arrived = notices.value === undefined ? [] : found.notices.filter(({ id }) => id > known);
  notices.value = found.notices;
  unread.value = found.unread;
  for (const notice of arrived.reverse()) announce(noticeText(notice));
}

/** Loads the notices now, and again every few seconds while the page is visible. @returns A function that stops it. */
export function followNotices(): () => void {
  // The next attempt may succeed; the connection badge shows that the exchange is unreachable.
  const load = () => void loadNotices().catch(() => {});
  load();
  const timer = setInterval(() => {
    if (!document.hidden) load();
  }, REFRESH_MS);
  document.addEventListener('visibilitychange', load);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', load);
  };
}

/** Marks all loaded notices as read. */
export async function markRead(): Promise<void> {
  const newest = notices.value?.[0]?.id;
  if (newest === undefined || unread.value === 0) return;
  unread.value = (await api.markNoticesRead({ upTo: newest })).unread;
}

/** Returns a notice as a sentence. */
export function noticeText({ event, data }: Notice): string {
  const { symbol, side, price, direction, last, url, error } = data;
  const amount = `${data.filled ?? data.amount ?? ''}`;
  switch (event) {
    case 'price.alert':
      return `Price alert: ${symbol} is ${direction} ${number(price)} (last ${number(last ?? price)})`;
    case 'fill.created':
      return `Trade: ${side} ${number(amount)} ${symbol} at ${number(price)}`;
    case 'trade.busted':
      return `Trade reversed: ${side} ${number(amount)} ${symbol} at ${number(price)}`;
    case 'address.added':
      return `New withdrawal address: ${data.address} (${data.asset} on ${data.network})`;
    case 'webhook.failed':
      return `Webhook stopped: ${url} (${error})`;
    default: {
      const [kind, status] = event.split('.') as [string, string];
      if (kind === 'deposit' || kind === 'withdrawal') {
        return `${sentenceCase(kind)} of ${number(amount)} ${data.asset}: ${status.replaceAll('_', ' ')}`;
      }
      const what = event.startsWith('order.') ? `Order ${event.slice('order.'.length)}` : event;
      return symbol === undefined
        ? sentenceCase(what)
        : `${what}: ${side} ${number(`${data.amount ?? ''}`)} ${symbol}`;
    }
  }
}

function number(value: unknown): string {
  const text = `${value ?? ''}`;
  return /^-?\d+(\.\d+)?$/.test(text) ? grouped(text) : text;
}
