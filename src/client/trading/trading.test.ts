import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import {
  ApiRequestError,
  NotSentError,
  OutcomeUnknownError,
  StreamClosedError,
} from '../errors.ts';
import { Trading, type TradingOptions } from './trading.ts';
import { MAX_IN_FLIGHT } from './trading-socket.ts';

/** Tests of the trading socket against a scripted exchange. */
type Fields = Record<string, unknown>;
type Socket = Bun.ServerWebSocket<undefined>;
let received: { message: Fields; socket: Socket }[] = [];
let wake = () => {};
let connections = 0;
let lastSocket: Socket;
/** Messages that authenticate, as received. */
let auths: Fields[] = [];
let authResponse: Fields | undefined;
let tradings: Trading<boolean>[] = [];

const server = Bun.serve({
  port: 0,
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 400 })),
  websocket: {
    open(socket) {
      connections++;
      lastSocket = socket;
      wake();
    },
    message(socket: Socket, text) {
      const message = JSON.parse(`${text}`);
      if (message.op === 'ping') socket.send('{"op":"pong"}');
      else if (message.op === 'auth') {
        auths.push(message);
        if (authResponse !== undefined) send(socket, authResponse);
      } else received.push({ message, socket });
      wake();
    },
  },
});
afterAll(() => server.stop(true));

beforeEach(() => {
  received = [];
  auths = [];
  connections = 0;
  authResponse = { op: 'authenticated' };
  tradings = [];
});
afterEach(() => {
  for (const trading of tradings) trading.close();
});

const KEY = { apiKey: 'key', apiSecret: 'secret' };
const ORDER = { symbol: 'A/B', side: 'buy', type: 'limit', amount: '1.50', price: 2 } as const;

