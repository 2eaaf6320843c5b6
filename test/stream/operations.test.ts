import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { MAX_CONNECTIONS_PER_ACCOUNT } from '../../src/engine/limits.ts';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { MAX_IN_FLIGHT } from '../../src/gateway/stream/operations/operations.ts';
import { MAX_HELD_BYTES, Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange, type TestOptions } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

// Operations over a real socket. The suites of test/http run over sockets too: see test/http/over-sockets.test.ts.

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let streams: Streams;
const clients: StreamClient[] = [];

async function open(options: TestOptions = {}): Promise<void> {
  exchange = await TestExchange.open({ rateLimits: 'off', ...options });
  streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
}
beforeEach(() => open());
afterEach(close);

async function close(): Promise<void> {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
  await exchange.close();
}

async function connect(name?: string, cancelOnDisconnect?: boolean): Promise<StreamClient> {
  const client = await StreamClient.open(server.port);
  clients.push(client);
  if (name === undefined) return client;
  const headers = exchange.headers(name);
  const apiKey = headers.Authorization!.slice(7);
  client.send({ op: 'auth', apiKey, apiSecret: headers['X-API-Secret'], cancelOnDisconnect });
  expect(await client.next()).toEqual({ op: 'authenticated' });
  return client;
}

const limit = (terms: Record<string, unknown> = {}) => ({
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount: 0.01,
  price: 45_000,
  ...terms,
});
const place = (id: string | number, terms?: Record<string, unknown>) => ({
  op: 'order.place',
  id,
  params: limit(terms),
});

/** Waits for everything that is answered without the log. */
async function answered(client: StreamClient): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    client.send({ op: 'ping' });
    const isPong = ({ op }: { op: string }) => op === 'pong';
    await client.until(() => client.messages.some(isPong));
    client.messages.splice(client.messages.findIndex(isPong), 1);
  }
}

test('every operation does what its endpoint does', async () => {
  const alice = await connect('alice');
  const run = async (op: string, params: Record<string, unknown> = {}) => {
    alice.send({ op, id: op, params });
    const answer = await alice.next();
    expect(answer).toMatchObject({ op, id: op, success: true });
    return answer.data;
  };
  const done = new Set<string>();
  const operation = (op: string, params?: Record<string, unknown>) => {
    done.add(op);
    return run(op, params);
  };
  const tested = await operation('order.test', limit());
  expect(tested).toMatchObject({ order: { status: 'open', orderId: null }, fills: [] });
  const order = await operation('order.place', limit({ clientOrderId: 'one' }));
  expect(order).toMatchObject({ status: 'open', clientOrderId: 'one' });
  const { orderId } = order;
  expect(await operation('order.get', { orderId })).toEqual(order);
  expect(await operation('orders.open', { limit: 10 })).toMatchObject({ orders: [order] });
  const amended = await operation('order.amend', { orderId, price: 44_000 });
  expect(amended).toMatchObject({ orderId, price: 44_000 });
  expect(await operation('order.cancel', { orderId })).toMatchObject({
    orderId,
    status: 'canceled',
  });
  const batch = await operation('order.batch', { orders: [limit(), limit({ amount: 0 })] });
  expect(batch.results.map(({ success }: { success: boolean }) => success)).toEqual([true, false]);
  const pair = {
    symbol: 'BTC/USDT',
    side: 'buy',
    amount: 0.01,
    takeProfit: { price: 40_000 },
    stopLoss: { triggerPrice: 150_000 },
    returnFills: true,
  };
  expect(await operation('order.testOco', pair)).toMatchObject({
    orders: [{ orderId: null }, { orderId: null }],
    hold: { asset: 'USDT' },
  });
  const oco = await operation('order.oco', pair);
  expect(oco.orders).toMatchObject([{ fills: [] }, { fills: [] }]);
  const { armed } = await operation('order.cancelAfter', { timeout: 60 });
  expect(armed).toHaveLength(1);
  const canceled = await operation('order.cancelAll', { all: true });
  expect(canceled.orders).toHaveLength(3);
  const { balances } = await operation('balances');
  expect(balances).toEqual(
    (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data.balances,
  );
  const named = ENDPOINTS.flatMap((endpoint) => endpoint.operation?.name ?? []);
  expect([...done].sort()).toEqual(named.sort());
});

test('responses echo the id, texts and numbers, and come in the order of the log', async () => {
  const alice = await connect('alice');
  const ids = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? n : `bot-${n}`));
  for (const id of ids) alice.send(place(id));
  const answers = [];
  while (answers.length < ids.length) answers.push(await alice.next());
  expect(answers.map(({ id }) => id)).toEqual(ids);
  const orderIds = answers.map(({ data }) => Number(data.orderId));
  expect(orderIds).toEqual(orderIds.toSorted((a, b) => a - b));
});

