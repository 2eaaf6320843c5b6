import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';
import { UnreadSocket } from './unread-socket.ts';

const ASSETS = 400;
const SOCKETS = 20;

let exchange: TestExchange;
let streams: Streams;
let messages: { op: string; data: { balances: unknown[] } }[];

beforeEach(async () => {
  exchange = await TestExchange.open();
  streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  messages = [];
  const { assets, accountsById } = exchange.state;
  const owner = accountsById.get('alice')!.index;
  for (let count = 0; count < ASSETS; count++) {
    const name = `COIN${count}`;
    await exchange.replica.execute({
      kind: CommandKind.createAsset,
      ...SYSTEM_ACTOR,
      asset: name,
      name,
      decimals: 8,
    });
    await exchange.replica.execute({
      kind: CommandKind.transfer,
      ...SYSTEM_ACTOR,
      owner,
      asset: assets.length - 1,
      amount: 1,
      reference: name,
      reason: 'test',
    });
  }
});
afterEach(() => exchange.close());

function connect(): UnreadSocket {
  const socket = new UnreadSocket(streams, (text) => messages.push(JSON.parse(text)));
  const { Authorization, 'X-API-Secret': apiSecret } = exchange.headers('alice');
  socket.receive({ op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret });
  return socket;
}

test.each([
  ['snapshots', 'snapshot', {}],
  ['resumed balances', 'update', { sequence: 0 }],
])('%s of many assets are sent over several turns', async (_, op, from) => {
  const sockets = Array.from({ length: SOCKETS }, connect);
  messages = [];
  for (const socket of sockets) socket.receive({ op: 'subscribe', channel: 'balances', ...from });
  for (let microtask = 0; microtask < 50; microtask++) await undefined;
  // Each one costs as much as a page of history, so the others wait for later turns of the event loop.
  expect(messages.length).toBeLessThan(SOCKETS / 2);
  while (messages.length < SOCKETS) await Bun.sleep(1);
  for (const message of messages) {
    expect(message.op).toBe(op);
    expect(message.data.balances.length).toBeGreaterThan(ASSETS);
  }
  for (const socket of sockets) socket.close();
});

test('balances that change while a client waits for its turn are sent once, without a gap in sequence', async () => {
  const sockets = Array.from({ length: 3 }, connect);
  messages = [];
  const received: { prevSequence: number; sequence: number }[] = [];
  const last = new UnreadSocket(streams, (text) => received.push(JSON.parse(text)));
  const { Authorization, 'X-API-Secret': apiSecret } = exchange.headers('alice');
  last.receive({ op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret });
  received.length = 0;
  const since = exchange.replica.position;
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1, price: 100_000 };
  for (const socket of [...sockets, last]) {
    socket.receive({ op: 'subscribe', channel: 'balances', sequence: since });
  }
  await exchange.place('alice', order);
  while (received.length === 0) await Bun.sleep(1);
  await exchange.place('alice', order);
  const current = exchange.replica.position;
  while (received.at(-1)!.sequence < current) await Bun.sleep(1);
  let sequence = since;
  for (const message of received) {
    expect(message.prevSequence).toBe(sequence);
    sequence = message.sequence;
  }
  for (const socket of [...sockets, last]) socket.close();
});
