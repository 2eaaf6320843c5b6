import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Level3Book } from '../../src/client/index.ts';
import type { BookOrders, StreamMessage } from '../../src/client/stream/topics.ts';
import { CommandKind } from '../../src/engine/command.ts';
import { NONE, OrderType, Side } from '../../src/engine/terms.ts';
import { bestOrders } from '../../src/gateway/orders/book-orders.ts';
import { PublicOrderIds } from '../../src/gateway/orders/public-order-ids.ts';
import { PART_ORDERS } from '../../src/gateway/stream/public-channels/order-reader.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';
import { entries, readLevel3 } from './book-entries.ts';
import { ACCOUNT_ORDERS, Flow } from './flow.ts';
import { RawReader } from './raw-reader.ts';
import { StreamedExchange } from './streamed-exchange.ts';

const LEVEL3 = { op: 'subscribe', channel: 'level3', symbol: 'BTC/USDT' };
const FILLER = JSON.stringify({ op: 'filler', text: 'x'.repeat(64 * 1024) });
const FIRST_ACCOUNT = 3;
const IDS = new PublicOrderIds(Buffer.alloc(32, 7));

let exchange: StreamedExchange;
let flow: Flow;
let sockets: { close(): void }[];

beforeEach(() => {
  exchange = new StreamedExchange();
  flow = new Flow(5);
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.close();
  await exchange.close();
});

/** A subscriber that checks every checksum. */
class Subscriber {
  readonly book = new Level3Book<string>();
  readonly sizes: number[] = [];
  error: unknown;
  private wake = () => {};