test.each([
  ['no id', { op: 'order.place', params: limit() }, 'id'],
  ['an id that is no text', { op: 'order.place', id: ['1'], params: limit() }, 'id'],
  ['an id with a quote', { op: 'order.place', id: 'a"b', params: limit() }, 'id'],
  ['an empty id', { op: 'order.place', id: '', params: limit() }, 'id'],
  ['an id that is too long', { op: 'order.place', id: 'x'.repeat(65), params: limit() }, 'id'],
  ['a fraction as id', { op: 'order.place', id: 1.5, params: limit() }, 'id'],
  ['an unknown operation', { op: 'order.steal', id: '1', params: limit() }, 'op'],
  ['half an order', '{"op":"order.place","id":"1","params":{"symbol":"BTC/USDT"', undefined],
])('%s is an error without an operation', async (_, message, field) => {
  const alice = await connect('alice');
  alice.send(message);
  const answer = await alice.next();
  expect(answer).toMatchObject({ op: 'error', error: { code: 'INVALID_REQUEST' } });
  expect(answer.error.details.field).toBe(field);
  expect(exchange.state.orders.size).toBe(0);
});

test('errors speak of messages and operations', async () => {
  const alice = await connect('alice');
  const ask = async (message: string | object) => {
    alice.send(message);
    return (await alice.next()).error.message;
  };
  expect(await ask('{"op":')).toBe('The message is not valid JSON. Send one JSON object.');
  expect(await ask('[]')).toBe('The message is not a JSON object. Send one JSON object.');
  const cancel = { op: 'order.cancel', id: '1', params: { orderId: '1', force: true } };
  expect(await ask(cancel)).toBe(
    'Unknown parameter "force". Parameters of this operation: orderId, returnReceipt.',
  );
  const balances = { op: 'balances', id: '2', params: { asset: 'BTC' } };
  expect(await ask(balances)).toBe(
    'Unknown parameter "asset". Parameters of this operation: none.',
  );
});

test.each([
  ['parameters outside params', { ...place('1'), price: 1 }, 'price'],
  ['params that are no object', { op: 'order.place', id: '1', params: [] }, 'params'],
  ['no order id', { op: 'order.cancel', id: '1' }, 'orderId'],
  ['an order id that is a number', { op: 'order.get', id: '1', params: { orderId: 1 } }, 'orderId'],
  [
    'a parameter that the operation sets',
    { op: 'orders.open', id: '1', params: { status: 'open' } },
    'status',
  ],
  ['a nested parameter', { op: 'order.cancelAll', id: '1', params: { all: {} } }, 'all'],
])('%s are rejected under the id', async (_, message, field) => {
  const alice = await connect('alice');
  alice.send(message);
  const answer = await alice.next();
  expect(answer).toMatchObject({ id: '1', success: false, error: { code: 'INVALID_REQUEST' } });
  expect(answer.error.details.field).toBe(field);
});

