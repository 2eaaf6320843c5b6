import { afterAll, beforeAll, expect, test } from 'bun:test';
import { BinanceVenue, type Json } from './venue.ts';

/** Commissions of the Binance dialect with a rebate for makers and with a discount, in the exact asset. */

let dialect: BinanceVenue;
const ORDER = '/api/v3/order';
const limit = (name: string, side: string): Promise<Json> => {
  // A request that is repeated at the same time is the same order.
  dialect.exchange.now++;
  return dialect.send(name, 'POST', ORDER, {
    ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price: 50_000 },
    ...{ quantity: 0.01, newOrderRespType: 'FULL' },
  });
};
const operate = async (method: string, path: string, body: object) => {
  const target = `/api/admin${path}`;
  const answer = await dialect.exchange.send('operator', method, target, JSON.stringify(body));
  expect(answer.status).toBe(200);
};
/** Returns quantities, commissions and assets of the newest trade of an account. */
const newest = async (name: string) => {
  const trades: Json[] = await dialect.send(name, 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' });
  const { isMaker, commission, commissionAsset } = trades.at(-1)!;
  return { isMaker, commission, commissionAsset };
};

beforeAll(async () => {
  dialect = await BinanceVenue.open();
  await operate('PATCH', '/markets', { symbol: 'BTC/USDT', makerFee: -0.0002 });
});
afterAll(() => dialect.close());

test('a maker that sells gets a negative commission in the asset it gave', async () => {
  await limit('bob', 'SELL');
  const { fills } = await limit('alice', 'BUY');
  expect(fills).toMatchObject([{ commission: '0.00001000', commissionAsset: 'BTC' }]);
  const taker = { isMaker: false, commission: '0.00001000', commissionAsset: 'BTC' };
  expect(await newest('alice')).toEqual(taker);
  const maker = { isMaker: true, commission: '-0.00000200', commissionAsset: 'BTC' };
  expect(await newest('bob')).toEqual(maker);
});

test('a maker that buys gets it in the quote asset', async () => {
  await limit('bob', 'BUY');
  const { fills } = await limit('alice', 'SELL');
  expect(fills).toMatchObject([{ commission: '0.50000000', commissionAsset: 'USDT' }]);
  const maker = { isMaker: true, commission: '-0.10000000', commissionAsset: 'USDT' };
  expect(await newest('bob')).toEqual(maker);
});

test('the rates of an account are those after the rebate and the discount', async () => {
  await operate('POST', '/fee-discount', { asset: 'SOL', minBalance: 1, rate: 0.25 });
  const { standardCommission } = await dialect.send('alice', 'GET', '/api/v3/account/commission', {
    symbol: 'BTCUSDT',
  });
  expect(standardCommission).toMatchObject({ maker: '-0.00020000', taker: '0.00075000' });
  await limit('bob', 'SELL');
  const { fills } = await limit('alice', 'BUY');
  expect(fills).toMatchObject([{ commission: '0.00000750', commissionAsset: 'BTC' }]);
});
