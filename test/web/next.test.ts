import { expect, test } from 'bun:test';
import { nextPath } from '../../web/sign-in/next.ts';

const ORIGIN = 'https://exchange.test';

test.each([
  ['/settings', '/settings'],
  ['/trade/BTC-USDT', '/trade/BTC-USDT'],
  ['/settings#keys', '/settings#keys'],
])('%p is accepted', (next, path) => {
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
])('%p leads to the default page', (next) => {
  expect(nextPath(`?next=${encodeURIComponent(next)}`, ORIGIN)).toBe('/trade');
});

test('the trading page is the default', () => {
  expect(nextPath('', ORIGIN)).toBe('/trade');
});
