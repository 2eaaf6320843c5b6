import { expect, test } from 'bun:test';
import { groupMarkets, listTierRows, nextTier } from './fee-rows.ts';

const MARKETS = [
  { symbol: 'BTC/USDT', makerFee: '0.0008', takerFee: '0.001' },
  { symbol: 'ETH/BTC', makerFee: '-0.0001', takerFee: '0.0005' },
  { symbol: 'SOL/USDT', makerFee: '0.0008', takerFee: '0.001' },
];
const TIERS = [
  { tier: 1, minVolume: '1000', makerFee: '0.0006', takerFee: '0.0009' },
  { tier: 2, minVolume: '25000.5', makerFee: '0', takerFee: '0.0004' },
];

test('a tier pays its own rate where the market has no lower one', () => {
  expect(listTierRows(MARKETS, TIERS)).toEqual([
    { tier: 0, minVolume: '0', maker: ['-0.0001', '0.0008'], taker: ['0.0005', '0.001'] },
    { tier: 1, minVolume: '1000', maker: ['-0.0001', '0.0006'], taker: ['0.0005', '0.0009'] },
    { tier: 2, minVolume: '25000.5', maker: ['-0.0001', '0'], taker: ['0.0004', '0.0004'] },
  ]);
});

test('markets with the same rates are one group', () => {
  expect(groupMarkets(MARKETS)).toEqual([
    { symbols: ['BTC/USDT', 'SOL/USDT'], makerFee: '0.0008', takerFee: '0.001' },
    { symbols: ['ETH/BTC'], makerFee: '-0.0001', takerFee: '0.0005' },
  ]);
});

test('the missing volume is exact, and none of a fixed or of the last tier', () => {
  const own = { tier: 1, isTierFixed: false, volume: '1000.0000000001', tiers: TIERS };
  expect(nextTier(own)).toEqual({ tier: 2, missing: '24000.4999999999' });
  expect(nextTier({ ...own, isTierFixed: true })).toBeUndefined();
  expect(nextTier({ ...own, tier: 2, volume: '30000' })).toBeUndefined();
  expect(nextTier({ ...own, tier: 0, volume: null, tiers: [] })).toBeUndefined();
});
