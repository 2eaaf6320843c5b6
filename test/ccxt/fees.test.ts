import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Trade } from 'ccxt';
import { Venue } from './venue.ts';

/** Fees of a CCXT bot with a rebate for makers and with a discount. */

const SYMBOL = 'BTC/USDT';
let venue: Venue;
const operate = async (method: string, path: string, body: object) => {
  const target = `/api/admin${path}`;
  const answer = await venue.exchange.send('operator', method, target, JSON.stringify(body));
  expect(answer.status).toBe(200);
};
/** Lets bob rest an order and alice take it. */
const trade = async (takerSide: 'buy' | 'sell') => {
  const makerSide = takerSide === 'buy' ? 'sell' : 'buy';
  await venue.bot('bob').createOrder(SYMBOL, 'limit', makerSide, 0.01, 50_000);
  return venue.bot('alice').createOrder(SYMBOL, 'limit', takerSide, 0.01, 50_000);
};
const newest = async (name: string): Promise<Trade> =>
  (await venue.bot(name).fetchMyTrades(SYMBOL)).at(-1)!;

beforeAll(async () => {
  venue = await Venue.open();
  await operate('PATCH', '/markets', { symbol: SYMBOL, makerFee: -0.0002 });
});
afterAll(() => venue.close());

test.each([
  ['buy', { currency: 'BTC', cost: 0.00001 }, { currency: 'BTC', cost: -0.000002 }],
  ['sell', { currency: 'USDT', cost: 0.5 }, { currency: 'USDT', cost: -0.1 }],
] as const)(
  'a rebate after a %s is a negative fee in the asset given',
  async (side, paid, rebate) => {
    const order = await trade(side);
    expect(order.fee).toMatchObject(paid);
    expect((await newest('alice')).fee).toMatchObject(paid);
    const made = await newest('bob');
    expect(made.fee).toMatchObject(rebate);
    // What the bot has after the trade is what CCXT's fields say.
    const ledger = await venue.bot('bob').fetchLedger(rebate.currency);
    expect(ledger.at(-1)).toMatchObject({ type: 'rebate', amount: -rebate.cost, direction: 'in' });
  },
);

test('the fees of an account include its discount and the rebate', async () => {
  await operate('POST', '/fee-discount', { asset: 'SOL', minBalance: 1, rate: 0.25 });
  const fee = await venue.bot('alice').fetchTradingFee(SYMBOL);
  expect(fee).toMatchObject({ maker: -0.0002, taker: 0.00075 });
  const order = await trade('buy');
  expect(order.fee).toMatchObject({ currency: 'BTC', cost: 0.0000075 });
});
