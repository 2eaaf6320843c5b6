import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { Topic } from '../../src/gateway/stream/public-channels/topic.ts';
import { StreamClient } from './client.ts';
import { Flow } from './flow.ts';
import { StreamedExchange } from './streamed-exchange.ts';

const MARKETS = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'ETH/BTC'];
const CHANNELS = ['orderbook', 'prices', 'trades'];

let exchange: StreamedExchange;
let client: StreamClient;
let calls: string[];
let onCall: (method: string) => void;
let spies: { mockRestore(): void }[];

beforeEach(async () => {
  exchange = new StreamedExchange();
  client = await StreamClient.open(exchange.port);
  for (const symbol of MARKETS) {
    for (const channel of CHANNELS) {
      client.send({ op: 'subscribe', channel, symbol });
      expect(await client.next()).toMatchObject({ op: 'snapshot', channel, symbol });
    }
  }
  calls = [];
  onCall = () => {};
  spies = (['note', 'noteFreed', 'update', 'advanceTime'] as const).map((method) => {
    const original = Topic.prototype[method] as (this: Topic, ...args: never[]) => void;
    return spyOn(Topic.prototype, method).mockImplementation(function (
      this: Topic,
      ...args: never[]
    ) {
      calls.push(this.market.symbol);
      onCall(method);
      return original.apply(this, args);
    } as never);
  });
});

afterEach(async () => {
  for (const spy of spies) spy.mockRestore();
  client.close();
  await exchange.close();
});

test('a command calls the topics of the markets that it touched, and no others', async () => {
  const flow = new Flow(7);
  exchange.apply(flow.openAccount(3));
  exchange.apply(flow.levels(3, 0).slice(0, 20));
  await client.until(() => client.latest('orderbook')?.symbol === 'BTC/USDT');
  exchange.apply([flow.near(1), flow.near(2), flow.clear(3)]);
  await client.until(() => client.latest('prices')?.symbol === 'BTC/USDT');
  expect(new Set(calls)).toEqual(new Set(['BTC/USDT']));
});

test('a command that touches no market calls no topic', async () => {
  exchange.apply(new Flow(7).openAccount(3));
  client.send({ op: 'ping' });
  expect((await client.next()).op).toBe('pong');
  expect(calls).toEqual([]);
});

test('a subscription to one market calls no topic of another', async () => {
  client.send({ op: 'unsubscribe', channel: 'prices', symbol: 'ETH/BTC' });
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'ETH/BTC' });
  await client.until(() => client.messages.at(-1)?.op === 'snapshot');
  expect(calls.filter((symbol) => symbol !== 'ETH/BTC')).toEqual([]);
});

test('a change of the book alone updates prices, even without a subscriber to the book', async () => {
  client.send({ op: 'unsubscribe', channel: 'orderbook', symbol: 'BTC/USDT' });
  await client.until(() => client.messages.at(-1)?.op === 'unsubscribed');
  client.send({ op: 'ping' });
  await client.until(() => client.messages.at(-1)?.op === 'pong');
  exchange.apply(new Flow(7).openAccount(3));
  exchange.apply(new Flow(7).levels(3, 0).slice(0, 2));
  await client.until(() => client.messages.at(-1)?.data?.symbol === 'BTC/USDT');
  expect(client.messages.at(-1)).toMatchObject({
    op: 'update',
    channel: 'prices',
    data: { bid: 117_990, ask: 118_010 },
  });
});

test('slow updates by time are spread over several turns of the event loop', async () => {
  const all = MARKETS.length * CHANNELS.length;
  let turn = 0;
  const turns: number[] = [];
  onCall = (method) => {
    if (method !== 'advanceTime') return;
    turns.push(turn);
    const until = performance.now() + 1;
    while (performance.now() < until);
  };
  const count = () => {
    turn++;
    if (turns.length < all) setImmediate(count);
  };
  count();
  exchange.now += 60_000;
  const updated = () =>
    client.messages.filter(({ op, channel }) => op === 'update' && channel === 'prices');
  await client.until(() => updated().length === MARKETS.length);
  // The last topics are not prices.
  while (turns.length < all) await new Promise((resolve) => setImmediate(resolve));
  expect(new Set(turns).size).toBeGreaterThan(2);
});
