import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { MAX_IN_FLIGHT } from '../../src/gateway/stream/operations/operations.ts';
import { CloseCode } from '../../src/gateway/stream/sockets/close-codes.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { CHECK_TIMEOUT_MS, checkAsync } from '../check.ts';
import { frame, OPCODE, RawStream } from '../fuzz/frames.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

// Orders over a socket that breaks, is flooded or loses its key: nothing is lost, and nothing is done twice.

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
const clients: { close?(): void; destroy?(): void }[] = [];

beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'off' });
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
});
afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.close?.();
    client.destroy?.();
  }
  await server.stop();
  await exchange.close();
});

function authMessage() {
  const headers = exchange.headers('alice');
  const apiKey = headers.Authorization!.slice('Bearer '.length);
  return { op: 'auth', apiKey, apiSecret: headers['X-API-Secret'] };
}

async function connect(): Promise<StreamClient> {
  const client = await StreamClient.open(server.port);
  clients.push(client);
  client.send(authMessage());
  expect(await client.next()).toEqual({ op: 'authenticated' });
  return client;
}

/** Opens an authenticated connection whose frames the test makes itself. */
async function connectRaw(): Promise<RawStream> {
  const raw = await RawStream.open(server.port);
  clients.push(raw);
  raw.sendText(JSON.stringify(authMessage()));
  await raw.until(() => raw.received.length > 0);
  expect(texts(raw)).toEqual(['{"op":"authenticated"}']);
  raw.received.length = 0;
  return raw;
}

const texts = ({ received }: RawStream) => received.map(({ payload }) => payload.toString());

const order = (clientOrderId: string, terms: object = {}) => ({
  ...{ symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.001, price: 45_000 },
  ...{ clientOrderId, ...terms },
});
const place = (id: string | number, clientOrderId = `order-${id}`) => ({
  op: 'order.place',
  id,
  params: order(clientOrderId),
});

/** Waits until the exchange has handled everything that was sent before. */
async function handled(client: StreamClient): Promise<void> {
  const before = client.messages.length;
  client.send({ op: 'ping' });
  await client.until(() => client.messages.slice(before).some(({ op }) => op === 'pong'));
  const at = client.messages.findIndex(({ op }) => op === 'pong');
  client.messages.splice(at, 1);
}

test(
  'an order in fragments is placed once, however it is divided; half of one is not placed',
  async () => {
    const raw = await connectRaw();
    let number = 0;
    const isSent = fc.asyncProperty(
      fc.array(fc.nat({ max: 200 }), { maxLength: 6 }),
      fc.boolean(),
      async (cuts, hasPings) => {
        const bytes = Buffer.from(JSON.stringify(place(++number)));
        const ends = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        ends.push(bytes.length);
        const before = exchange.state.orders.size;
        let from = 0;
        for (const [index, end] of ends.entries()) {
          const opcode = index === 0 ? OPCODE.text : OPCODE.continuation;
          const isLast = end === bytes.length;
          if (isLast) {
            // Everything before the last fragment has arrived and has done nothing.
            raw.send(frame(Buffer.from('now'), { opcode: OPCODE.ping }));
            await raw.until(() => raw.received.some((each) => each.opcode === OPCODE.pong));
            expect(exchange.state.orders.size).toBe(before);
            raw.received.length = 0;
          } else if (hasPings) raw.send(frame(Buffer.alloc(0), { opcode: OPCODE.pong }));
          raw.send(frame(bytes.subarray(from, end), { opcode, isLast }));
          from = end;
        }
        await raw.until(() => raw.received.length > 0);
        expect(JSON.parse(texts(raw)[0]!)).toMatchObject({ id: number, success: true });
        raw.received.length = 0;
        expect(exchange.state.orders.size).toBe(before + 1);
      },
    );
    await checkAsync(isSent, 40);
    const { size } = exchange.state.orders;
    expect(size).toBe(number);

    const half = Buffer.from(JSON.stringify(place('half'))).subarray(0, 60);
    raw.send(frame(half, { opcode: OPCODE.text, isLast: false }));
    raw.destroy();
    // The next message must be the rest of the order: anything else ends the connection.
    const other = await connectRaw();
    other.send(frame(half, { opcode: OPCODE.text, isLast: false }));
    other.sendText(JSON.stringify(place('whole')));
    await other.until(() => other.isOver);
    await handled(await connect());
    expect(exchange.state.orders.size).toBe(size);
  },
  CHECK_TIMEOUT_MS,
);