  static async open(): Promise<Subscriber> {
    const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws`);
    sockets.push(socket);
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    const subscriber = new Subscriber();
    socket.onmessage = ({ data }) => subscriber.take(data as string);
    socket.send(JSON.stringify(LEVEL3));
    await subscriber.until(() => subscriber.book.isComplete);
    return subscriber;
  }

  private take(text: string): void {
    const { op } = JSON.parse(text);
    this.sizes.push(text.length);
    try {
      const start = text.indexOf(op === 'update' ? '"prevS' : '"sequence"');
      this.book.apply(readLevel3(op, text.slice(start, -1)));
    } catch (error) {
      this.error = error;
    }
    this.wake();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition() && this.error === undefined) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    expect(this.error).toBeUndefined();
  }

  async catchUp(): Promise<void> {
    await this.until(() => this.book.sequence === exchange.market.bookSequence);
    expect(shown(this.book)).toEqual(actual());
  }
}

const numbers = (side: Level3Book<string>['bids'] | Level3Book<number>['bids']) =>
  entries<string | number>(side).map(([id, price, amount]) => [id, Number(price), Number(amount)]);
const shown = ({ bids, asks }: Level3Book<string> | Level3Book<number>) => ({
  bids: numbers(bids),
  asks: numbers(asks),
});

function actual() {
  const { details, orders } = exchange.exchange.state;
  const side = (of: Side) => {
    const slots = bestOrders(exchange.market, of, Infinity);
    const ids = IDS.texts(slots.map((slot) => details.id(slot)));
    return slots.map((slot, index) => [
      ids[index]!,
      orders.price(slot) / 1e2,
      orders.remaining(slot) / 1e8,
    ]);
  };
  return { bids: side(Side.buy), asks: side(Side.sell) };
}

test('a subscriber has the orders of the book after every message', async () => {
  exchange.apply(flow.openAccount(FIRST_ACCOUNT));
  const subscriber = await Subscriber.open();
  for (let round = 0; round < 200; round++) {
    exchange.apply(Array.from({ length: 1 + flow.below(4) }, () => flow.near(1 + flow.below(2))));
    await subscriber.catchUp();
  }
  expect(entries(subscriber.book.bids).length).toBeGreaterThan(10);
});

test('a level of thousands of orders comes in parts, and a subscriber keeps it while it changes', async () => {
  const accounts = [FIRST_ACCOUNT, FIRST_ACCOUNT + 1];
  for (const account of accounts) {
    exchange.apply(flow.openAccount(account));
    const bid = () => limitOrder(account, Side.buy, 11_000_000, 10_000 + flow.below(1000));
    exchange.apply(Array.from({ length: ACCOUNT_ORDERS }, bid));
  }
  const opening = Subscriber.open();
  for (let round = 0; round < 30; round++) {
    exchange.apply([
      limitOrder(accounts[round % 2]!, Side.buy, 11_000_000, 20_000),
      limitOrder(1, Side.sell, 11_000_000, 25_000),
    ]);
    await Bun.sleep(1);
  }
  const subscriber = await opening;
  await subscriber.catchUp();
  expect(subscriber.sizes.length).toBeGreaterThan(3);
  expect(Math.max(...subscriber.sizes)).toBeLessThan(PART_ORDERS * 2 * 80);
  exchange.apply([flow.clear(FIRST_ACCOUNT)]);
  await subscriber.catchUp();
});

test('an amended order keeps its place only if nothing but its amount is lowered', async () => {
  const bid = (account: number) => limitOrder(account, Side.buy, 11_000_000, 10_000);
  const subscriber = await Subscriber.open();
  const { state } = exchange.exchange;
  const first = state.nextOrderId;
  exchange.apply([bid(1), bid(2), bid(1)]);
  const [a, b, c] = IDS.texts([first, first + 1, first + 2]) as [string, string, string];
  const amend = async (terms: { amount?: number; price?: number }) => {
    const common = { kind: CommandKind.amendOrder, account: 1, key: NONE, orderId: first } as const;
    exchange.apply([{ ...common, price: 0, amount: 0, triggerPrice: 0, ...terms }]);
    await subscriber.catchUp();
    return numbers(subscriber.book.bids);
  };
  expect(await amend({ amount: 5000 })).toEqual([
    [a, 110_000, 0.00005],
    [b, 110_000, 0.0001],
    [c, 110_000, 0.0001],
  ]);
  expect(await amend({ amount: 30_000 })).toEqual([
    [b, 110_000, 0.0001],
    [c, 110_000, 0.0001],
    [a, 110_000, 0.0003],
  ]);
  expect((await amend({ price: 11_000_100 }))[0]).toEqual([a, 110_001, 0.0003]);
  expect((await amend({ price: 11_000_000 }))[2]).toEqual([a, 110_000, 0.0003]);
});

test('a triggered order that rests is the last at its price when it arrives', async () => {
  const bid = (account: number) => limitOrder(account, Side.buy, 11_000_000, 10_000);
  const { state } = exchange.exchange;
  exchange.apply([
    limitOrder(1, Side.sell, 11_800_000, 10_000),
    limitOrder(2, Side.buy, 11_800_000, 10_000),
  ]);
  const stop = state.nextOrderId;
  exchange.apply([
    {
      ...limitOrder(2, Side.buy, 11_000_000, 10_000),
      kind: CommandKind.placeStopOrder,
      type: OrderType.takeProfitLimit,
      triggerPrice: 11_700_000,
    },
  ]);
  expect(state.openOrder(stop)).toBeDefined();
  const subscriber = await Subscriber.open();
  const first = state.nextOrderId;
  exchange.apply([
    bid(1),
    limitOrder(1, Side.sell, 11_700_000, 10_000),
    limitOrder(2, Side.buy, 11_700_000, 10_000),
    bid(1),
  ]);
  await subscriber.catchUp();
  const ids = entries(subscriber.book.bids).map(([id]) => id);
  expect(ids).toEqual(IDS.texts([first, stop, first + 3]));
});

test('a reader that is behind gets one merged update, with every order at its place', async () => {
  exchange.apply(flow.openAccount(FIRST_ACCOUNT));
  const reader = await RawReader.open(exchange.port);
  sockets.push({ close: () => reader.destroy() });
  reader.send(LEVEL3);
  await reader.until(() => reader.messages.length > 0);
  reader.pause();
  const socket = exchange.sockets[0]!;
  while (socket.getBufferedAmount() === 0) socket.send(FILLER);
  while (!socket.data.readState.isLagging) {
    exchange.apply([flow.clear(FIRST_ACCOUNT), ...flow.levels(FIRST_ACCOUNT, 0).slice(0, 800)]);
    exchange.apply([flow.near(1), flow.near(2)]);
    await Bun.sleep(5);
  }
  for (let round = 0; round < 20; round++) exchange.apply([flow.near(1), flow.near(2)]);
  const { bookSequence } = exchange.market;
  reader.resume();
  await reader.until(() => reader.messages.some(({ sequence }) => sequence === bookSequence));
  const book = new Level3Book<number>();
  for (const message of reader.messages) {
    if (message.channel === 'level3') book.apply(message as StreamMessage<BookOrders<number>>);
  }
  expect(shown(book)).toEqual(actual());
});
