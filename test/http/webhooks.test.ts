import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { CommandKind } from '../../src/engine/command.ts';
import { NONE } from '../../src/engine/terms.ts';
import { presentCursor } from '../../src/gateway/notifications/account-events.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { checkAsync } from '../check.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Webhooks, price alerts and notices, with a real receiver. */

interface Received {
  readonly id: string;
  readonly type: string;
  readonly accountId: string;
  readonly data: { readonly [field: string]: unknown };
}

const SYMBOL = 'BTC/USDT';
let exchange: TestExchange;
/** The requests that the receiver has accepted. */
let accepted: Received[] = [];
/** Signatures of all requests. */
let signatures: { content: string; signature: string }[] = [];
/** Returns the status of the next response. */
let respond: () => number = () => 204;

const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const id = request.headers.get('webhook-id')!;
    const body = await request.text();
    const timestamp = request.headers.get('webhook-timestamp');
    const signature = request.headers.get('webhook-signature')!;
    signatures.push({ content: `${id}.${timestamp}.${body}`, signature });
    const status = respond();
    if (status === 204) accepted.push({ ...JSON.parse(body), id });
    return new Response(null, { status });
  },
});
const url = `http://127.0.0.1:${receiver.port}/hook`;

beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(async () => {
  await exchange.close();
  receiver.stop(true);
});
afterEach(async () => {
  for (const name of ['alice', 'bob']) await call(name, 'DELETE', '/api/orders?all=true');
  accepted = [];
  signatures = [];
  respond = () => 204;
});

async function call(name: string, method: string, path: string, body?: unknown) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await exchange.send(name, method, path, text);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

async function createWebhook(events: readonly string[], name = 'alice') {
  return call(name, 'POST', '/api/webhooks', { url, events });
}

/** Waits until a condition holds. The test's own timeout ends it. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(2);
}

async function place(name: string, order: Record<string, unknown>): Promise<void> {
  exchange.now += 10;
  await exchange.place(name, { symbol: SYMBOL, type: 'limit', ...order });
}

/** Requests a withdrawal of alice. @returns Its id */
async function requestWithdrawal(): Promise<number> {
  const { accountsById, assetsByName } = exchange.state;
  const user = { account: accountsById.get('alice')!.index, key: NONE };
  const added = await exchange.replica.execute({
    ...{ kind: CommandKind.addWithdrawalAddress, ...user, network: 0 },
    ...{ address: 'bc1qtheirs', memo: '' },
  });
  const { entry } = added as Extract<typeof added, { kind: 'withdrawalAddress' }>;
  const requested = await exchange.replica.execute({
    ...{ kind: CommandKind.requestWithdrawal, ...user, addressId: entry.id },
    ...{ amount: 10 ** assetsByName.get('BTC')!.decimals / 100, clientId: null },
    isNewDevice: false,
  });
  return (requested as Extract<typeof requested, { kind: 'withdrawal' }>).withdrawal.id;
}

/** Returns the ids of all events that history has of an account, sorted. */
async function listHistory(name: string): Promise<string[]> {
  const { orders } = await call(name, 'GET', '/api/orders?status=closed&limit=1000');
  const { fills } = await call(name, 'GET', '/api/fills?limit=1000');
  return [
    ...orders.map((order: { orderId: string }) => `order-${order.orderId}`),
    ...fills.map((fill: { id: string }) => `fill-${fill.id}`),
  ].sort();
}

