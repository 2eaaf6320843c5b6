import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** The reasons of operators, which the audit keeps. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const REASON = 'Asked by the market maker';
const TIERS = [{ minVolume: 10, makerFee: 0.001, takerFee: 0.002 }];

/** Every request that changes rules, statuses, fees or limits, with the action of its audit. */
const CHANGES = [
  ['PATCH', '/markets', { symbol: 'BTC/USDT', takerFee: 0.002 }, 'changeMarketRules'],
  ['PATCH', '/markets', { symbol: 'BTC/USDT', status: 'post_only' }, 'setMarketStatus'],
  ['PATCH', '/accounts/alice', { limitClass: 2 }, 'setAccountLimitClass'],
  ['PATCH', '/accounts/alice', { feeTier: 'volume' }, 'setAccountFeeTier'],
  ['PATCH', '/accounts/bob', { referrer: 'alice' }, 'setReferrer'],
  ['POST', '/fee-tiers', { asset: 'USDT', tiers: TIERS }, 'setFeeTiers'],
  ['POST', '/fee-discount', { asset: 'USDT', minBalance: 10, rate: 0.1 }, 'setFeeDiscount'],
  ['POST', '/referral-share', { share: 0.2 }, 'setReferralShare'],
  ['POST', '/trading-limits', { orderRate: 100 }, 'setTradingLimits'],
  ['POST', '/accounts/alice/trading-limits', { orderRate: 100 }, 'setTradingLimits'],
  ['PATCH', '/markets', { symbol: 'ETH/BTC', status: 'delisted' }, 'delistMarket'],
] as const;

async function lastEntry(to: TestExchange) {
  const { data } = await to.send('operator', 'GET', '/api/admin/audit?limit=1');
  return data.entries[0];
}

test.each(CHANGES)('%s %s %j: the audit has the reason', async (method, path, body, action) => {
  const send = (extra: object) =>
    exchange.send('operator', method, `/api/admin${path}`, JSON.stringify({ ...body, ...extra }));
  const { json } = await send({ reason: REASON });
  expect(json).toMatchObject({ success: true });
  const explained = await lastEntry(exchange);
  expect(explained).toMatchObject({ action, outcome: 'done', details: { reason: REASON } });
  const long = await send({ reason: 'x'.repeat(201) });
  expect([long.status, long.json.error.details.field]).toEqual([400, 'reason']);
  expect((await lastEntry(exchange)).id).toBe(explained.id);
});

test('a log of engine version 1 has none, because older releases could not read it', async () => {
  const old = await TestExchange.open({ version: 1 });
  const body = { symbol: 'BTC/USDT', takerFee: 0.002, reason: REASON };
  await old.send('operator', 'PATCH', '/api/admin/markets', JSON.stringify(body));
  const { action, details } = await lastEntry(old);
  expect([action, details.reason]).toEqual(['changeMarketRules', undefined]);
  await old.close();
});
