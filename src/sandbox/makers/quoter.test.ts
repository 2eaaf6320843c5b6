import { expect, test } from 'bun:test';
import type { Client, Order } from '../../client/index.ts';
import { amountText, Quoter } from './quoter.ts';

const FAIR = 118_000;

/** Accepts every order, like an exchange without other users. */
class Books {
  readonly open = new Map<string, Order>();
  placed = 0;
  canceled = 0;
  /** Called before the response is sent. */
  onPlaced: (order: Order) => void = () => {};

  readonly client = {
    placeOrders: async ({ orders }: { orders: readonly object[] }) => {
      const results = orders.map((order) => {
        const orderId = `${++this.placed}`;
        const parameters = order as { price: string; amount: string };
        const [price, amount] = [Number(parameters.price), Number(parameters.amount)];
        const record = { ...order, orderId, status: 'open', price, amount, remaining: amount };
        this.open.set(orderId, record as unknown as Order);
        this.onPlaced(record as unknown as Order);
        return { success: true, data: record };
      });
      return { results };
    },
    cancelOrders: async ({ ids }: { ids: string }) => {
      for (const id of ids.split(',')) if (this.open.delete(id)) this.canceled++;
      return { orders: [] };
    },
  } as unknown as Client;
}

test('quotes stay while the price is stable, follow it, and are replaced when taken', async () => {
  const books = new Books();
  const quoter = new Quoter(books.client, 0, 1);
  await quoter.quote(FAIR);
  expect(books.open.size).toBe(30);
  await quoter.quote(FAIR + 1);
  expect([books.placed, books.canceled]).toEqual([30, 0]);

  await quoter.quote(FAIR + 40);
  expect(books.open.size).toBe(30);
  expect(books.canceled).toBeWithin(1, 12);
  const { bid, ask } = quoter.best;
  expect(bid!.ticks).toBeLessThan((FAIR + 40) * 100);
  expect(ask!.ticks).toBeGreaterThan((FAIR + 40) * 100);

  const best = [...books.open.values()].find(({ price }) => price! * 100 === ask!.ticks)!;
  books.open.delete(best.orderId);
  quoter.note([{ ...best, status: 'filled', remaining: 0 }]);
  expect(quoter.best.ask!.ticks).toBeGreaterThan(ask!.ticks);
  await quoter.quote(FAIR + 40);
  expect(quoter.best.ask).toMatchObject({ ticks: ask!.ticks });
});

test('an order that ended before the response to its placing is not kept as open', async () => {
  const books = new Books();
  const quoter = new Quoter(books.client, 0, 1);
  books.onPlaced = (order) => quoter.note([{ ...order, status: 'filled', remaining: 0 }]);
  await quoter.quote(FAIR);
  expect(quoter.best).toEqual({ bid: undefined, ask: undefined });
});

test('a snapshot replaces the open orders, ignoring other markets', async () => {
  const books = new Books();
  const quoter = new Quoter(books.client, 0, 1);
  await quoter.quote(FAIR);
  const [first] = books.open.values();
  quoter.noteAll([first!, { ...first!, orderId: '99', symbol: 'ETH/USDT' }]);
  books.open.clear();
  books.open.set(first!.orderId, first!);
  await quoter.quote(FAIR);
  expect(books.open.size).toBe(30);
});

test('an amount is never below the minimum notional', () => {
  // 0.0002 ETH at 0.04408 BTC is below 0.00001 BTC.
  expect(amountText(4_408, 0.000_23)).toBe('0.0003');
  expect(amountText(4_408, 2.5)).toBe('2.5000');
  // 0.01 USDT at 118,000.00 and at 260.00.
  expect(amountText(11_800_000, 1e-8)).toBe('0.0001');
  expect(amountText(26_000, 1e-8)).toBe('0.0001');
});
