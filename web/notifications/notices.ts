import { signal } from '@preact/signals';
import type { Notice } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announce } from '../components/toast.tsx';
import { grouped, sentenceCase } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { alerts, loadAlerts } from './alerts.ts';
import { alertUser, desktopState } from './desktop.ts';
import { isPushed } from './push.ts';
import { SOUND_EVENTS, type Sound, soundsAreOn } from './sounds.ts';

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
  for (const notice of arrived.reverse()) {
    announce(noticeText(notice));
    if (!isFill(notice) || !hasFillStream) alertByDevice(notice);
  }
  // A triggered alert is no longer a line of the chart.
  if (alerts.peek() !== undefined && arrived.some(({ event }) => event === 'price.alert'))
    await loadAlerts();
}

/** Whether the page has a stream of fills, which reports them at once. */
let hasFillStream = false;

/** Leaves alerts about fills to the page, which receives them by a stream. */
export function alertFillsByStream(): void {
  hasFillStream = true;
}

function isFill({ event }: Notice): boolean {
  return event === 'fill.created';
}

/** Returns the sound of a notice; undefined if it has none, or the page has played it when the stream reported the order. */
function findSound({ event }: Notice): Sound | undefined {
  return event === 'order.filled' && hasFillStream ? undefined : SOUND_EVENTS[event];
}

function alertByDevice(notice: Notice): void {
  const { symbol } = notice.data;
  alertUser({
    title: notice.event === 'price.alert' ? t('Price alert') : t('Buttonwood'),
    text: noticeText(notice),
    tag: `notice ${notice.id}`,
    sound: findSound(notice),
    isPushed: isPushed(notice.event),
    path: typeof symbol === 'string' ? `/trade/${symbol.replace('/', '-')}` : '/portfolio',
  });
}

/**
 * Loads the notices now, and again every few seconds while the page is visible or the browser shows notifications of
 * it. @returns A function that stops it.
 */
export function followNotices(): () => void {
  // The next attempt may succeed; the connection badge shows that the exchange is unreachable.
  const load = () => void loadNotices().catch(() => {});
  load();
  const timer = setInterval(() => {
    if (!document.hidden || desktopState.value === 'on' || soundsAreOn()) load();
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

/** Texts of events; `side`, `direction` and `status` are words of the API. */
const TEXTS: Readonly<Record<string, string>> = {
  'price.alert': msg(
    'Price alert: {symbol} is {direction, select, above {above} other {below}} {price} (last {last})',
  ),
  'fill.created': msg(
    'Trade: {side, select, buy {bought} other {sold}} {amount} {symbol} at {price}',
  ),
  'trade.busted': msg(
    'Trade reversed: {side, select, buy {bought} other {sold}} {amount} {symbol} at {price}',
  ),
  'address.added': msg('New withdrawal address: {address} ({asset} on {network})'),
  'webhook.failed': msg('Webhook stopped: {url} ({error})'),
  'order.filled': msg('Order filled: {side, select, buy {buy} other {sell}} {ordered} {symbol}'),
  'order.canceled': msg(
    'Order canceled: {side, select, buy {buy} other {sell}} {ordered} {symbol}',
  ),
  'order.expired': msg('Order expired: {side, select, buy {buy} other {sell}} {ordered} {symbol}'),
  'order.rejected': msg(
    'Order rejected: {side, select, buy {buy} other {sell}} {ordered} {symbol}',
  ),
};

/** Returns a notice as a sentence. */
export function noticeText({ event, data }: Notice): string {
  const { side, price, direction, last } = data;
  const values = {
    ...(data as Record<string, string>),
    side: `${side}`,
    direction: `${direction}`,
    amount: number(data.filled ?? data.amount),
    ordered: number(data.amount),
    price: number(price),
    last: number(last ?? price),
  };
  const text = TEXTS[event];
  const isWhole = data.symbol !== undefined || !text?.includes('{symbol}');
  if (text !== undefined && isWhole) return t(text, values);
  const [kind, status = ''] = event.split('.');
  const named = { ...values, status: status.replaceAll('_', ' ') };
  if (kind === 'deposit') return t('Deposit of {amount} {asset}: {status}', named);
  if (kind === 'withdrawal') return t('Withdrawal of {amount} {asset}: {status}', named);
  return sentenceCase(event.replaceAll('.', ' '));
}

function number(value: unknown): string {
  const text = `${value ?? ''}`;
  return /^-?\d+(\.\d+)?$/.test(text) ? grouped(text) : text;
}
