import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Json } from '../binance/venue.ts';
import { FaultBench, resting } from './bench.ts';

/** Faults of streams, on the channels of `/ws` and on the streams of the Binance dialect. */

let bench: FaultBench;
beforeEach(async () => {
  bench = await FaultBench.open();
});
afterEach(() => bench.close());

/** Trades one amount after the other, each reported on its own. */
async function trade(...amounts: number[]): Promise<void> {
  for (const amount of amounts) {
    await bench.venue.trade(50_000, amount);
    await Bun.sleep(15);
  }
}

async function trades(name: string) {
  const bot = await bench.socket(name);
  bot.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  await bot.take((message) => message.op === 'snapshot');
  return bot;
}

const amounts = (messages: Json[]) =>
  messages.flatMap(({ data }) => data.trades.map((each: Json) => each.amount));
const isTrade = (amount: number) => (message: Json) =>
  message.data?.trades?.some((each: Json) => each.amount === amount);

describe('trades of /ws', () => {
  test('a gap shows in the sequences, and resuming fills it', async () => {
    const bot = await trades('alice');
    await bench.add([{ kind: 'stream_gap', count: 1, endpoints: ['channel trades'] }]);
    await trade(0.1, 0.2, 0.3);
    const messages = await bot.takeUntil(isTrade(0.3));
    expect(amounts(messages)).toEqual([0.2, 0.3]);
    const [first] = messages;
    expect(first.prevSequence).toBe(first.sequence - 1);
    const again = await bench.venue.connect('/../ws');
    const sequence = first.prevSequence - 1;
    again.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT', sequence });
    expect(amounts(await again.takeUntil(isTrade(0.3)))).toEqual([0.1, 0.2, 0.3]);
    expect(await bench.injected()).toMatchObject([
      { kind: 'stream_gap', endpoint: 'channel trades', requestId: null, account: 'alice' },
    ]);
  });

  test('a duplicate, and one that is overtaken', async () => {
    const bot = await trades('alice');
    await bench.add([{ kind: 'stream_duplicate', count: 1, endpoints: ['channel trades'] }]);
    await trade(0.1, 0.2);
    expect(amounts(await bot.takeUntil(isTrade(0.2)))).toEqual([0.1, 0.1, 0.2]);
    await bench.clear();
    await bench.add([{ kind: 'stream_reorder', count: 1, endpoints: ['channel trades'] }]);
    await trade(0.3, 0.4, 0.5);
    expect(amounts(await bot.takeUntil(isTrade(0.5)))).toEqual([0.4, 0.3, 0.5]);
    await bench.clear();
    await bench.add([{ kind: 'stream_reorder', count: 1 }]);
    await trade(0.6);
    expect(amounts(await bot.takeUntil(isTrade(0.6)))).toEqual([0.6]);
  });

  test('a disconnection has no close frame, and concerns the key alone', async () => {
    const [alice, bob] = [await trades('alice'), await trades('bob')];
    await bench.add([{ kind: 'stream_disconnect' }], { apiKey: bench.apiKey('alice') });
    await trade(0.1);
    expect((await alice.closed).code).toBe(1006);
    await bench.clear();
    await trade(0.2);
    expect(amounts(await bob.takeUntil(isTrade(0.2)))).toEqual([0.1, 0.2]);
  });
});

describe('the Binance dialect', () => {
  test('market streams', async () => {
    const bot = await bench.venue.connect('/ws/btcusdt@trade');
    const combined = await bench.venue.connect('/stream?streams=btcusdt@trade');
    await Bun.sleep(20);
    await bench.add([{ kind: 'stream_gap', count: 2, endpoints: ['stream btcusdt@*'] }]);
    await trade(0.1, 0.2);
    expect((await bot.take()).q).toBe('0.20000000');
    expect((await combined.take()).data.q).toBe('0.20000000');
    await bench.clear();
    await trade(0.3);
    expect((await bot.take()).q).toBe('0.30000000');
  });

  test('user data of one account', async () => {
    const bot = await bench.venue.userStream('alice');
    await Bun.sleep(20);
    await bench.add([{ kind: 'stream_duplicate', count: 1, endpoints: ['stream userData'] }], {
      account: 'alice',
    });
    await bench.venue.order('alice', 'buy', 45_000, 0.01);
    const events = await bot.takeUntil(({ e }) => e === 'outboundAccountPosition');
    expect(events.map(({ e }) => e)).toEqual([
      'executionReport',
      'executionReport',
      'outboundAccountPosition',
    ]);
    expect(events[1]).toEqual(events[0]);
  });
});

test('snapshots and answers of operations are never changed', async () => {
  await bench.add([{ kind: 'stream_gap' }]);
  const bot = await trades('alice');
  bot.send({ op: 'order.place', id: 1, params: resting() });
  expect(await bot.take()).toMatchObject({ op: 'order.place', id: 1, success: true });
  bot.send({ op: 'subscribe', channel: 'orders' });
  expect((await bot.take()).data.orders).toHaveLength(1);
});