test('an id in progress is refused, and free again after its response', async () => {
  const alice = await connect('alice');
  const release = await exchange.holdLog();
  alice.send(place('1'));
  alice.send(place('1'));
  await answered(alice);
  const refused = alice.messages.shift();
  release();
  expect(refused).toMatchObject({
    op: 'error',
    error: { details: { field: 'id', rule: 'unique' } },
  });
  expect(await alice.next()).toMatchObject({ id: '1', success: true });
  alice.send(place('1'));
  expect(await alice.next()).toMatchObject({ id: '1', success: true });
  expect(exchange.state.orders.size).toBe(2);
});

test('of ten thousand operations at once each gets a response, and only those in progress are carried out', async () => {
  const alice = await connect('alice');
  const release = await exchange.holdLog();
  const count = 10_000;
  for (let id = 0; id < count; id++)
    alice.send({ op: 'order.cancel', id, params: { orderId: '77' } });
  await answered(alice);
  const refused = alice.messages.length;
  release();
  expect(refused).toBe(count - MAX_IN_FLIGHT);
  await alice.until(() => alice.messages.length === count);
  const codes: Record<string, number> = {};
  for (const { error } of alice.messages) codes[error.code] = (codes[error.code] ?? 0) + 1;
  expect(codes).toEqual({
    RATE_LIMIT_EXCEEDED: count - MAX_IN_FLIGHT,
    ORDER_NOT_FOUND: MAX_IN_FLIGHT,
  });
  expect(alice.messages[0].error.details).toEqual({ rule: 'inFlight', retryAfter: 1 });
  expect(new Set(alice.messages.map(({ id }) => id)).size).toBe(count);
});

test('operations need an authenticated connection and the permission', async () => {
  const stranger = await connect();
  stranger.send(place('1'));
  expect(await stranger.next()).toMatchObject({
    id: '1',
    error: { code: 'UNAUTHORIZED', message: expect.stringContaining('Send {"op":"auth"') },
  });
  const reader = await connect('reader');
  reader.send(place('1'));
  expect(await reader.next()).toMatchObject({
    id: '1',
    error: { code: 'INSUFFICIENT_PERMISSIONS', details: { required: 'trade' } },
  });
  reader.send({ op: 'balances', id: '2' });
  expect(await reader.next()).toMatchObject({ id: '2', success: true });
});

test('a revoked key gets the responses of orders in progress, and then its connection is closed', async () => {
  const alice = await connect('alice');
  const key = exchange.state.keys.find((each) => each?.label === 'alice')!;
  const release = await exchange.holdLog();
  alice.send(place('before'));
  alice.send({ op: 'ping' });
  expect(await alice.next()).toEqual({ op: 'pong' });
  const revoked = exchange.replica.execute({
    kind: CommandKind.revokeKey,
    ...SYSTEM_ACTOR,
    apiKey: key.apiKey,
  });
  release();
  await revoked;
  const first = await Promise.race([alice.next(), alice.closed]);
  expect(first).toMatchObject({ id: 'before', success: true });
  expect(await alice.closed).toBe(4001);
  expect(exchange.state.orders.size).toBe(1);
});

test('a key that has expired does nothing more over its connection', async () => {
  await exchange.addKey('brief', 'alice', ['read', 'trade'], { expiresAt: exchange.now + 1000 });
  const alice = await connect('brief');
  alice.send(place('1'));
  expect(await alice.next()).toMatchObject({ id: '1', success: true });
  exchange.now += 1000;
  for (const message of [place('2'), { op: 'balances', id: '3' }]) {
    alice.send(message);
    expect(await alice.next()).toMatchObject({ id: message.id, error: { code: 'UNAUTHORIZED' } });
  }
  expect(exchange.state.orders.size).toBe(1);
});

test('after a lost response the same clientOrderId gives the same order', async () => {
  const alice = await connect('alice');
  const release = await exchange.holdLog();
  alice.send(place('1', { clientOrderId: 'mine' }));
  alice.send({ op: 'ping' });
  expect(await alice.next()).toEqual({ op: 'pong' });
  alice.close();
  await alice.closed;
  release();
  const again = await connect('alice');
  again.send(place('1', { clientOrderId: 'mine' }));
  expect(await again.next()).toMatchObject({ success: true, data: { clientOrderId: 'mine' } });
  expect(exchange.state.orders.size).toBe(1);
});

