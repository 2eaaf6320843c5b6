import { computed, signal } from '@preact/signals';
import { preference } from '../preferences.ts';
import { playSound, type Sound } from './sounds.ts';

const choice = preference('desktop-notifications', ['off', 'on'], 'off');
const isSupported = 'Notification' in globalThis;
/** Whether the user lets this browser show notifications of this site. */
export const permission = signal(isSupported ? Notification.permission : 'denied');
if (isSupported) {
  // The user may change it in the settings of the browser while the page is open.
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => {
      status.onchange = () => (permission.value = Notification.permission);
    })
    // Browsers that cannot watch this permission show the change after a reload.
    .catch(() => {});
}

/** Whether the browser shows notifications of this site: `unsupported`, `blocked` by the user, `on` or `off`. */
export const desktopState = computed(() => {
  if (!isSupported) return 'unsupported';
  if (permission.value === 'denied') return 'blocked';
  return choice.value === 'on' && permission.value === 'granted' ? 'on' : 'off';
});

/** Turns notifications by the browser on, which asks the user for permission, or off. */
export async function setDesktop(isOn: boolean): Promise<void> {
  if (isOn && isSupported) await askPermission();
  choice.value = isOn && permission.value === 'granted' ? 'on' : 'off';
}

/** Asks the user for permission to show notifications, unless that is decided. */
export async function askPermission(): Promise<NotificationPermission> {
  permission.value = await Notification.requestPermission();
  return permission.value;
}

interface Alert {
  readonly title: string;
  readonly text: string;
  /** Names the event: other tabs replace its notification instead of adding one. */
  readonly tag: string;
  /** Undefined if the page has played it already. */
  readonly sound?: Sound | undefined;
  /** Whether the exchange also sends it to this browser as a message, which the service worker shows. */
  readonly isPushed: boolean;
  /** The page that a click opens. */
  readonly path: string;
}

/** Plays the sound of an event, and shows it outside the page unless the user is looking at the page. */
export function alertUser({ title, text, tag, sound, path, isPushed }: Alert): void {
  if (sound !== undefined) playSound(sound);
  const isSeen = !document.hidden && document.hasFocus();
  if (desktopState.value === 'on' && !isSeen && !isPushed) void show(title, text, tag, path);
}

async function show(title: string, body: string, tag: string, path: string): Promise<void> {
  const options = { body, tag, icon: '/icon-192.png', data: { path } };
  const worker = await navigator.serviceWorker?.getRegistration();
  // Android shows notifications only through a service worker, whose notifications also outlive the page.
  if (worker?.active) return worker.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}
