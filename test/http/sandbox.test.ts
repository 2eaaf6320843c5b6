import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests the initial state of the sandbox. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

describe('markets', () => {
  test.each([
    ['BTC/USDT', 0.01, 118_000],
    ['ETH/USDT', 0.01, 5_200],
    ['SOL/USDT', 0.01, 260],
    ['ETH/BTC', 0.00001, 0.044],
  ])('%s: tick %d, reference price %d', async (symbol, tickSize, reference) => {
    const { data } = await exchange.send(undefined, 'GET', `/api/markets?symbol=${symbol}`);
    expect(data.markets).toHaveLength(1);
    const [market] = data.markets;
    expect(market).toMatchObject({ symbol, tickSize, stepSize: 0.00000001, last: reference });
    expect(market.status).toBe('online');
    expect(market.minNotional).toBeLessThanOrEqual(0.01);
    expect(market.minPrice).toBe(tickSize);
    expect(market.maxPrice).toBeGreaterThan(reference * 1000);
    expect(market.minAmount).toBe(0.00000001);
    expect(market.maxAmount).toBeGreaterThanOrEqual(1_000_000);
    const prices = await exchange.send(undefined, 'GET', `/api/prices?symbol=${symbol}`);
    expect(prices.data.prices).toMatchObject([{ symbol, price: reference }]);
  });

  test('no others', async () => {
    const { data } = await exchange.send(undefined, 'GET', '/api/markets');
    expect(data.markets).toHaveLength(4);
  });

  test('limit orders have no price band: far from the market they rest', async () => {
    const order = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 0.001 };
    for (const price of [0.01 + 1_000_000, 999_999_999.99, 1_000_000_000]) {
      const { data } = await exchange.place('alice', { ...order, price });
      expect(data).toMatchObject({ status: 'open', price });
    }
    const cheap = { ...order, side: 'buy', amount: 1, price: 0.01 };
    expect((await exchange.place('alice', cheap)).data.status).toBe('open');
  });
});

test.each(['alice', 'bob'])('initial balances of %s', async (name) => {
  const fresh = await TestExchange.open();
  const { data } = await fresh.send(name, 'GET', '/api/portfolio/balances');
  expect(data).toEqual({
    balances: [
      { asset: 'USDT', total: 1_000_000, available: 1_000_000, held: 0 },
      { asset: 'BTC', total: 100, available: 100, held: 0 },
      { asset: 'ETH', total: 2_000, available: 2_000, held: 0 },
      { asset: 'SOL', total: 20_000, available: 20_000, held: 0 },
    ],
  });
  await fresh.close();
});

test('the operator starts without funds', async () => {
  await exchange.addKey('operator-reads', 'operator', ['read']);
  const { data } = await exchange.send('operator-reads', 'GET', '/api/portfolio/balances');
  expect(data).toEqual({ balances: [] });
});
