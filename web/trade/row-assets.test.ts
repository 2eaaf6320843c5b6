import { expect, test } from 'bun:test';
import { findCommonAsset, unitAsset } from './row-assets.ts';

test('amounts are in the base asset, totals in the quote asset', () => {
  expect([unitAsset('BTC/USDT', 'base'), unitAsset('BTC/USDT', 'quote')]).toEqual(['BTC', 'USDT']);
});

test('a heading has the asset that all rows share', () => {
  const rows = ['BTC/USDT', 'ETH/USDT', 'BTC/USDT'].map((symbol) => ({ symbol }));
  expect(findCommonAsset(rows, 'quote')).toBe('USDT');
  expect(findCommonAsset(rows, 'base')).toBeUndefined();
  expect(findCommonAsset(rows.slice(0, 1), 'base')).toBe('BTC');
  expect(findCommonAsset([], 'base')).toBeUndefined();
});