test('of ten thousand orders at once those in progress are placed, and the others when they are sent again', async () => {
  const count = 10_000;
  const alice = await connect();
  const release = await exchange.holdLog();
  for (let id = 0; id < count; id++) alice.send(place(id));
  await handled(alice);
  release();
  await alice.until(() => alice.messages.length === count);
  const placed = alice.messages.filter(({ success }) => success);
  const refused = alice.messages.filter(({ success }) => !success);
  expect(placed.map(({ id }) => id)).toEqual(Array.from({ length: MAX_IN_FLIGHT }, (_, id) => id));
  expect(exchange.state.orders.size).toBe(MAX_IN_FLIGHT);
  for (const { error } of refused) {
    expect(error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { rule: 'inFlight', retryAfter: 1 },
    });
  }
  expect(new Set(refused.map(({ id }) => id)).size).toBe(count - MAX_IN_FLIGHT);

  alice.messages.length = 0;
  const repeated = placed.slice(0, 400);
  const again = [...repeated, ...refused.slice(0, 500)].map(({ id }) => id);
  for (const id of again) alice.send(place(id));
  await alice.until(() => alice.messages.length === again.length);
  expect(alice.messages.every(({ success }) => success)).toBe(true);
  expect(exchange.state.orders.size).toBe(MAX_IN_FLIGHT + 500);
  const orderIds = new Map(alice.messages.map(({ id, data }) => [id, data.orderId]));
  for (const { id, data } of repeated) expect(orderIds.get(id)).toBe(data.orderId);
});

test('of orders in flight those before the revocation of their key are placed, and those after it rejected', async () => {
  const alice = await connect();
  const { apiKey } = authMessage();
  alice.send(place('resting'));
  const resting = (await alice.next()).data;
  const { orderId } = resting;
  const release = await exchange.holdLog();
  for (let id = 0; id < 20; id++) alice.send(place(`before-${id}`));
  await handled(alice);
  const revoked = exchange.replica.execute({
    kind: CommandKind.revokeKey,
    ...SYSTEM_ACTOR,
    apiKey,
  });
  for (let id = 0; id < 20; id++) alice.send(place(`after-${id}`));
  alice.send({ op: 'order.cancel', id: 'after-cancel', params: { orderId } });
  alice.send({ op: 'order.amend', id: 'after-amend', params: { orderId, price: 44_000 } });
  await handled(alice);
  release();
  await revoked;
  expect(await alice.closed).toBe(CloseCode.credentialEnded);
  const before = alice.messages.filter(({ id }) => id.startsWith('before'));
  const after = alice.messages.filter(({ id }) => id.startsWith('after'));
  expect(before.map(({ success }) => success)).toEqual(Array(20).fill(true));
  expect(after.map(({ error }) => error.code)).toEqual(Array(22).fill('UNAUTHORIZED'));
  expect(exchange.state.orders.size).toBe(21);
  await exchange.addKey('again', 'alice', ['read', 'trade']);
  expect((await exchange.send('again', 'GET', `/api/orders/${orderId}`)).data).toEqual(resting);
});

test('an order that is committed, but not answered before its connection ends, is the same when asked for again', async () => {
  const raw = await connectRaw();
  let committed = 0;
  const note = exchange.onEvents;
  exchange.onEvents = (events) => {
    note(events);
    if (!events.some(({ kind }) => kind === 'order') || committed++ > 0) return;
    // The log has the order, and its response is not written before the end of this turn.
    raw.destroy();
  };
  raw.sendText(JSON.stringify(place(1, 'mine')));
  await raw.until(() => raw.isOver);
  expect([committed, texts(raw), exchange.state.orders.size]).toEqual([1, [], 1]);

  const again = await connect();
  again.send(place('same', 'mine'));
  const same = await again.next();
  expect(same).toMatchObject({ success: true, data: { clientOrderId: 'mine', status: 'open' } });
  again.send({ op: 'orders.open', id: 2 });
  expect((await again.next()).data.orders).toEqual([same.data]);
  again.send({ op: 'order.place', id: 3, params: order('mine', { price: 44_000 }) });
  expect(await again.next()).toMatchObject({
    success: false,
    error: { code: 'DUPLICATE_CLIENT_ORDER_ID' },
  });
  expect(exchange.state.orders.size).toBe(1);
});
