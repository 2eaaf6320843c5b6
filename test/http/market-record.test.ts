import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MarketStatus, marketStatuses, orderTypes } from '../../src/engine/terms.ts';
import { TestExchange } from './exchange.ts';
import { expectShape, type Shape } from './shape.ts';

/** Tests markets and prices, field by field. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

async function place(name: string, order: Record<string, unknown>): Promise<void> {
  const answer = await exchange.place(name, { symbol: 'BTC/USDT', type: 'limit', ...order });
  expect(answer.status).toBe(200);
}

const sell = (amount: number, price: number) => place('bob', { side: 'sell', amount, price });

const MARKET: Shape = {
  symbol: 'string',
  base: 'string',
  quote: 'string',
  status: 'string',
  active: 'boolean',
  tickSize: 'number',
  stepSize: 'number',
  minAmount: 'number',
  maxAmount: 'number',
  minPrice: 'number',
  maxPrice: 'number',
  minNotional: 'number',
  makerFee: 'number',
  takerFee: 'number',
  collar: 'number?',
  staticBand: 'number?',
  dynamicBand: 'number?',
  auctionMs: 'number?',
  auction: 'object?',
  orderTypes: 'array',
  timeInForce: 'array',
  listedAt: 'string',
  last: 'number',
  high: 'number?',
  low: 'number?',
  change: 'number',
  percentage: 'number',
  baseVolume: 'number',
  quoteVolume: 'number',
};

const PRICE: Shape = {
  symbol: 'string',
  status: 'string',
  auction: 'object?',
  price: 'number',
  bid: 'number?',
  bidAmount: 'number?',
  ask: 'number?',
  askAmount: 'number?',
  open: 'number?',
  high: 'number?',
  low: 'number?',
  change: 'number',
  percentage: 'number',
  vwap: 'number?',
  baseVolume: 'number',
  quoteVolume: 'number',
  trades: 'number',
  firstTradeId: 'string?',
  lastTradeId: 'string?',
  lastAmount: 'number?',
  previousClose: 'number?',
  openTime: 'string',
  timestamp: 'string',
};

const readMarket = async () =>
  (await exchange.send(undefined, 'GET', '/api/markets?symbol=BTC/USDT')).data.markets[0];
const readPrice = async () =>
  (await exchange.send(undefined, 'GET', '/api/prices?symbol=BTC/USDT')).data.prices[0];

describe('market', () => {
  test('every market has every field', async () => {
    const { markets } = (await exchange.send(undefined, 'GET', '/api/markets')).data;
    for (const market of markets) {
      expectShape(market, MARKET);
      expect(market.symbol).toBe(`${market.base}/${market.quote}`);
      expect(market.orderTypes).toEqual([...orderTypes]);
      expect(market.timeInForce).toEqual(['GTC', 'IOC', 'FOK', 'GTD']);
      expect(market.listedAt).toBe(new Date(exchange.now).toISOString());
    }
  });

  test.each(marketStatuses.slice(0, MarketStatus.delisted))(
    'one that is %s stays listed',
    async (status) => {
      const body = JSON.stringify({ symbol: 'BTC/USDT', status });
      await exchange.send('operator', 'PATCH', '/api/admin/markets', body);
      const isLimited = ['post_only', 'limit_only'].includes(status);
      expect(await readMarket()).toMatchObject({
        status,
        active: isLimited || status === 'online',
        orderTypes: isLimited ? ['limit', 'stop_limit', 'take_profit_limit'] : [...orderTypes],
      });
    },
  );
});

describe('price', () => {
  test('before the first trade it is the reference price', async () => {
    const price = await readPrice();
    expectShape(price, PRICE);
    expect(price).toEqual({
      status: 'online',
      auction: null,
      symbol: 'BTC/USDT',
      price: 118_000,
      bid: null,
      bidAmount: null,
      ask: null,
      askAmount: null,
      open: null,
      high: null,
      low: null,
      change: 0,
      percentage: 0,
      vwap: null,
      baseVolume: 0,
      quoteVolume: 0,
      trades: 0,
      firstTradeId: null,
      lastTradeId: null,
      lastAmount: null,
      previousClose: null,
      openTime: new Date(exchange.now - 24 * 3_600_000 + 60_000).toISOString(),
      timestamp: new Date(exchange.now).toISOString(),
    });
  });

  test('the best of the book, all of its amount', async () => {
    await sell(0.5, 120_000);
    await sell(0.25, 120_000);
    await sell(1, 120_001);
    await place('alice', { side: 'buy', amount: 0.125, price: 110_000 });
    const best = { bid: 110_000, bidAmount: 0.125, ask: 120_000, askAmount: 0.75 };
    expect(await readPrice()).toMatchObject(best);
  });

  test('24 h statistics, over the same trades in prices and in markets', async () => {
    for (const [amount, price] of [
      [0.1, 100_000],
      [0.2, 99_000],
      [0.1, 104_000],
    ] as const) {
      await sell(amount, price);
      await place('alice', { side: 'buy', amount, price });
      exchange.now += 1000;
    }
    const shared = {
      high: 104_000,
      low: 99_000,
      change: 4000,
      percentage: 4,
      baseVolume: 0.4,
      quoteVolume: 40_200,
    };
    const price = await readPrice();
    expectShape(price, PRICE);
    expect(price).toMatchObject({ ...shared, price: 104_000, open: 100_000, vwap: 100_500 });
    const ids = { trades: 3, firstTradeId: '1', lastTradeId: '3' };
    expect(price).toMatchObject({ ...ids, lastAmount: 0.1, previousClose: null });
    expect(await readMarket()).toMatchObject({ ...shared, last: 104_000 });

    exchange.now += 24 * 3_600_000;
    const none = { high: null, low: null, change: 0, percentage: 0, baseVolume: 0, quoteVolume: 0 };
    expect(await readPrice()).toMatchObject({ ...none, price: 104_000, open: null, vwap: null });
    const noIds = { trades: 0, firstTradeId: null, lastTradeId: null, lastAmount: null };
    expect(await readPrice()).toMatchObject({ ...noIds, previousClose: 104_000 });
    expect(await readMarket()).toMatchObject({ ...none, last: 104_000 });
  });
});
