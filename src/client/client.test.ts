import { afterAll, beforeEach, expect, test } from 'bun:test';
import { Client } from './client.ts';
import { ApiRequestError, UnreachableError } from './errors.ts';

/** Retries of the client, against a scripted server. */
type Scripted = 'no response' | Response;
let script: Scripted[] = [];
let bodies: string[] = [];

const server = Bun.serve({
  port: 0,
  async fetch(request) {
    bodies.push(await request.text());
    const next = script.shift();
    if (next === undefined) return Response.json({ success: true, data: { orderId: '1' } });
    return next === 'no response' ? new Promise<Response>(() => {}) : next;
  },
});
afterAll(() => server.stop(true));

beforeEach(() => {
  script = [];
  bodies = [];
});

const client = new Client({ baseUrl: server.url.origin, timeoutMs: 1000 });
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: '1' } as const;

function errorResponse(code: string, status: number, retryAfter?: number): Response {
  const error = { code, message: code, details: {} };
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers['Retry-After'] = `${retryAfter}`;
  return Response.json({ success: false, error }, { status, headers });
}
const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error) => error);

test('an order is retried under one client order id until there is a response', async () => {
  const lost = errorResponse('OUTCOME_UNKNOWN', 500);
  script = ['no response', lost, 'no response'];
  expect((await client.placeOrder(ORDER)).orderId).toBe('1');
  expect(bodies).toHaveLength(4);
  expect(new Set(bodies).size).toBe(1);
  expect(JSON.parse(bodies[0]!).clientOrderId).toMatch(/^[0-9a-f]{32}$/);
});

test('every order has its own client order id, unless one is given', async () => {
  await client.placeOrder(ORDER);
  await client.placeOrder({ ...ORDER, clientOrderId: null });
  await client.placeOrder({ ...ORDER, clientOrderId: 'mine' });
  const ids = bodies.map((body) => JSON.parse(body).clientOrderId);
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBe('mine');
});

test('waits for the delay of Retry-After', async () => {
  script = [errorResponse('RATE_LIMIT_EXCEEDED', 429, 1)];
  const start = performance.now();
  await client.getTime();
  expect(performance.now() - start).toBeGreaterThanOrEqual(990);
});

test('fails instead of waiting longer than a rate-limit window', async () => {
  script = [errorResponse('RATE_LIMIT_EXCEEDED', 429, 61)];
  expect(await failure(client.getTime())).toMatchObject({ retryAfterSeconds: 61 });
  expect(bodies).toHaveLength(1);
});

const PLACEMENTS = {
  placeOrder: (by: Client) => by.placeOrder(ORDER),
  placeOrders: (by: Client) => by.placeOrders({ orders: [ORDER] }),
  placePair: (by: Client) =>
    by.placePair({
      symbol: 'BTC/USDT',
      side: 'sell',
      amount: 1,
      takeProfit: { price: 2 },
      stopLoss: { triggerPrice: 1 },
    }),
};
const TRANSIENT_ERRORS = [
  ['RATE_LIMIT_EXCEEDED', 429],
  ['OVERLOADED', 503],
] as const;

test.each(Object.entries(PLACEMENTS))('%s waits only with waitToPlace', async (_, place) => {
  for (const [code, status] of TRANSIENT_ERRORS) {
    bodies = [];
    script = [errorResponse(code, status, 0)];
    expect(await failure(place(client))).toMatchObject({ code, retryAfterSeconds: 0 });
    expect(bodies).toHaveLength(1);
    script = [errorResponse(code, status, 0), errorResponse(code, status, 0)];
    const patient = new Client({ baseUrl: server.url.origin, waitToPlace: true });
    expect(await failure(place(patient))).toBeUndefined();
    expect(bodies).toHaveLength(4);
    expect(new Set(bodies.slice(1)).size).toBe(1);
  }
});

test('reports when an order may be placed again', async () => {
  script = [errorResponse('RATE_LIMIT_EXCEEDED', 429, 60)];
  expect(await failure(client.placeOrder(ORDER))).toMatchObject({ retryAfterSeconds: 60 });
});

test('a rejected retry does not hide that an earlier attempt may have placed the order', async () => {
  script = ['no response', errorResponse('RATE_LIMIT_EXCEEDED', 429, 60)];
  expect(await failure(client.placeOrder(ORDER))).toBeInstanceOf(UnreachableError);
  script = [errorResponse('OUTCOME_UNKNOWN', 500), errorResponse('OVERLOADED', 503, 1)];
  expect(await failure(client.placeOrder(ORDER))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  // Credentials are checked before the order is looked up.
  script = ['no response', errorResponse('UNAUTHORIZED', 401)];
  expect(await failure(client.placeOrder(ORDER))).toBeInstanceOf(UnreachableError);
  // A final rejection is conclusive: had the order been placed, the retry would have returned it.
  script = ['no response', errorResponse('INSUFFICIENT_BALANCE', 400)];
  expect(await failure(client.placeOrder(ORDER))).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
});

test('retries no more often than configured', async () => {
  const limited = new Client({ baseUrl: server.url.origin, retries: 2 });
  script = Array.from({ length: 9 }, () => errorResponse('OVERLOADED', 503, 0));
  expect(await failure(limited.getTime())).toBeInstanceOf(ApiRequestError);
  expect(bodies).toHaveLength(3);
});

test('requests that are not idempotent are sent once', async () => {
  const calls = [
    () => client.cancelOrder({ id: '1' }),
    () => client.cancelOrders({ all: 'true' }),
    () => client.amendOrder({ id: '1', amount: 2 }),
    () => client.placeOrders({ orders: [ORDER] }),
    () => client.cancelAfter({ timeout: 1 }),
  ];
  for (const call of calls) {
    bodies = [];
    script = ['no response'];
    expect(await failure(call())).toBeInstanceOf(UnreachableError);
    expect(bodies).toHaveLength(1);
  }
  // `fetch` needs a second to find that the server closed the connection.
}, 30_000);

test('permanent errors are not retried', async () => {
  script = [errorResponse('INSUFFICIENT_BALANCE', 400), errorResponse('INTERNAL_ERROR', 500)];
  expect(await failure(client.placeOrder(ORDER))).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(await failure(client.getTime())).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(bodies).toHaveLength(2);
});

test('a signal ends the wait for the next attempt', async () => {
  script = [errorResponse('RATE_LIMIT_EXCEEDED', 429, 30)];
  const controller = new AbortController();
  const call = failure(client.getTime({ signal: controller.signal }));
  while (bodies.length === 0) await Bun.sleep(1);
  await Bun.sleep(10);
  controller.abort(new Error('enough'));
  expect(await call).toMatchObject({ message: 'enough' });
  expect(bodies).toHaveLength(1);
});