test('requests and operations share the rate limit of their endpoint, and batches count each order', async () => {
  await close();
  await open({ rateLimits: 'spec' });
  const alice = await connect('alice');
  for (let count = 0; count < 10; count++) await exchange.place('alice', limit());
  alice.send(place(1));
  const { rateLimit } = await alice.next();
  expect(rateLimit).toMatchObject({ limit: 30, remaining: 19 });
  for (let id = 2; id <= 20; id++) alice.send(place(id));
  await alice.until(() => alice.messages.length === 19);
  alice.messages.length = 0;
  alice.send(place(21));
  expect(await alice.next()).toMatchObject({
    success: false,
    retryAfter: 60,
    error: { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfter: 60 } },
    rateLimit: { limit: 30, remaining: 0 },
  });
  expect((await exchange.place('alice', limit())).status).toBe(429);
  alice.send({ op: 'order.batch', id: 22, params: { orders: Array(15).fill(limit()) } });
  expect((await alice.next()).rateLimit.remaining).toBe(15);
});

test('rejections of a flooding address are delayed', async () => {
  await close();
  await open({ rateLimits: 'spec' });
  const stranger = await connect();
  const count = 600;
  for (let id = 0; id < count; id++) stranger.send({ op: 'balances', id });
  stranger.send({ op: 'ping' });
  await stranger.until(() => stranger.messages.some(({ op }) => op === 'pong'));
  expect(stranger.messages.length).toBe(501);
  await stranger.until(() => stranger.messages.length === count + 1);
  // Each of the last hundred was delayed by half a second, which is not measured.
  expect(readDuration('balances socket', 'count')).toBe(count);
  expect(readDuration('balances socket', 'sum')).toBeLessThan(10);
});

test('responses are counted by operation and the status that REST would have', async () => {
  const alice = await connect('alice');
  for (const [id, price] of [45_000, 45_000.5, -1].entries()) {
    alice.send(place(id, { price }));
    await alice.next();
  }
  alice.send({ op: 'order.get', id: 1, params: { orderId: '77' } });
  await alice.next();
  expect(streams.metrics.operations.lines()).toEqual([
    'buttonwood_stream_operations_total{operation="order.place",status="200"} 2',
    'buttonwood_stream_operations_total{operation="order.place",status="400"} 1',
    'buttonwood_stream_operations_total{operation="order.get",status="404"} 1',
  ]);
});

test('the time from receipt to response is measured by operation, over both transports', async () => {
  const alice = await connect('alice');
  const release = await exchange.holdLog();
  const waitMs = 30;
  alice.send(place(1));
  const placed = exchange.place('alice', limit());
  await answered(alice);
  await Bun.sleep(waitMs);
  release();
  await Promise.all([alice.next(), placed]);
  for (const id of [2, 3]) {
    alice.send({ op: 'order.get', id, params: { orderId: '77' } });
    await alice.next();
  }
  const counts = ['order.place socket', 'order.place rest', 'order.get socket', 'order.get rest'];
  expect(counts.map((name) => readDuration(name, 'count'))).toEqual([1, 1, 2, undefined]);
  for (const name of counts.slice(0, 2)) {
    expect(readDuration(name, 'sum')).toBeGreaterThanOrEqual(waitMs / 1000);
    // The last bucket has all values.
    expect(readDuration(name, 'bucket', ',le="+Inf"')).toBe(1);
    expect(readDuration(name, 'bucket', ',le="0.01"')).toBe(0);
  }
});

