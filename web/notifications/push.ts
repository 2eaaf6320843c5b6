import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';

/** The events that are sent to a browser without an open page. */
export const PUSHED_EVENTS = ['fill.created', 'price.alert'];

const choice = preference('push', ['off', 'on'], 'off');
export const canPush = 'PushManager' in globalThis && 'serviceWorker' in navigator;
/** Whether this browser gets messages of the exchange while no page is open. */
export const pushIsOn = signal(canPush && choice.value === 'on');

/** Reads whether the browser still has its subscription, which it may have dropped. */
export async function loadPush(): Promise<void> {
  const found = await findSubscription();
  setOn(choice.value === 'on' && found !== null && found !== undefined);
}

/** Asks the browser for a subscription and stores it with the user. @throws Error if the browser has no push service */
export async function turnPushOn(): Promise<void> {
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
    push: { endpoint: endpoint ?? '', p256dh, auth, events: PUSHED_EVENTS },
  });
  setOn(true);
}

/** Ends the subscription: its address stops working at once, and the exchange removes it after its next message. */
export async function turnPushOff(): Promise<void> {
  await (await findSubscription())?.unsubscribe();
  setOn(false);
}

async function findSubscription() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return worker?.pushManager?.getSubscription();
}

function setOn(isOn: boolean): void {
  pushIsOn.value = isOn;
  choice.value = isOn ? 'on' : 'off';
}