describe('a webhook', () => {
  test('gets every event once in order, whatever its receiver and its owner do', async () => {
    const action = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          side: fc.constantFrom('buy', 'sell'),
          ticks: fc.nat(6),
          amount: fc.integer({ min: 1, max: 5 }),
          by: fc.constantFrom('alice', 'bob'),
        }),
      },
      { weight: 1, arbitrary: fc.constant('cancel' as const) },
      { weight: 1, arbitrary: fc.constant('pause' as const) },
      { weight: 1, arbitrary: fc.constant('reload' as const) },
    );
    const property = fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 40 }),
      fc.infiniteStream(fc.constantFrom(204, 204, 204, 500, 302)),
      async (actions, statuses) => {
        accepted = [];
        respond = () => statuses.next().value!;
        const before = new Set(await listHistory('alice'));
        const { webhook } = await createWebhook(['order.*', 'fill.created']);
        for (const each of actions) {
          if (each === 'cancel') await call('alice', 'DELETE', `/api/orders?symbol=${SYMBOL}`);
          else if (each === 'reload') await exchange.notifications.reload();
          else if (each === 'pause') {
            await call('alice', 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'paused' });
            await call('alice', 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'active' });
          } else {
            const { by, side, ticks, amount } = each;
            await place(by, { side, price: 1000 + ticks, amount: amount / 100 });
          }
        }
        await call('alice', 'DELETE', `/api/orders?symbol=${SYMBOL}`);
        const expected = (await listHistory('alice')).filter((id) => !before.has(id));
        // A request of the webhook before may arrive late, if that was interrupted.
        const own = () => accepted.filter(({ id }) => id.startsWith(`${webhook.id}-`));
        const ids = () => new Set(own().map(({ id }) => id.slice(`${webhook.id}-`.length)));
        await until(() => ids().size >= expected.length);
        expect([...ids()].sort()).toEqual(expected);
        // Repetitions of an accepted delivery are possible only if its owner changed the webhook in the meantime.
        expect(inOrder(own())).toBe(true);
        await call('alice', 'DELETE', `/api/webhooks/${webhook.id}`);
      },
    );
    await checkAsync(property, 20);
  }, 60_000);

  test('gets every change of a deposit and a withdrawal once in order, over interruptions', async () => {
    const custodian = await TestCustodian.open(exchange);
    const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qown' };
    await custodian.report('/addresses', { ...place, account: 'alice' });
    const random = seededRandom(5);
    const { webhook } = await createWebhook(['deposit.*', 'withdrawal.*']);
    const others = await createWebhook(['*'], 'bob');
    const expected: string[] = [];
    respond = () => (below(4, random) === 0 ? 500 : 204);
    for (let n = 0; n < 150; n++) {
      // Many changes have the same time, and some the same deposit too.
      if (n % 20 === 0) exchange.now += 1;
      const payment = { ...place, transaction: `tx-${below(4, random)}`, index: 0, amount: 0.5 };
      const { json } = await custodian.report('/deposits', {
        ...{ ...payment, report: n + 1, confirmations: below(5, random) },
        reorganized: below(4, random) === 0,
      });
      const { id, status, confirmations } = json.data.deposit;
      if (json.data.changed) expected.push(`deposit.${status} ${id} ${confirmations}`);
      if (n % 40 === 10) {
        await call('alice', 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'paused' });
      }
      if (n % 40 === 30) {
        await call('alice', 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'active' });
      }
      if (n % 25 === 0) await exchange.notifications.reload();
    }
    expect(expected.length).toBeGreaterThan(75);
    await call('alice', 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'active' });
    const requested = await requestWithdrawal();
    const failed = { withdrawal: requested, status: 'failed', reason: 'no fuel', report: 1 };
    expect((await custodian.report('/withdrawals', failed)).status).toBe(200);
    for (const status of ['approved', 'failed']) {
      expected.push(`withdrawal.${status} ${requested} undefined`);
    }
    const distinct = () => [...new Map(accepted.map((each) => [each.id, each])).values()];
    await until(() => distinct().length >= expected.length);
    const shown = distinct().map(({ type, data }) => `${type} ${data.id} ${data.confirmations}`);
    expect(shown).toEqual(expected);
    expect(accepted.every(({ accountId }) => accountId === 'alice')).toBe(true);
    await call('alice', 'DELETE', `/api/webhooks/${webhook.id}`);
    await call('bob', 'DELETE', `/api/webhooks/${others.webhook.id}`);
  });

  test('signs with its secret, and for a day with the one before', async () => {
    const { webhook, secret } = await createWebhook(['*']);
    const path = `/api/webhooks/${webhook.id}`;
    const isSignedWith = (text: string) => {
      const { content, signature } = signatures.at(-1)!;
      const key = Buffer.from(text.slice('whsec_'.length), 'base64');
      const expected = createHmac('sha256', key).update(content).digest('base64');
      return signature.split(' ').includes(`v1,${expected}`);
    };
    await call('alice', 'POST', `${path}/test`, {});
    expect(isSignedWith(secret)).toBe(true);
    expect((await call('alice', 'POST', `${path}/secret`, { renew: false })).secret).toBe(secret);
    const renewed = (await call('alice', 'POST', `${path}/secret`, { renew: true })).secret;
    await call('alice', 'POST', `${path}/test`, {});
    expect([isSignedWith(secret), isSignedWith(renewed)]).toEqual([true, true]);
    exchange.now += 86_400_000;
    await call('alice', 'POST', `${path}/test`, {});
    expect([isSignedWith(secret), isSignedWith(renewed)]).toEqual([false, true]);
    await call('alice', 'DELETE', path);
  });

  test('is stopped if its receiver is gone, and continues where it stopped', async () => {
    const { webhook } = await createWebhook(['fill.created']);
    const path = `/api/webhooks/${webhook.id}`;
    const read = async () =>
      (await call('alice', 'GET', '/api/webhooks')).webhooks.find(
        ({ id }: { id: string }) => id === webhook.id,
      );
    respond = () => 410;
    await place('bob', { side: 'sell', price: 900, amount: 0.01 });
    await place('alice', { side: 'buy', price: 900, amount: 0.01 });
    await until(async () => (await read()).status === 'failed');
    expect((await read()).lastError).toBe('the receiver responded with 410');
    const { deliveries } = await call('alice', 'GET', `${path}/deliveries`);
    expect(deliveries[0]).toMatchObject({ event: 'fill.created', accepted: false, status: 410 });
    const { notices } = await call('alice', 'GET', '/api/notices');
    expect(notices[0]).toMatchObject({ event: 'webhook.failed', data: { id: webhook.id } });
    respond = () => 204;
    await place('bob', { side: 'sell', price: 900, amount: 0.01 });
    await place('alice', { side: 'buy', price: 900, amount: 0.01 });
    expect(accepted).toHaveLength(0);
    await call('alice', 'PATCH', path, { status: 'active' });
    await until(() => accepted.length === 2);
    expect(await read()).toMatchObject({ status: 'active', attempts: 0, lastError: null });
    await call('alice', 'DELETE', path);
  });

  test('is given up after three days of failures', async () => {
    const { webhook } = await createWebhook(['fill.created']);
    respond = () => 500;
    await place('bob', { side: 'sell', price: 900, amount: 0.01 });
    await place('alice', { side: 'buy', price: 900, amount: 0.01 });
    await until(() => signatures.length > 2);
    exchange.now += 3 * 86_400_000;
    const list = async () => (await call('alice', 'GET', '/api/webhooks')).webhooks;
    await until(async () => (await list())[0].status === 'failed');
    await call('alice', 'DELETE', `/api/webhooks/${webhook.id}`);
  });

  test('gets nothing of other accounts, and belongs to its own', async () => {
    const { webhook } = await createWebhook(['*'], 'bob');
    for (const [method, path, body] of [
      ['PATCH', '', { status: 'paused' }],
      ['DELETE', '', undefined],
      ['POST', '/secret', { renew: false }],
      ['POST', '/test', {}],
      ['GET', '/deliveries', undefined],
    ] as const) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const answer = await exchange.send(
        'alice',
        method,
        `/api/webhooks/${webhook.id}${path}`,
        text,
      );
      expect([answer.status, answer.details.field]).toEqual([404, 'id']);
    }
    const own = await createWebhook(['fill.created']);
    await place('bob', { side: 'sell', price: 900, amount: 0.01 });
    await place('alice', { side: 'buy', price: 900, amount: 0.01 });
    await until(() => accepted.length >= 3);
    expect(accepted.map(({ accountId }) => accountId).sort()).toEqual(['alice', 'bob', 'bob']);
    await call('alice', 'DELETE', `/api/webhooks/${own.webhook.id}`);
    await call('bob', 'DELETE', `/api/webhooks/${webhook.id}`);
  });

  test.each([
    [{ url: 'http://169.254.169.254/latest', events: ['*'] }, 'url'],
    [{ url: 'https://[fd00::1]/', events: ['*'] }, 'url'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: ['order.fill'] }, 'events.0'],
    [{ events: ['*'] }, 'url'],
  ])('is rejected with %p', async (body, field) => {
    const answer = await exchange.send('alice', 'POST', '/api/webhooks', JSON.stringify(body));
    expect([answer.status, answer.details.field]).toEqual([400, field]);
  });

  test('there are at most twenty', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) ids.push((await createWebhook(['*'])).webhook.id);
    const body = JSON.stringify({ url, events: ['*'] });
    expect((await exchange.send('alice', 'POST', '/api/webhooks', body)).details.rule).toBe(
      'tooMany',
    );
    for (const id of ids) await call('alice', 'DELETE', `/api/webhooks/${id}`);
  });
});

