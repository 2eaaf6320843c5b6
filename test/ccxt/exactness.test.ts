import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { Venue } from './venue.ts';

/** Round trips of numbers that a double cannot represent. Bots that set `number: String` get their digits. */

const SYMBOL = 'BTC/USDT';
/** 17 digits, and 16 that a double rounds to a neighbor. */
const FUNDS = '123456789.12345678';
const PRICE = '90071992.54';
let venue: Venue;
let exact: buttonwood;

beforeAll(async () => {
  venue = await Venue.open();
  const credit = (accountId: string, asset: string, amount: string) =>
    venue.exchange.send(
      'operator',
      'POST',
      '/api/admin/transfers',
      `{"account":"${accountId}","asset":"${asset}","amount":${amount},"reference":"${accountId}-${asset}","reason":"test"}`,
    );
  for (const answer of [
    await credit('alice', 'BTC', FUNDS),
    await credit('bob', 'USDT', '12345678901234567.0123456789'),
  ]) {
    expect(answer.text).toContain('"success":true');
  }
  exact = venue.bot('alice', { number: String });
});
afterAll(() => venue.close());

const texts = (value: object) => value as unknown as Record<string, string>;

test('a balance', async () => {
  const { BTC } = await exact.fetchBalance();
  expect(texts(BTC!)).toEqual({
    free: '123456889.12345678',
    used: '0',
    total: '123456889.12345678',
  });
});

test('an order, its fills and their ledger entries', async () => {
  const amount = '1234567.12345678';
  const order = await exact.createOrder(SYMBOL, 'limit', 'sell', amount as never, PRICE as never);
  expect(exact.last_request_body).toContain(`"amount":${amount}`);
  expect(exact.last_request_body).toContain(`"price":${PRICE}`);
  expect(texts(order)).toMatchObject({ amount, price: PRICE, remaining: amount, filled: '0' });
  const bob = venue.bot('bob');
  const all = Number(amount);
  expect(String(all)).toBe(amount);
  expect(await bob.createOrder(SYMBOL, 'limit', 'buy', all, Number(PRICE))).toMatchObject({
    status: 'closed',
  });
  // price × amount has 24 digits.
  const cost = '111199920734128.3471724212';
  const { text } = await venue.exchange.send('alice', 'GET', `/api/orders/${order.id}`);
  expect(text).toContain(`"cost":${cost}`);
  expect(texts(await exact.fetchOrder(order.id!))).toMatchObject({ filled: amount, cost });
  const [fill] = await exact.fetchMyTrades(SYMBOL);
  expect(texts(fill!)).toMatchObject({ amount, cost, price: PRICE });
  const [trade] = await exact.fetchTrades(SYMBOL);
  expect(texts(trade!)).toMatchObject({ amount, cost, price: PRICE });
  const entries = await exact.fetchLedger('USDT');
  const earned = texts(entries.find(({ type }) => type === 'trade')!);
  expect(earned).toMatchObject({
    amount: cost,
    before: '1000000',
    after: '111199921734128.3471724212',
  });
  expect(texts(await exact.fetchTicker(SYMBOL))).toMatchObject({ last: PRICE, quoteVolume: cost });
});

test('raw responses have texts too', async () => {
  const { data } = await exact.publicGetMarkets({ symbol: SYMBOL });
  expect(data.markets[0].stepSize).toBe('0.00000001');
});

test('order book levels, sorted', async () => {
  const sell = (amount: string, price: string) =>
    ({ symbol: SYMBOL, type: 'limit', side: 'sell', amount, price }) as never;
  const most = Array.from({ length: 12 }, () => sell('10000000', '999999.99'));
  await exact.createOrders([...most, sell('0.12345678', '999999.99'), sell('1', '1000000')]);
  const { asks } = await exact.fetchOrderBook(SYMBOL);
  expect(asks as unknown).toEqual([
    ['999999.99', '120000000.12345678'],
    ['1000000', '1'],
  ]);
  expect(Array.from((await exact.watchOrderBook(SYMBOL)).asks) as unknown).toEqual(asks);
});