function open(options: Partial<TradingOptions<boolean>> = {}): Trading<boolean> {
  const trading = new Trading<boolean>({ baseUrl: server.url.origin, ...KEY, ...options });
  tradings.push(trading);
  return trading;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: operations have many parameters
async function next(): Promise<{ message: any; socket: Socket }> {
  await until(() => received.length > 0);
  return received.shift()!;
}

function send(socket: Socket, message: Fields | string): void {
  socket.send(typeof message === 'string' ? message : JSON.stringify(message));
}
function succeed(socket: Socket, { op, id }: Fields, data: unknown): void {
  send(socket, { op, id, success: true, data, rateLimit: {} });
}
function fail(socket: Socket, { op, id }: Fields, code: string, more: Fields = {}): void {
  send(socket, { op, id, success: false, error: { code, message: code, details: {} }, ...more });
}
const failure = (pending: Promise<unknown>) => pending.catch((error: unknown) => error);

test('reports the rate limits in responses, by endpoint', async () => {
  const reports: unknown[] = [];
  const trading = open({ onRateLimit: (...report) => reports.push(report) });
  const canceled = failure(trading.cancelOrder({ id: '7' }));
  const { message, socket } = await next();
  fail(socket, message, 'ORDER_NOT_FOUND', {
    rateLimit: { limit: 300, remaining: 299, reset: 1_790_000_060 },
  });
  await canceled;
  const state = { limit: 300, remaining: 299, resetMs: 1_790_000_060_000 };
  expect(reports).toEqual([['DELETE /api/orders/{id}', state]]);
});

test('authenticates, then sends each operation with an id of its own', async () => {
  const trading = open();
  expect(trading.isConnected).toBe(false);
  const placed = trading.placeOrder({ ...ORDER, clientOrderId: 'mine' });
  const canceled = trading.cancelOrder({ id: '7' });
  const amended = trading.amendOrder({ id: '8', price: '2.50' });
  const listed = trading.listOpenOrders({ symbol: 'A/B', limit: 5 });
  const { message, socket } = await next();
  expect(auths).toEqual([{ op: 'auth', ...KEY }]);
  expect(trading.isConnected).toBe(true);
  const params = { ...ORDER, amount: 1.5, clientOrderId: 'mine' };
  expect(message).toEqual({ op: 'order.place', id: '1', params });
  const others = [await next(), await next(), await next()].map((each) => each.message);
  expect(others).toEqual([
    { op: 'order.cancel', id: '2', params: { orderId: '7' } },
    { op: 'order.amend', id: '3', params: { orderId: '8', price: 2.5 } },
    { op: 'orders.open', id: '4', params: { symbol: 'A/B', limit: 5 } },
  ]);
  // Responses come in any order.
  for (const each of others.toReversed()) succeed(socket, each, each.op);
  succeed(socket, message, 'order.place');
  expect(await Promise.all<unknown>([placed, canceled, amended, listed])).toEqual([
    'order.place',
    'order.cancel',
    'order.amend',
    'orders.open',
  ]);
});

test('numbers keep their digits in both directions', async () => {
  const trading = open({ exactNumbers: true });
  const pending = trading.placeOrder({ ...ORDER, amount: '123456789012.12345678' });
  await until(() => received.length > 0);
  const { message, socket } = await next();
  send(
    socket,
    `{"op":"order.place","id":"${message.id}","success":true,"data":{"amount":123456789012.12345678}}`,
  );
  expect(await pending).toEqual({ amount: '123456789012.12345678' } as never);
  await expect(trading.placeOrder({ ...ORDER, amount: '1,5' })).rejects.toThrow('amount is "1,5"');
});

test('errors are those of the REST client', async () => {
  const trading = open();
  const pending = failure(trading.cancelOrder({ id: '7' }));
  const { message, socket } = await next();
  fail(socket, message, 'RATE_LIMIT_EXCEEDED', { retryAfter: 60 });
  const error = (await pending) as ApiRequestError;
  expect(error).toBeInstanceOf(ApiRequestError);
  expect(error).toMatchObject({ status: 0, code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 60 });
});

test('an order is sent again with its clientOrderId after the connection ends', async () => {
  const trading = open();
  const pending = trading.placeOrder(ORDER);
  const { message, socket } = await next();
  expect(message.params.clientOrderId).toMatch(/^[0-9a-f]{32}$/);
  socket.terminate();
  const again = await next();
  expect(again.message.params).toEqual(message.params);
  expect(again.message.id).not.toBe(message.id);
  succeed(again.socket, again.message, 'placed');
  expect(await pending).toBe('placed' as never);
  expect(connections).toBe(2);
});

test('reads and OCO orders with a clientOrderId are sent again too', async () => {
  const trading = open();
  const legs = { takeProfit: { price: 3 }, stopLoss: { triggerPrice: 1 } };
  const oco = { symbol: 'A/B', side: 'sell', amount: 1, ...legs } as const;
  const pending = [trading.getBalances(), trading.placePair({ ...oco, clientOrderId: 'mine' })];
  const { socket } = await next();
  await next();
  socket.terminate();
  const again = [await next(), await next()];
  expect(again.map(({ message }) => message.op).sort()).toEqual(['balances', 'order.oco']);
  for (const { message, socket: second } of again) succeed(second, message, message.op);
  expect(await Promise.all<unknown>(pending)).toEqual(['balances', 'order.oco']);
});

test('other operations in flight are not sent again: their outcome is unknown', async () => {
  const trading = open();
  const legs = { takeProfit: { price: 3 }, stopLoss: { triggerPrice: 1 } };
  const pending = [
    trading.cancelOrder({ id: '7' }),
    trading.amendOrder({ id: '7', price: 3 }),
    trading.cancelOrders({ all: 'true' }),
    trading.placeOrders({ orders: [{ ...ORDER, clientOrderId: 'mine' }] }),
    trading.cancelAfter({ timeout: 5 }),
    trading.placePair({ symbol: 'A/B', side: 'sell', amount: 1, ...legs }),
  ].map(failure);
  await until(() => received.length === pending.length);
  const { socket } = received[0]!;
  received = [];
  socket.terminate();
  for (const error of await Promise.all(pending)) {
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect((error as Error).message).toContain('may have taken effect');
  }
  await until(() => connections === 2);
  await trading.whenConnected();
  expect(received).toEqual([]);
});

test('an order whose first attempt is unknown stays unknown if its repetition is not authorized', async () => {
  const trading = open();
  const pending = failure(trading.placeOrder(ORDER));
  const { socket } = await next();
  authResponse = { op: 'error', error: { code: 'UNAUTHORIZED', message: '', details: {} } };
  socket.terminate();
  expect(await pending).toBeInstanceOf(OutcomeUnknownError);
  expect(await failure(trading.placeOrder(ORDER))).toMatchObject({ code: 'UNAUTHORIZED' });
});

test('an order whose repetition is rejected was not placed', async () => {
  const trading = open();
  const pending = failure(trading.placeOrder(ORDER));
  const { socket } = await next();
  socket.terminate();
  const again = await next();
  fail(again.socket, again.message, 'INSUFFICIENT_BALANCE');
  expect(await pending).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
});

test('without a response in time the outcome is unknown, and a late response is ignored', async () => {
  const trading = open({ timeoutMs: 50 });
  const pending = failure(trading.cancelOrder({ id: '7' }));
  const { message, socket } = await next();
  expect(await pending).toBeInstanceOf(OutcomeUnknownError);
  succeed(socket, message, 'late');
  const second = trading.cancelOrder({ id: '8' });
  const { message: other } = await next();
  succeed(socket, other, 'in time');
  expect(await second).toBe('in time' as never);
});

test('without a connection in time an operation is not sent, also not later', async () => {
  authResponse = undefined;
  const trading = open({ sendTimeoutMs: 50 });
  const error = await failure(trading.placeOrder(ORDER));
  expect(error).toBeInstanceOf(NotSentError);
  expect((error as Error).message).toContain('Not sent within 0.05 s');
  send(lastSocket, { op: 'authenticated' });
  const later = trading.getBalances();
  const { message, socket } = await next();
  expect(message.op).toBe('balances');
  succeed(socket, message, 'balances');
  await later;
  expect(received).toEqual([]);
});

test('at most as many operations as the exchange accepts are in flight; the others wait', async () => {
  const trading = open();
  const count = MAX_IN_FLIGHT + 50;
  const pending = Array.from({ length: count }, (_, id) => trading.cancelOrder({ id: `${id}` }));
  await until(() => received.length === MAX_IN_FLIGHT);
  const { socket } = received[0]!;
  send(socket, { op: 'pong' });
  const first = received.splice(0);
  for (const { message } of first.slice(0, 20)) succeed(socket, message, message.params);
  await until(() => received.length === 20);
  for (const { message } of first.slice(20)) succeed(socket, message, message.params);
  await until(() => received.length === 50);
  for (const { message } of received.splice(0)) succeed(socket, message, message.params);
  const answers = (await Promise.all(pending)) as unknown as { orderId: string }[];
  expect(answers.map(({ orderId }) => Number(orderId))).toEqual([...Array(count).keys()]);
});

test('an aborted operation rejects with the reason; one that waits is not sent', async () => {
  authResponse = undefined;
  const trading = open();
  const stop = new AbortController();
  const waiting = failure(trading.cancelOrder({ id: '1' }, { signal: stop.signal }));
  await until(() => auths.length === 1);
  stop.abort(new Error('stopped'));
  expect(await waiting).toEqual(new Error('stopped'));
  const aborted = AbortSignal.abort(new Error('before'));
  await expect(trading.getBalances({}, { signal: aborted })).rejects.toThrow('before');
  expect(received).toEqual([]);
});

test('wrong credentials end the socket', async () => {
  authResponse = { op: 'error', error: { code: 'UNAUTHORIZED', message: '', details: {} } };
  const trading = open();
  const connected = failure(trading.whenConnected());
  expect(await failure(trading.getBalances())).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(await connected).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(await failure(trading.whenConnected())).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(connections).toBe(1);
});

test('a revoked key ends the socket; a session authenticates again', async () => {
  const byKey = open();
  const pending = failure(byKey.cancelOrder({ id: '7' }));
  const { socket } = await next();
  socket.close(4001, 'key revoked');
  expect(await pending).toBeInstanceOf(OutcomeUnknownError);
  expect(await failure(byKey.getBalances())).toEqual(new StreamClosedError('key revoked'));

  const bySession = new Trading({ baseUrl: server.url.origin, session: true });
  tradings.push(bySession);
  const read = bySession.getBalances();
  const { socket: second } = await next();
  second.close(4001, 'session ended');
  const again = await next();
  succeed(again.socket, again.message, 'balances');
  expect(await read).toBe('balances' as never);
  expect(auths.slice(1)).toEqual([{ op: 'auth' }, { op: 'auth' }]);
});

test('waits as long as the exchange says before it connects again', async () => {
  const details = { retryAfter: 1 };
  authResponse = { op: 'error', error: { code: 'RATE_LIMIT_EXCEEDED', message: '', details } };
  const start = performance.now();
  const trading = open();
  await until(() => auths.length === 1);
  authResponse = { op: 'authenticated' };
  await trading.whenConnected();
  expect(performance.now() - start).toBeGreaterThanOrEqual(990);
});

test('an error without an id concerns the only operation in flight', async () => {
  const trading = open();
  const pending = failure(trading.placeOrder({ ...ORDER, clientOrderId: '\ud800' }));
  const { socket } = await next();
  send(socket, { op: 'error', error: { code: 'INVALID_REQUEST', message: '', details: {} } });
  expect(await pending).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('asks to cancel on disconnect only if that option is set', async () => {
  open({ cancelOnDisconnect: true });
  await until(() => auths.length === 1);
  expect(auths).toEqual([{ op: 'auth', ...KEY, cancelOnDisconnect: true }]);
});

test('stays closed', async () => {
  const trading = open();
  const pending = failure(trading.cancelOrder({ id: '7' }));
  await next();
  trading.close();
  expect(await pending).toBeInstanceOf(OutcomeUnknownError);
  expect(await failure(trading.placeOrder(ORDER))).toBeInstanceOf(StreamClosedError);
  expect(trading.isConnected).toBe(false);
  const started = open();
  const waiting = failure(started.getBalances());
  started.close();
  expect(await waiting).toBeInstanceOf(StreamClosedError);
});
