import { expect, test } from 'bun:test';
import { nextPath } from '../../web/sign-in/next.ts';

const ORIGIN = 'https://exchange.test';

test.each([
  ['/settings', '/settings'],
  ['/trade/BTC-USDT', '/trade/BTC-USDT'],
  ['/settings#keys', '/settings#keys'],
])('%p is a page of this exchange', (next, path) => {
  expect(nextPath(`?next=${encodeURIComponent(next)}`, ORIGIN)).toBe(path);
});

test.each([
  '',
  'https://evil.test/',
  '//evil.test/',
  '/\\evil.test/',
  '/\t/evil.test/',
  'javascript:alert(1)',
  'settings',
  '///',
  '/.//evil.test/',
  '/x/..//evil.test/a',
  '/..//evil.test',
  '/%2e//evil.test',
])('%p leads nowhere else', (next) => {
  expect(nextPath(`?next=${encodeURIComponent(next)}`, ORIGIN)).toBe('/trade');
});

test('without one it is the trading page', () => {
  expect(nextPath('', ORIGIN)).toBe('/trade');
});
