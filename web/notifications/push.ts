import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { t } from '../i18n/index.ts';
import { storedValue } from '../preferences.ts';
import { askPermission } from './desktop.ts';
import { includesEvent } from './events.ts';

export const canPush = 'PushManager' in globalThis && 'serviceWorker' in navigator;
const choice = storedValue<readonly string[]>('push-events', readEvents, []);
/** The events that this browser gets while no page is open. */
export const pushedEvents = signal<readonly string[]>(canPush ? choice.value : []);

/** Returns whether this browser gets an event while no page is open. */
export function isPushed(event: string): boolean {
  return includesEvent(pushedEvents.value, event);
}

function readEvents(json: unknown): readonly string[] | undefined {
  return Array.isArray(json) ? json.filter((event) => typeof event === 'string') : undefined;
}

/** Reads the events that the exchange sends to this browser, which may have dropped its subscription. */
export async function loadPush(): Promise<void> {
  const found = await findSubscription();
  if (found === null || found === undefined) {
    set([]);
    return;
  }
  const { push } = (await api.getNotificationSettings()).notifications;
  set(push.find(({ endpoint }) => endpoint === found.endpoint)?.events ?? []);
}

/** Chooses the events that this browser gets while no page is open. @throws Error if it has no push service */
export async function setPushedEvents(events: readonly string[]): Promise<void> {
  try {
    if (events.length === 0) await unsubscribe();
    else await subscribe(events);
  } catch (error) {
    // A request whose response was lost may have taken effect.
    await loadPush().catch(() => {});
    throw error;
  }
  set(events);
}

async function subscribe(events: readonly string[]): Promise<void> {
  if ((await askPermission()) !== 'granted') {
    throw new Error(t('This browser does not allow notifications of this site.'));
  }
  const { pushKey } = (await api.getNotificationSettings()).notifications;
  const { endpoint, keys } = (await subscribeBrowser(pushKey)).toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  await api.changeNotificationSettings({
    push: { endpoint: endpoint ?? '', p256dh, auth, events: [...events] },
  });
}

/** Returns the subscription of the browser. One that it already has stays, so that a failure afterwards ends nothing. */
async function subscribeBrowser(pushKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: pushKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if ((error as Error).name !== 'InvalidStateError') throw error;
    // The browser has a subscription with another key, which is of no use and keeps it from making one.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
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
