/**
 * Shows a page while the network is down, and opens the page of a notification. It never keeps responses of the exchange:
 * prices and balances of the past would look like the present.
 */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface PushEvent extends ExtendableEvent {
  readonly data: { json(): PushMessage } | null;
}
/** A message of the exchange. */
interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** Names the event, so that a message that is sent twice is shown once. */
  readonly tag: string;
  readonly path: string;
}
interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification;
}
interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
}
/** The global object of a service worker, whose types conflict with those of pages. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<readonly WindowClient[]>;
    openWindow(path: string): Promise<unknown>;
  };
}

const scope = globalThis as unknown as WorkerScope;
const CACHE = 'buttonwood-offline';
const OFFLINE = '/offline';
const OFFLINE_FILES = /\/assets\/(offline|theme)-/;

addEventListener('install', (event) => {
  (event as ExtendableEvent).waitUntil(install());
});

/**
 * Keeps the newest offline page with the files that it loads. A new worker replaces the old one at once: open pages
 * depend on neither.
 */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const page = await fetch(new Request(OFFLINE, { cache: 'reload' }));
  if (!page.ok) throw new Error(`${OFFLINE}: ${page.status}`);
  const html = await page.clone().text();
  const files = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  await cache.addAll(files);
  await cache.put(OFFLINE, page);
  const kept = [OFFLINE, ...files].map((path) => new URL(path, location.origin).href);
  for (const request of await cache.keys()) {
    if (!kept.includes(request.url)) await cache.delete(request);
  }
  await scope.skipWaiting();
}

addEventListener('activate', (event) => {
  (event as ExtendableEvent).waitUntil(scope.clients.claim());
});

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent;
  if (request.mode === 'navigate') (event as FetchEvent).respondWith(navigate(request));
  else if (OFFLINE_FILES.test(request.url)) (event as FetchEvent).respondWith(load(request));
});

/** Returns a file of the offline page; its name changes with its content. */
async function load(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

async function navigate(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await caches.match(OFFLINE, { cacheName: CACHE });
    if (page === undefined) throw error;
    return page;
  }
}

addEventListener('push', (event) => {
  const message = (event as PushEvent).data?.json();
  if (message !== undefined) (event as PushEvent).waitUntil(notify(message));
});

function notify({ title, body, tag, path }: PushMessage): Promise<void> {
  const options = { body, tag, icon: '/icon-192.png', data: { path } };
  return scope.registration.showNotification(title, options);
}

addEventListener('notificationclick', (event) => {
  const { notification } = event as NotificationEvent;
  notification.close();
  (event as NotificationEvent).waitUntil(show(notification.data?.path ?? '/trade'));
});

/** Shows a page in the tab that has it, else in a new one. */
async function show(path: string): Promise<void> {
  const open = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = open.find(({ url }) => new URL(url).pathname === path);
  await (shown === undefined ? scope.clients.openWindow(path) : shown.focus());
}
