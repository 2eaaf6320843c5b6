import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Client, OutcomeUnknownError, type Trading } from '../../src/client/index.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { MAX_IN_FLIGHT } from '../../src/gateway/stream/operations/operations.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { TestExchange } from '../http/exchange.ts';

/** Trading over a socket against a real exchange. */

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let client: Client<true>;
let trading: Trading<true>;
/** Sockets that the client has opened. */
let sockets: WebSocket[] = [];

class RecordedSocket extends WebSocket {
  constructor(url: string) {
    super(url);
    sockets.push(this);
  }
}

beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'off' });
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  const headers = exchange.headers('alice');
  client = new Client({
    baseUrl: `http://127.0.0.1:${server.port}`,
    apiKey: headers.Authorization!.slice('Bearer '.length),
    apiSecret: headers['X-API-Secret'],
    exactNumbers: true,
  });
  sockets = [];
  // More retries than a test ends connections.
  trading = client.trading({ WebSocket: RecordedSocket as never, retries: 100 });
  await trading.whenConnected();
});
afterEach(async () => {
  trading.close();
  await server.stop();
  await exchange.close();
});

const ORDER = {
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount: '0.01',
  price: '45000.1',
} as const;

/** Cuts the connection while the exchange has not answered what it was sent. */
async function cutWhileWaiting(): Promise<void> {
  // Messages are handled in order, so its pong says that the exchange has the operations before it.
  const socket = sockets.at(-1)!;
  const ponged = new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (`${data}` === '{"op":"pong"}') resolve();
    });
  });
  socket.send('{"op":"ping"}');
  await ponged;
  socket.terminate();
}

test('every method returns what the REST client returns', async () => {
  const placed = await trading.placeOrder({ ...ORDER, clientOrderId: 'mine' });
  expect(placed).toMatchObject({ amount: '0.01', price: '45000.1', clientOrderId: 'mine' });
  const { orderId: id } = placed;
  expect(await client.getOrder({ id })).toEqual(placed);
  expect(await trading.getOrder({ id })).toEqual(placed);
  const amended = await trading.amendOrder({ id, price: '44000' });
  expect(await trading.listOpenOrders({ symbol: 'BTC/USDT' })).toEqual(
    await client.listOrders({ symbol: 'BTC/USDT', status: 'open' }),
  );
  expect(amended.price).toBe('44000');
  expect(await trading.getBalances()).toEqual(await client.getBalances());
  expect((await trading.cancelOrder({ id })).status).toBe('canceled');
  const { results } = await trading.placeOrders({ orders: [ORDER, { ...ORDER, amount: '0' }] });
  expect(results.map(({ success }) => success)).toEqual([true, false]);
  const oco = await trading.placePair({
    symbol: 'BTC/USDT',
    side: 'buy',
    amount: '0.01',
    takeProfit: { price: '40000' },
    stopLoss: { triggerPrice: '150000' },
  });
  expect(oco.orders).toHaveLength(2);
  expect((await trading.cancelAfter({ timeout: 60 })).armed).toHaveLength(1);
  expect((await trading.cancelOrders({ all: 'true' })).orders).toHaveLength(3);
});

test('a rejection has its code, message and exact details', async () => {
  const order = { ...ORDER, amount: '9000', price: '12345678.12' };
  const rejection = (sent: Promise<unknown>) =>
    sent.catch(({ code, message, details }) => ({ code, message, details }));
  const found = await rejection(trading.placeOrder(order));
  expect(found).toEqual(await rejection(client.placeOrder(order)));
  expect(found).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    details: { required: '111111103080' },
  });
});

test('an order that is committed while its connection ends is placed once, and its record is returned', async () => {
  const release = await exchange.holdLog();
  const placed = trading.placeOrder(ORDER);
  await cutWhileWaiting();
  release();
  const order = await placed;
  expect(order).toMatchObject({ status: 'open', amount: '0.01' });
  expect(sockets).toHaveLength(2);
  expect(exchange.state.orders.size).toBe(1);
  expect((await client.listOrders({ status: 'open' })).orders).toEqual([order]);
});

const seed = Number(process.env.SEED ?? Date.now() % 100_000);

test(`connections that end at any time lose no order and place none twice (SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const count = 300;
  const placed: Promise<{ orderId: string; clientOrderId: string | null }>[] = [];
  for (let number = 0; number < count; number++) {
    placed.push(trading.placeOrder({ ...ORDER, amount: '0.001', clientOrderId: `n-${number}` }));
    if (below(8, random) > 0) continue;
    // Some end while connecting, some with orders in flight.
    if (below(2, random) === 0) await trading.whenConnected();
    if (below(2, random) === 0) await Bun.sleep(below(5, random));
    sockets.at(-1)!.terminate();
  }
  const orders = await Promise.all(placed);
  const expected = Array.from({ length: count }, (_, number) => `n-${number}`);
  expect({ seed, ids: orders.map(({ clientOrderId }) => clientOrderId) }).toEqual({
    seed,
    ids: expected,
  });
  expect(exchange.state.orders.size).toBe(count);
  expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(count);
  expect(sockets.length).toBeGreaterThan(2);
});

test('a cancel in flight when its connection ends is not repeated', async () => {
  const { orderId: id } = await trading.placeOrder(ORDER);
  const release = await exchange.holdLog();
  const canceled = trading.cancelOrder({ id }).catch((error: unknown) => error);
  await cutWhileWaiting();
  expect(await canceled).toBeInstanceOf(OutcomeUnknownError);
  release();
  await trading.whenConnected();
  // It was executed; only its response was lost.
  expect((await trading.getOrder({ id })).status).toBe('canceled');
});

test('orders sent together are executed in their order, also more than may be in flight', async () => {
  const count = MAX_IN_FLIGHT + 200;
  const orders = await Promise.all(
    Array.from({ length: count }, () => trading.placeOrder({ ...ORDER, amount: '0.001' })),
  );
  const ids = orders.map(({ orderId }) => Number(orderId));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(exchange.state.orders.size).toBe(count);
});

test('a key without the permission is rejected per operation', async () => {
  const headers = exchange.headers('reader');
  const reading = client.trading({
    apiKey: headers.Authorization!.slice('Bearer '.length),
    apiSecret: headers['X-API-Secret'],
  });
  await expect(reading.placeOrder(ORDER)).rejects.toMatchObject({
    code: 'INSUFFICIENT_PERMISSIONS',
  });
  expect((await reading.getBalances()).balances.length).toBeGreaterThan(0);
  reading.close();
});
