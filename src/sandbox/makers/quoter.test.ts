import { expect, test } from 'bun:test';
import type { Client, Order } from '../../client/index.ts';
import { amountText, Quoter } from './quoter.ts';

const FAIR = 118_000;

/** Takes every order, as an exchange does with nobody else on it. */
class Books {
  readonly open = new Map<string, Order>();
  placed = 0;
  canceled = 0;
  /** Before the answer is out. */
  onPlaced: (order: Order) => void = () => {};

  readonly client = {
    placeOrders: async ({ orders }: { orders: readonly object[] }) => {
      const results = orders.map((order) => {
        const orderId = `${++this.placed}`;
        const terms = order as { price: string; amount: string };
        const [price, amount] = [Number(terms.price), Number(terms.amount)];
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

test('quotes stay while the price does, follow it, and come back where they were taken', async () => {
  const books = new Books();
  const fixture = new Quoter(books.client, 0, 1);
  await fixture.quote(FAIR);
  expect(books.open.size).toBe(30);
  await fixture.quote(FAIR + 1);
  expect([books.placed, books.canceled]).toEqual([30, 0]);

  await fixture.quote(FAIR + 40);
  expect(books.open.size).toBe(30);
  expect(books.canceled).toBeWithin(1, 12);
  const { bid, ask } = fixture.top;
  expect(bid!.ticks).toBeLessThan((FAIR + 40) * 100);
  expect(ask!.ticks).toBeGreaterThan((FAIR + 40) * 100);

  const best = [...books.open.values()].find(({ price }) => price! * 100 === ask!.ticks)!;
  books.open.delete(best.orderId);
  fixture.note([{ ...best, status: 'filled', remaining: 0 }]);
  expect(fixture.top.ask!.ticks).toBeGreaterThan(ask!.ticks);
  await fixture.quote(FAIR + 40);
  expect(fixture.top.ask).toMatchObject({ ticks: ask!.ticks });
});

test('an order that ended before its placing was answered is not taken for open', async () => {
  const books = new Books();
  const fixture = new Quoter(books.client, 0, 1);
  books.onPlaced = (order) => fixture.note([{ ...order, status: 'filled', remaining: 0 }]);
  await fixture.quote(FAIR);
  expect(fixture.top).toEqual({ bid: undefined, ask: undefined });
});

test('a snapshot says all that is open, orders of other markets apart', async () => {
  const books = new Books();
  const fixture = new Quoter(books.client, 0, 1);
  await fixture.quote(FAIR);
  const [first] = books.open.values();
  fixture.noteAll([first!, { ...first!, orderId: '99', symbol: 'ETH/USDT' }]);
  books.open.clear();
  books.open.set(first!.orderId, first!);
  await fixture.quote(FAIR);
  expect(books.open.size).toBe(30);
});

test('an amount is never worth less than the least of a market', () => {
  // 0.0002 ETH at 0.04408 BTC is worth less than 0.00001 BTC.
  expect(amountText(4_408, 0.000_23)).toBe('0.0003');
  expect(amountText(4_408, 2.5)).toBe('2.5000');
  // A hundredth of a USDT at 118,000.00 and at 260.00.
  expect(amountText(11_800_000, 1e-8)).toBe('0.0001');
  expect(amountText(26_000, 1e-8)).toBe('0.0001');
});
