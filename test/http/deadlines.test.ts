import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { type Answer, TestExchange } from './exchange.ts';
import { newKeyPair, signedHeaders } from './signing.ts';

/** Orders with a receive window: after it they are never executed, whichever key sent them. */

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
const OCO = {
  symbol: 'BTC/USDT',
  side: 'buy',
  amount: 0.01,
  takeProfit: { price: 40000 },
  stopLoss: { triggerPrice: 150_000 },
};
const LATE = { code: 'INVALID_REQUEST', details: { field: 'X-API-Timestamp', rule: 'recvWindow' } };

let exchange: TestExchange;
let restore = () => {};
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => {
  restore();
  restore = () => {};
  return exchange.close();
});

type Headers = Record<string, string>;
const window = (recvWindowMs?: number, timestamp = exchange.now): Headers => ({
  'X-API-Timestamp': `${timestamp}`,
  ...(recvWindowMs === undefined ? {} : { 'X-API-Recv-Window': `${recvWindowMs}` }),
});
const send = (method: string, path: string, body: object, headers: Headers, name = 'alice') =>
  exchange.send(name, method, path, JSON.stringify(body), headers);
const place = (headers: Headers) => send('POST', '/api/orders', ORDER, headers);
const openOrders = async () =>
  (await exchange.send('alice', 'GET', '/api/orders?status=open')).data.orders;

/** Makes commands of some kinds reach the log this much later than the gateway has checked them. */
function delayCommands(delayMs: number, delays: (command: Command) => boolean): void {
  const { replica } = exchange;
  const submit = replica.submit.bind(replica);
  replica.submit = (command, ...rest) => {
    if (delays(command)) exchange.now += delayMs;
    return submit(command, ...rest);
  };
  restore = () => Object.assign(replica, { submit });
}

function expectLate({ status, json }: Answer): void {
  expect(status).toBe(400);
  expect(json.error).toMatchObject({
    ...LATE,
    details: { ...LATE.details, serverTime: exchange.now },
  });
}

test('an order is placed within its window, and not after it', async () => {
  expect((await place(window())).status).toBe(200);
  expect((await place(window(60_000, exchange.now - 60_000))).status).toBe(200);
  expect((await place(window(1, exchange.now + 1000))).status).toBe(200);
  expectLate(await place(window(5000, exchange.now - 5001)));
  expectLate(await place(window(undefined, exchange.now - 5001)));
  expectLate(await place(window(5000, exchange.now + 1001)));
  expect(await openOrders()).toHaveLength(3);
});

test.each([
  ['a receive window without a timestamp', { 'X-API-Recv-Window': '5000' }, 'X-API-Timestamp'],
  ['seconds', { 'X-API-Timestamp': '1767614400' }, 'X-API-Timestamp'],
  ['microseconds', { 'X-API-Timestamp': '1767614400000000' }, 'X-API-Timestamp'],
  ['an empty timestamp', { 'X-API-Timestamp': '' }, 'X-API-Timestamp'],
  ['a window of zero', { 'X-API-Recv-Window': '0' }, 'X-API-Recv-Window'],
  ['a window of over a minute', { 'X-API-Recv-Window': '60001' }, 'X-API-Recv-Window'],
])('%s is rejected', async (_, headers: Headers, field) => {
  const whole = field === 'X-API-Recv-Window' ? { ...window(), ...headers } : headers;
  const { status, json } = await place(whole);
  expect([status, json.error.code, json.error.details.field]).toEqual([
    400,
    'INVALID_REQUEST',
    field,
  ]);
  expect(await openOrders()).toEqual([]);
});

const REQUESTS: readonly [string, string, object][] = [
  ['POST', '/api/orders', ORDER],
  ['POST', '/api/orders', { ...ORDER, attached: { stopLoss: { triggerPrice: 40000 } } }],
  ['POST', '/api/orders', { ...ORDER, type: 'stop', triggerPrice: 200_000, price: null }],
  ['POST', '/api/orders/oco', OCO],
];

test.each(REQUESTS)(
  '%s %s of %j is not executed if the log reaches it late',
  async (...request) => {
    const [method, path, body] = request;
    delayCommands(1, ({ kind }) => kind === CommandKind.executeBy);
    expectLate(await send(method, path, body, window(1, exchange.now - 1)));
    expect(await openOrders()).toEqual([]);
    expect((await send(method, path, body, window(1))).status).toBe(200);
    expect((await openOrders()).length).toBeGreaterThan(0);
  },
);

test('each order of a batch has the deadline', async () => {
  let count = 0;
  delayCommands(1, ({ kind }) => kind === CommandKind.executeBy && ++count === 2);
  const body = { orders: [ORDER, ORDER, ORDER] };
  const { status, data } = await send(
    'POST',
    '/api/orders/batch',
    body,
    window(1, exchange.now - 1),
  );
  expect(status).toBe(200);
  const { results } = data;
  // The three are applied at one time of the log, which is the later one.
  for (const { success, error } of results) {
    expect([success, error.details.rule]).toEqual([false, 'recvWindow']);
  }
  expect(results).toHaveLength(3);
  expect(await openOrders()).toEqual([]);
});

test('an amendment after its deadline leaves the order as it was', async () => {
  const { data: order } = await place({});
  const path = `/api/orders/${order.orderId}`;
  delayCommands(1, ({ kind }) => kind === CommandKind.executeBy);
  expectLate(await send('PATCH', path, { amount: 0.005 }, window(1, exchange.now - 1)));
  expect(await openOrders()).toMatchObject([{ amount: 0.01 }]);
  expect((await send('PATCH', path, { amount: 0.005 }, window(1))).data.amount).toBe(0.005);
});

test('a signed order is not executed after its window, although its signature was used in time', async () => {
  const { privateKey, publicPem } = newKeyPair();
  const terms = JSON.stringify({ permissions: ['read', 'trade'], publicKey: publicPem });
  const made = await exchange.send('operator', 'POST', '/api/admin/accounts/alice/keys', terms);
  const { apiKey } = made.data.key;
  delayCommands(1, ({ kind }) => kind === CommandKind.executeBy);
  const body = JSON.stringify(ORDER);
  const sign = (timestamp: number) =>
    signedHeaders({
      ...{ apiKey, privateKey, method: 'POST', target: '/api/orders', timestamp, recvWindow: 1 },
      body,
    });
  const post = (timestamp: number) =>
    exchange.send(undefined, 'POST', '/api/orders', body, sign(timestamp));
  expectLate(await post(exchange.now - 1));
  expect(await openOrders()).toEqual([]);
  expect((await post(exchange.now)).status).toBe(200);
});

test('cancels are executed whatever the window', async () => {
  const { data: order } = await place({});
  const late = window(1, exchange.now - 60_000);
  const canceled = await exchange.send(
    'alice',
    'DELETE',
    `/api/orders/${order.orderId}`,
    undefined,
    late,
  );
  expect(canceled.data.status).toBe('canceled');
});

test('an exchange that is not upgraded rejects deadlines and places orders without them', async () => {
  const old = await TestExchange.open({ version: 1 });
  const headers = { 'X-API-Timestamp': `${old.now}` };
  const { status, json } = await old.send(
    'alice',
    'POST',
    '/api/orders',
    JSON.stringify(ORDER),
    headers,
  );
  expect([status, json.error.details.rule]).toEqual([400, 'engineVersion']);
  expect((await old.place('alice', ORDER)).status).toBe(200);
  await old.close();
});