test('a notice is added once, even if its event is delivered again after a crash', async () => {
  const { users, notifications } = exchange.services;
  const cursor = await presentCursor(exchange.services);
  const terms = {
    channel: 'page',
    target: '',
    label: '',
    events: ['*'],
    status: 'active',
  } as const;
  const state = { createdAt: 0, secretNumber: 1, secretChangedAt: 0, failingSince: 0, attempts: 0 };
  const ids = ['page_first', 'page_second'];
  // Two users of one account share its notices.
  for (const id of ids) {
    await users.subscriptions.add({
      ...{ ...terms, ...state, id, cursor },
      ...{ accountId: 'alice', userId: id, lastError: '' },
    });
  }
  await notifications.reload();
  await place('bob', { side: 'sell', price: 1000, amount: 0.01 });
  await place('alice', { side: 'buy', price: 1000, amount: 0.01 });
  const list = async () => (await call('alice', 'GET', '/api/notices?limit=500')).notices;
  const isThrough = async () => {
    const all = await users.subscriptions.list('alice');
    const pages = all.filter(({ id }) => ids.includes(id));
    return pages.every((page) => page.cursor.orderBatch >= cursor.orderBatch + 2);
  };
  await until(isThrough);
  const events = (await list()).map(({ event }: { event: string }) => event);
  expect(events.slice(0, 2).sort()).toEqual(['fill.created', 'order.filled']);
  const before = await list();
  // As if the process had ended between adding the notice and moving the cursor.
  await users.subscriptions.change(ids[0]!, { cursor });
  await notifications.reload(ids[0]!);
  await until(isThrough);
  expect(await list()).toEqual(before);
  for (const id of ids) await users.subscriptions.remove(id);
  await notifications.reload();
});

