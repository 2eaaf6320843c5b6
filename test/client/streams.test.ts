import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  type Balance,
  Client,
  type Fill,
  Level3Book,
  type Order,
  OrderBook,
  Streams,
  type Trade,
} from '../../src/client/index.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { entries } from '../stream/book-entries.ts';
import { Flow } from '../stream/flow.ts';
import { StreamedExchange } from '../stream/streamed-exchange.ts';

/** Tests of the streams against an exchange, over a connection that is cut repeatedly. */

const directory = temporaryDirectory();
let exchange: ExchangeProcess;

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

function clientOptions(name: string) {
  const { apiKey, apiSecret } = exchange.credential(name);
  return { baseUrl: exchange.baseUrl, apiKey, apiSecret, exactNumbers: true } as const;
}

/** Records open sockets, so that tests can cut them. */
class Cuttable extends WebSocket {
  static last: Cuttable;

  constructor(url: string) {
    super(url);
    Cuttable.last = this;
  }
}

let wake = () => {};
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

/** Seeded random numbers. */
const seed = Number(process.env.SEED ?? 11);
let state = seed;
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const symbol = 'BTC/USDT';
const STEPS = 200;

/** Places orders of two accounts near one price, and sometimes cuts the connection. */
async function trade(
  traders: readonly Client<true>[],
  between: (step: number) => Promise<void> = async () => {},
): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    if (step % 50 === 25) Cuttable.last.close();
    const trader = traders[below(2)]!;
    const side = below(2) === 0 ? 'buy' : 'sell';
    const price = `${below(2) === 0 ? 99_999 : 100_000}.${below(9) + 1}`;
    const amount = `0.0${1 + below(9_999_999)}`;
    if (below(10) === 0) await trader.cancelOrders({ symbol });
    else await trader.placeOrder({ symbol, side, type: 'limit', amount, price });
    await between(step);
  }
}

test('the local books equal those of REST at the same sequence despite reconnections', async () => {
  const traders = ['alice', 'bob'].map((name) => new Client(clientOptions(name)));
  const streams = new Streams({ ...clientOptions('alice'), WebSocket: Cuttable });
  const book = new OrderBook<string>();
  await streams.subscribe({ channel: 'orderbook', symbol }, (message) => {
    book.apply(message);
    wake();
  });
  const level3 = new Level3Book<string>();
  await streams.subscribe({ channel: 'level3', symbol }, (message) => {
    level3.apply(message);
    wake();
  });
  await trade(traders, async (step) => {
    if (step % 20 > 0) return;
    const { bids, asks, sequence } = await traders[0]!.getOrderbook({ symbol, depth: 1000 });
    const orders = await traders[0]!.getLevel3({ symbol, limit: 1000 });
    await until(() => book.sequence >= sequence && level3.sequence >= sequence);
    const local = { bids: book.bids, asks: book.asks, sequence: book.sequence } as unknown;
    expect({ seed, step, local }).toEqual({ seed, step, local: { bids, asks, sequence } });
    const queues = [entries(level3.bids), entries(level3.asks), level3.sequence] as unknown;
    const { bids: buys, asks: sells } = orders;
    expect({ seed, step, queues }).toEqual({ seed, step, queues: [buys, sells, sequence] });
  });
  streams.close();
});

test('a long order book reports when it is complete', async () => {
  const long = new StreamedExchange();
  const flow = new Flow(5);
  const first = long.exchange.state.accounts.length;
  for (const place of [0, 1, 2]) {
    long.apply([...flow.openAccount(first + place), ...flow.levels(first + place, place * 1000)]);
  }
  const streams = new Streams({ baseUrl: `http://127.0.0.1:${long.port}` });
  const book = new OrderBook<number>();
  const steps: unknown[] = [];
  await streams.subscribe({ channel: 'orderbook', symbol }, (message) => {
    book.apply(message);
    steps.push([book.bids.length, book.asks.length, book.isComplete]);
    wake();
  });
  await until(() => book.isComplete);
  expect(steps).toEqual([
    [1000, 1000, false],
    [2000, 2000, false],
    [3000, 3000, true],
  ]);
  const { bids, asks, sequence } = book;
  expect<unknown>({ bids, asks, sequence }).toEqual(long.book());
  streams.close();
  await long.close();
});