/** Returns a sample of `buttonwood_operation_duration_seconds`. @param name Operation and transport. */
function readDuration(name: string, what: 'count' | 'sum' | 'bucket', more = '') {
  const [operation, transport] = name.split(' ');
  const metrics = streams.metrics.all(exchange.gateway.metrics.durations);
  const metric = metrics.find((each) => each.name === 'buttonwood_operation_duration_seconds')!;
  const sample = `${metric.name}_${what}{operation="${operation}",transport="${transport}"${more}} `;
  const line = metric.lines().find((each) => each.startsWith(sample));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

test('an unexpected failure is INTERNAL_ERROR without its cause; the log has operation and id', async () => {
  const log = spyOn(console, 'error').mockImplementation(() => {});
  const query = spyOn(exchange.archivist, 'query').mockRejectedValue(new Error('at /a/path'));
  const alice = await connect('alice');
  alice.send({ op: 'order.get', id: 'mine', params: { orderId: '77' } });
  const answer = await alice.next();
  expect(answer).toMatchObject({ id: 'mine', success: false, error: { code: 'INTERNAL_ERROR' } });
  expect(JSON.stringify(answer)).not.toContain('path');
  const lines = log.mock.calls.map(([line]) => `${line}`);
  const start = 'Stream request failed op=order.get id="mine"\nError: at /a/path\n';
  expect(lines.filter((line) => line.startsWith(start))).toHaveLength(1);
  log.mockRestore();
  query.mockRestore();
});

test('errors say how long to wait, in responses and in messages without an id', async () => {
  const alice = await connect('alice');
  Object.defineProperty(exchange.replica, 'isStale', { value: true, configurable: true });
  alice.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  expect(await alice.next()).toMatchObject({
    op: 'error',
    retryAfter: 1,
    error: { code: 'STALE' },
  });
  alice.send({ op: 'order.cancel', id: 1, params: { orderId: '77' } });
  const answer = await alice.next();
  expect([answer.error.code, answer.retryAfter]).toEqual(['ORDER_NOT_FOUND', undefined]);
});

test('a stop waits for the operations in progress, and sends their responses', async () => {
  const alice = await connect('alice');
  const release = await exchange.holdLog();
  alice.send(place('1'));
  alice.send({ op: 'ping' });
  expect(await alice.next()).toEqual({ op: 'pong' });
  expect(streams.metrics.operationsInFlight).toBe(1);
  const stopped = server.stop();
  release();
  const first = await Promise.race([alice.next(), alice.closed]);
  expect(first).toMatchObject({ id: '1', success: true });
  expect(await alice.closed).toBe(1001);
  await stopped;
  expect(streams.metrics.operationsInFlight).toBe(0);
});

test('the end of a connection cancels the orders that it has placed, and no others', async () => {
  const bot = await connect('alice', true);
  const steady = await connect('alice');
  bot.send({ ...place('1'), params: limit({ clientOrderId: 'first' }) });
  bot.send({ op: 'order.batch', id: '2', params: { orders: [limit(), limit()] } });
  steady.send(place('3'));
  const [first, batch, other] = [await bot.next(), await bot.next(), await steady.next()];
  const rest = (await exchange.place('alice', limit())).data;
  const gone = [first.data, ...batch.data.results.map(({ data }: { data: object }) => data)];
  bot.close();
  await bot.closed;
  const order = async ({ orderId }: { orderId: string }) =>
    (await exchange.send('alice', 'GET', `/api/orders/${orderId}`)).data;
  while ((await order(gone[2])).status === 'open') await Bun.sleep(1);
  for (const each of gone) {
    expect(await order(each)).toMatchObject({ status: 'canceled', reason: 'disconnected' });
  }
  for (const each of [other.data, rest]) expect((await order(each)).status).toBe('open');
});

test('messages before the response to auth wait, up to a limit', async () => {
  const headers = exchange.headers('alice');
  const apiKey = headers.Authorization!.slice(7);
  const auth = { op: 'auth', apiKey, apiSecret: headers['X-API-Secret'], cancelOnDisconnect: true };
  const [patient, flooding] = [await connect(), await connect()];
  const release = await exchange.holdLog();
  for (const client of [patient, flooding]) client.send(auth);
  patient.send({ op: 'ping' });
  const message = JSON.stringify({ ...place('1'), params: { symbol: 'x'.repeat(16_000) } });
  const count = Math.ceil(MAX_HELD_BYTES / message.length) + 1;
  for (let sent = 0; sent < count; sent++) flooding.send(message);
  expect(await flooding.closed).toBe(1008);
  expect(flooding.closeReason).toBe('too many messages before the response to auth');
  expect([patient.messages, flooding.messages]).toEqual([[], []]);
  release();
  expect(await patient.next()).toEqual({ op: 'authenticated' });
  expect(await patient.next()).toEqual({ op: 'pong' });
});

test('an account has a limited number of connections that cancel orders', async () => {
  const last = await connect('alice', true);
  while (exchange.state.connections.size < MAX_CONNECTIONS_PER_ACCOUNT) {
    await connect('alice', true);
  }
  const further = await connect();
  const headers = exchange.headers('alice');
  const apiKey = headers.Authorization!.slice(7);
  const auth = { op: 'auth', apiKey, apiSecret: headers['X-API-Secret'], cancelOnDisconnect: true };
  further.send(auth);
  const { code, message, details } = (await further.next()).error;
  expect([code, details.rule]).toEqual(['INVALID_REQUEST', 'connections']);
  expect(message).toStartWith('An account may have 100 connections with cancelOnDisconnect');
  last.close();
  while (exchange.state.connections.size === MAX_CONNECTIONS_PER_ACCOUNT) await Bun.sleep(1);
  further.send(auth);
  expect(await further.next()).toEqual({ op: 'authenticated' });
});

test('only a key that may trade opens a connection that cancels orders', async () => {
  const reader = await connect();
  const headers = exchange.headers('reader');
  const apiKey = headers.Authorization!.slice(7);
  const auth = { op: 'auth', apiKey, apiSecret: headers['X-API-Secret'] };
  reader.send({ ...auth, cancelOnDisconnect: true });
  expect(await reader.next()).toMatchObject({
    op: 'error',
    error: { code: 'INSUFFICIENT_PERMISSIONS', details: { required: 'trade' } },
  });
  reader.send({ ...auth, cancelOnDisconnect: 'yes' });
  expect((await reader.next()).error.details.field).toBe('cancelOnDisconnect');
  reader.send(auth);
  expect(await reader.next()).toEqual({ op: 'authenticated' });
});

test('orders with a receive window are not executed after it', async () => {
  const alice = await connect('alice');
  const timestamp = exchange.now;
  alice.send({ ...place(1), timestamp, recvWindow: 1000 });
  expect(await alice.next()).toMatchObject({ id: 1, success: true, data: { status: 'open' } });
  alice.send({ ...place(2), timestamp: timestamp - 5001 });
  expect(await alice.next()).toMatchObject({
    id: 2,
    error: { code: 'INVALID_REQUEST', details: { field: 'timestamp', rule: 'recvWindow' } },
  });
  const { replica } = exchange;
  const submit = replica.submit.bind(replica);
  replica.submit = (...sent) => {
    exchange.now += 1;
    return submit(...sent);
  };
  alice.send({ ...place(3), timestamp: exchange.now - 1, recvWindow: 1 });
  expect(await alice.next()).toMatchObject({
    id: 3,
    error: { details: { field: 'timestamp', rule: 'recvWindow', serverTime: exchange.now } },
  });
  alice.send({ ...place(4), recvWindow: 1000 });
  expect(await alice.next()).toMatchObject({ error: { details: { field: 'timestamp' } } });
  alice.send({ op: 'order.cancel', id: 5, params: { orderId: '1' }, timestamp });
  expect(await alice.next()).toMatchObject({ error: { details: { rule: 'unknownField' } } });
  expect(exchange.state.orders.size).toBe(1);
});
