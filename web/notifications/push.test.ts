import { afterAll, beforeEach, expect, spyOn, test } from 'bun:test';

/** A browser with a push service, and an exchange whose requests may fail. */
let subscription: { key: string; endpoint: string } | undefined;
let stored: { endpoint: string; events: readonly string[] }[] = [];
let failure: 'before' | 'after' | undefined;
let made = 0;

const shown = () =>
  subscription === undefined
    ? null
    : {
        endpoint: subscription.endpoint,
        toJSON: () => ({ endpoint: subscription!.endpoint, keys: {} }),
        async unsubscribe() {
          subscription = undefined;
        },
      };
const pushManager = {
  getSubscription: async () => shown(),
  async subscribe({ applicationServerKey: key }: { applicationServerKey: string }) {
    if (subscription !== undefined && subscription.key !== key) {
      throw Object.assign(new Error('another key'), { name: 'InvalidStateError' });
    }
    subscription ??= { key, endpoint: `https://push.example/${made++}` };
    return shown();
  },
};
const worker = { pushManager };
const globals = {
  location: { origin: 'https://exchange.example' },
  PushManager: class {},
  Notification: { requestPermission: async () => 'granted' },
};
Object.assign(globalThis, globals);
Object.defineProperty(navigator, 'serviceWorker', {
  configurable: true,
  value: { ready: Promise.resolve(worker), getRegistration: async () => worker },
});
// Paths in variables: the types of browsers are not those of the tests.
const [apiPath, pushPath] = ['../api.ts', './push.ts'];
const { api } = await import(apiPath);
const { isPushed, loadPush, pushedEvents, setPushedEvents } = await import(pushPath);

const settings = () =>
  Promise.resolve({ notifications: { page: [], mail: [], push: stored, pushKey: 'key' } });
const reading = spyOn(api, 'getNotificationSettings').mockImplementation(settings);
const writing = spyOn(api, 'changeNotificationSettings').mockImplementation(
  async (sent: { push: (typeof stored)[0] }) => {
    const { endpoint, events } = sent.push;
    if (failure !== 'before') {
      stored = [...stored.filter((each) => each.endpoint !== endpoint), { endpoint, events }];
    }
    if (failure !== undefined) throw new Error('no response');
    return settings();
  },
);

beforeEach(async () => {
  subscription = undefined;
  stored = [];
  failure = undefined;
  await setPushedEvents(['fill.created']);
});
afterAll(() => {
  reading.mockRestore();
  writing.mockRestore();
  for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

const BOTH = ['fill.created', 'price.alert'];

test('a failed change leaves the subscription and its events', async () => {
  failure = 'before';
  await expect(setPushedEvents(BOTH)).rejects.toThrow('no response');
  expect(pushedEvents.value).toEqual(['fill.created']);
  expect(stored).toEqual([{ endpoint: subscription!.endpoint, events: ['fill.created'] }]);
});

test('a change whose response was lost is shown as the exchange has it', async () => {
  failure = 'after';
  await expect(setPushedEvents(BOTH)).rejects.toThrow('no response');
  expect(pushedEvents.value).toEqual(BOTH);
});

test('events that the exchange has forgotten, as after signing out, are shown as off', async () => {
  stored = [];
  await loadPush();
  expect(pushedEvents.value).toEqual([]);
});

test('a subscription with another key is replaced', async () => {
  subscription = { ...subscription!, key: 'former' };
  const { endpoint } = subscription;
  await setPushedEvents(BOTH);
  expect(subscription.key).toBe('key');
  expect(subscription.endpoint).not.toBe(endpoint);
  expect(stored.at(-1)).toEqual({ endpoint: subscription.endpoint, events: BOTH });
});

test('a pattern of the exchange includes each of its events', async () => {
  await setPushedEvents(['deposit.*', 'order.filled']);
  expect(['deposit.credited', 'order.filled', 'order.canceled'].map(isPushed)).toEqual([
    true,
    true,
    false,
  ]);
});

test('without events the subscription ends', async () => {
  await setPushedEvents([]);
  expect(subscription).toBeUndefined();
  expect(pushedEvents.value).toEqual([]);
});