test('no trade, fill, final order or balance is missed despite reconnections', async () => {
  const traders = ['alice', 'bob'].map((name) => new Client(clientOptions(name)));
  const [alice] = traders as [Client<true>];
  const streams = new Streams({ ...clientOptions('alice'), WebSocket: Cuttable });
  const trades: Trade<string>[] = [];
  const fills: Fill<string>[] = [];
  const orders = new Map<string, Order<string>>();
  const balances = new Map<string, Balance<string>>();
  await streams.subscribe({ channel: 'trades', symbol }, ({ data }) => {
    trades.push(...data.trades);
    wake();
  });
  await streams.subscribe({ channel: 'fills' }, ({ data }) => {
    fills.push(...data.fills);
    wake();
  });
  await streams.subscribe({ channel: 'orders' }, ({ data }) => {
    for (const order of data.orders) orders.set(order.orderId, order);
    wake();
  });
  await streams.subscribe({ channel: 'balances' }, ({ data }) => {
    for (const balance of data.balances) balances.set(balance.asset, balance);
    wake();
  });
  const since = (await alice.getTime()).timestamp;
  await trade(traders);
  const page = { symbol, since, limit: 1000, sort: 'asc' } as const;
  const expected = {
    trades: (await alice.getTrades(page)).trades,
    fills: (await alice.getFills(page)).fills,
    balances: (await alice.getBalances()).balances,
    orders: (await alice.listOrders(page)).orders,
  };
  expect(expected.fills.length).toBeGreaterThan(20);
  const lastId = (list: readonly { readonly id: string }[]) => list.at(-1)?.id;
  await until(
    () =>
      lastId(trades) === lastId(expected.trades) &&
      lastId(fills) === lastId(expected.fills) &&
      expected.orders.every((order) => Bun.deepEquals(orders.get(order.orderId), order)) &&
      expected.balances.every((balance) => Bun.deepEquals(balances.get(balance.asset), balance)),
  );
  expect<unknown>({ seed, trades, fills }).toEqual({
    seed,
    trades: expected.trades,
    fills: expected.fills,
  });
  streams.close();
});

test('across a kill and restart no fill is missed, and an order sent in between is placed once', async () => {
  const [alice, bob] = ['alice', 'bob'].map((name) => new Client(clientOptions(name))) as [
    Client<true>,
    Client<true>,
  ];
  const order = {
    symbol: 'ETH/USDT',
    type: 'limit',
    price: '5000.01',
    amount: '0.01000003',
  } as const;
  await bob.placeOrder({ ...order, side: 'sell', amount: '1' });
  const streams = new Streams(clientOptions('alice'));
  const fills: string[] = [];
  await streams.subscribe({ channel: 'fills' }, ({ data }) => {
    fills.push(...data.fills.map(({ orderId, amount }) => `${orderId} ${amount}`));
    wake();
  });
  const before = await alice.placeOrder({ ...order, side: 'buy' });
  await exchange.kill();
  const sent = new Client({ ...clientOptions('alice'), retries: 9 }).placeOrder({
    ...order,
    side: 'buy',
  });
  exchange = await ExchangeProcess.start(directory.path, { PORT: new URL(exchange.baseUrl).port });
  const after = await sent;
  await until(() => fills.length >= 2);
  expect(fills).toEqual([before, after].map(({ orderId }) => `${orderId} 0.01000003`));
  expect((await alice.listOrders({ symbol: 'ETH/USDT' })).orders).toEqual([after, before]);
  streams.close();
});
