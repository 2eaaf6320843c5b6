import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Client, OrderBook, Streams } from '../../src/client/index.ts';
import { listen } from '../../src/gateway/server.ts';
import { Streams as StreamService } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';

/** The client's streams against an exchange, over a connection that is cut again and again. */

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let baseUrl: string;

beforeAll(async () => {
  exchange = await TestExchange.open();
  const service = new StreamService(exchange.services);
  exchange.onEvents = (events) => service.note(events);
  server = listen(exchange.app, { port: 0, host: '127.0.0.1' }, service);
  baseUrl = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.stop();
  await exchange.close();
});

/** Notes what is open, so that it can be cut. */
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

test('the local book is the one of REST at the same sequence, whatever is cut', async () => {
  const seed = Number(process.env.SEED ?? 11);
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const traders = ['alice', 'bob'].map(
    (name) => new Client({ baseUrl, ...exchange.keys.get(name)!, exactNumbers: true }),
  );
  const streams = new Streams({ baseUrl, exactNumbers: true, WebSocket: Cuttable });
  const book = new OrderBook<string>();
  const symbol = 'BTC/USDT';
  await streams.subscribe({ channel: 'orderbook', symbol }, (message) => {
    book.apply(message);
    wake();
  });
  for (let step = 0; step < 300; step++) {
    if (step % 60 === 30) Cuttable.last.close();
    const side = below(2) === 0 ? 'buy' : 'sell';
    const price = `${below(2) === 0 ? 99_999 : 100_000}.${below(9) + 1}`;
    const amount = `0.${1 + below(99_999_999)}`;
    const trader = traders[below(2)]!;
    if (below(10) === 0) await trader.cancelOrders({ symbol });
    else await trader.placeOrder({ symbol, side, type: 'limit', amount, price });
    if (step % 20 > 0) continue;
    const { bids, asks, sequence } = await traders[0]!.getOrderbook({ symbol, depth: 1000 });
    await until(() => book.sequence >= sequence);
    const local = { bids: book.bids, asks: book.asks, sequence: book.sequence } as unknown;
    expect({ seed, step, local }).toEqual({ seed, step, local: { bids, asks, sequence } });
  }
  streams.close();
});
