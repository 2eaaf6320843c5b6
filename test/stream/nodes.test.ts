import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { TestExchange } from '../http/exchange.ts';
import { Follower, makeNode, type Node } from './follower.ts';
import { UnreadSocket } from './unread-socket.ts';

let exchange: TestExchange;
let first: Node;
let follower: Follower;
beforeEach(async () => {
  exchange = await TestExchange.open();
  const services = { ...exchange.services, bus: new MemoryNetwork().join('one') };
  const streams = new Streams(services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  first = makeNode(streams);
  follower = new Follower(exchange, services);
});
afterEach(() => exchange.close());

// biome-ignore lint/suspicious/noExplicitAny: messages have many forms
type Message = any;

function connect({ streams, sockets }: Node, name: string) {
  const messages: Message[] = [];
  const socket = new UnreadSocket(streams, (message) => messages.push(JSON.parse(message)));
  sockets.add(socket);
  const { Authorization, 'X-API-Secret': apiSecret } = exchange.headers(name);
  socket.receive({ op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret });
  messages.length = 0;
  return { socket, messages };
}

async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const order = (symbol: string, side: string) => ({
  symbol,
  side,
  type: 'limit',
  amount: 0.1,
  price: 4_000,
  timeInForce: 'GTC',
});

test.each([
  ['orders', {}],
  ['balances', {}],
  ['fills', {}],
  ['trades', { symbol: 'BTC/USDT' }],
])(
  'a subscription to %s never goes back when it resumes on a node that has sent less',
  async (channel, market) => {
    const subscribe = { op: 'subscribe', channel, ...market };
    const listening = connect(follower.node, 'alice');
    listening.socket.receive(subscribe);
    const own = listening.messages[0].sequence;
    // Trading in another market moves the sequence that a new subscriber gets.
    await exchange.place('bob', order('ETH/USDT', 'buy'));
    if (channel === 'trades') await exchange.place('alice', order('ETH/USDT', 'sell'));
    const before = connect(first, 'alice');
    before.socket.receive(subscribe);
    const { sequence } = before.messages[0];
    follower.apply(Infinity);
    const after = connect(follower.node, 'alice');
    after.socket.receive({ ...subscribe, sequence });
    await nextTurns();
    expect(after.messages).toHaveLength(1);
    expect(after.messages[0]).toMatchObject({ op: 'update', prevSequence: sequence, sequence });
    const updates = listening.messages.slice(1);
    if (sequence > own) {
      expect(updates).toHaveLength(1);
      expect(updates[0]).toMatchObject({ prevSequence: own, sequence, data: { [channel]: [] } });
    } else expect(updates).toEqual([]);
    expect(sequence > own).toBe(channel !== 'fills');
  },
);

test('many resumed subscriptions to a quiet market cause one update to its subscribers', async () => {
  const subscribe = { op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' };
  const listening = connect(follower.node, 'alice');
  listening.socket.receive(subscribe);
  const own = listening.messages[0].sequence;
  for (let trade = 0; trade < 3; trade++) {
    await exchange.place('bob', order('ETH/USDT', 'buy'));
    await exchange.place('alice', order('ETH/USDT', 'sell'));
  }
  follower.apply(Infinity);
  for (let since = own + 1; since <= own + 3; since++) {
    const after = connect(follower.node, 'alice');
    after.socket.receive({ ...subscribe, sequence: since });
    await nextTurns();
    expect(after.messages).toHaveLength(1);
    expect(after.messages[0]).toMatchObject({ prevSequence: since, sequence: own + 3 });
  }
  expect(listening.messages.slice(1)).toHaveLength(1);
});