describe('a price alert', () => {
  const create = (direction: string, price: number, note?: string) =>
    call('alice', 'POST', '/api/alerts', { symbol: SYMBOL, direction, price, note });
  const trade = async (price: number) => {
    await place('bob', { side: 'sell', price, amount: 0.01 });
    await place('alice', { side: 'buy', price, amount: 0.01 });
  };
  const listTriggered = async () =>
    (await call('alice', 'GET', '/api/alerts')).alerts.filter(
      (alert: { triggeredAt: string | null }) => alert.triggeredAt !== null,
    );

  test('triggers once, by the first trade at its price or beyond', async () => {
    await trade(1000);
    const { webhook } = await createWebhook(['price.*']);
    const { alert } = await create('above', 1050.5, 'sell now');
    const other = (await create('below', 950)).alert;
    await trade(1050);
    expect(await listTriggered()).toEqual([]);
    await trade(1051);
    await until(() => accepted.length === 1);
    expect(accepted[0]).toMatchObject({
      type: 'price.alert',
      data: { id: alert.id, price: 1050.5, note: 'sell now', last: 1051 },
    });
    await trade(1052);
    expect((await listTriggered()).map(({ id }: { id: string }) => id)).toEqual([alert.id]);
    const { notices, unread } = await call('alice', 'GET', '/api/notices');
    expect(notices[0]).toMatchObject({ event: 'price.alert', read: false });
    expect(unread).toBeGreaterThan(0);
    await call('alice', 'POST', '/api/notices/read', { upTo: notices[0].id });
    expect((await call('alice', 'GET', '/api/notices')).unread).toBe(0);
    await call('alice', 'DELETE', `/api/alerts/${other.id}`);
    await trade(940);
    await exchange.notifications.reload();
    expect(accepted).toHaveLength(1);
    await call('alice', 'DELETE', `/api/webhooks/${webhook.id}`);
  });

  test('triggers after an interruption, if the price was reached in the meantime', async () => {
    await trade(1000);
    const { alert } = await create('above', 1200);
    const note = exchange.notifications.note;
    exchange.notifications.note = () => {};
    exchange.now += 60_000;
    const since = exchange.now;
    await trade(1300);
    exchange.now += 120_000;
    await trade(1000);
    exchange.notifications.note = note;
    exchange.now += 60_000;
    expect((await listTriggered()).map(({ id }: { id: string }) => id)).not.toContain(alert.id);
    Reflect.set(exchange.notifications, 'readAt', since);
    await exchange.notifications.reload();
    await until(async () =>
      (await listTriggered()).some(({ id }: { id: string }) => id === alert.id),
    );
  });

  test('made while nothing can be read is stored, and triggers later', async () => {
    await trade(1000);
    const { priceAlerts } = exchange.services.users;
    const { list } = priceAlerts;
    priceAlerts.list = (accountId?: string) =>
      accountId === undefined
        ? Promise.reject(new Error('PostgreSQL does not answer'))
        : list.call(priceAlerts, accountId);
    const { alert } = await create('above', 1400);
    await trade(1450);
    exchange.now += 60_000;
    await trade(1000);
    priceAlerts.list = list;
    const other = (await create('above', 1500)).alert;
    await until(async () =>
      (await listTriggered()).some(({ id }: { id: string }) => id === alert.id),
    );
    await call('alice', 'DELETE', `/api/alerts/${other.id}`);
  });

  test.each([
    [{ symbol: 'NOPE', direction: 'above', price: 1 }, 'symbol'],
    [{ symbol: SYMBOL, direction: 'above', price: 1 }, 'price'],
    [{ symbol: SYMBOL, direction: 'above', price: 100000.123456 }, 'price'],
    [{ symbol: SYMBOL, direction: 'up', price: 100000 }, 'direction'],
    [{ symbol: SYMBOL, direction: 'above', price: -5 }, 'price'],
  ])('is rejected with %p', async (body, field) => {
    const answer = await exchange.send('alice', 'POST', '/api/alerts', JSON.stringify(body));
    expect([answer.status, answer.details.field]).toEqual([400, field]);
  });
});

/** Returns whether fills come in the order of their ids, and an order's end after its last fill. */
function inOrder(received: readonly Received[]): boolean {
  const fills = received.filter(({ type }) => type === 'fill.created');
  const numbers = fills.map(({ data }) => Number(data.id));
  const isSorted = numbers.every((id, place) => place === 0 || id >= numbers[place - 1]!);
  const ends = received.filter(({ type }) => type.startsWith('order.'));
  const lastPlace = (test: (each: Received) => boolean) => received.findLastIndex(test);
  return (
    isSorted &&
    ends.every(({ data }) => {
      const end = lastPlace(
        (each) => each.type.startsWith('order.') && each.data.orderId === data.orderId,
      );
      return (
        end >
        lastPlace((each) => each.type === 'fill.created' && each.data.orderId === data.orderId)
      );
    })
  );
}
