import { expect, test } from 'bun:test';
import Big from 'big.js';
import { assess, findQuote, findValue } from './adjustment-size.ts';

const MARKETS = [
  { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT' },
  { symbol: 'ETH/BTC', base: 'ETH', quote: 'BTC' },
  { symbol: 'ETH/USDT', base: 'ETH', quote: 'USDT' },
  { symbol: 'DOGE/BTC', base: 'DOGE', quote: 'BTC' },
  { symbol: 'NEW/USDT', base: 'NEW', quote: 'USDT' },
  { symbol: 'SOL/USDT', base: 'SOL', quote: 'USDT' },
];
const PRICES = [
  { symbol: 'BTC/USDT', price: '60000' },
  { symbol: 'DOGE/BTC', price: '0.000002' },
  { symbol: 'NEW/USDT', price: '0' },
];
const value = (amount: string, asset: string) =>
  findValue(new Big(amount), asset, 'USDT', { markets: MARKETS, prices: PRICES })?.toFixed();

test('values follow the last prices over several markets', () => {
  expect(findQuote(MARKETS)).toBe('USDT');
  expect(value('7', 'USDT')).toBe('7');
  expect(value('0.5', 'BTC')).toBe('30000');
  expect(value('100', 'DOGE')).toBe('12');
  expect(value('1', 'NEW')).toBeUndefined();
  expect(value('1', 'UNKNOWN')).toBeUndefined();
});

const POLICY = { actions: [], limits: [{ asset: 'USDT', amount: '500' }] };

test.each([
  // Without an own limit, the value decides.
  ['BTC', '0.1', '6000', false],
  ['BTC', '1', '10000', true],
  ['BTC', '0.00000001', undefined, true],
  // The limit of the policy, whatever the value.
  ['USDT', '500', '500', false],
  ['USDT', '500.01', '500.01', true],
] as const)('%s %s worth %s is typed again: %p', (asset, amount, worth, isLarge) => {
  const size = worth === undefined ? undefined : new Big(worth);
  const assessed = assess(new Big(amount), asset, size, POLICY);
  expect([assessed.isLarge, assessed.needsApproval]).toEqual([isLarge, false]);
});

test('a policy with adjustments needs a second operator above the limit, and for assets without one', () => {
  const policy = { ...POLICY, actions: ['adjustments' as const] };
  const needs = (asset: string, amount: string) =>
    assess(new Big(amount), asset, new Big(1), policy).needsApproval;
  expect([needs('USDT', '500'), needs('USDT', '501'), needs('BTC', '0.001')]).toEqual([
    ...[false, true, true],
  ]);
});
