import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { t } from '../i18n/index.ts';
import { storedValue } from '../preferences.ts';

/** The events that can be sent to a browser without an open page. */
export const PUSHED_EVENTS = ['fill.created', 'price.alert'];

export const canPush = 'PushManager' in globalThis && 'serviceWorker' in navigator;
const choice = storedValue<readonly string[]>('push-events', readEvents, []);
/** The events that this browser gets while no page is open. */
export const pushedEvents = signal<readonly string[]>(canPush ? choice.value : []);

function readEvents(json: unknown): readonly string[] | undefined {
  return Array.isArray(json) ? PUSHED_EVENTS.filter((event) => json.includes(event)) : undefined;
}

/** Reads whether the browser still has its subscription, which it may have dropped. */
export async function loadPush(): Promise<void> {
  const found = await findSubscription();
  set(found === null || found === undefined ? [] : choice.value);
}

/** Chooses the events that this browser gets while no page is open. @throws Error if it has no push service */
export async function setPushedEvents(events: readonly string[]): Promise<void> {
  if (events.length === 0) await unsubscribe();
  else await subscribe(events);
  set(events);
}

async function subscribe(events: readonly string[]): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(t('This browser does not allow notifications of this site.'));
  }
  const { pushKey } = (await api.getNotificationSettings()).notifications;
  const worker = await navigator.serviceWorker.ready;
  // A subscription with another key is of no use, and keeps the browser from making one.
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: pushKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  await api.changeNotificationSettings({
    push: { endpoint: endpoint ?? '', p256dh, auth, events: [...events] },
  });
}

/** Ends the subscription: its address stops working at once, and the exchange removes it after its next message. */
async function unsubscribe(): Promise<void> {
  await (await findSubscription())?.unsubscribe();
}

async function findSubscription() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.pushManager?.getSubscription();
}

function set(events: readonly string[]): void {
  pushedEvents.value = events;
  choice.value = events;
}
