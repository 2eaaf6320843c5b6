import { expect, test } from 'bun:test';
import { PublicOrderIds } from './public-order-ids.ts';

const SECRET = Buffer.from('0123456789abcdef');
const ids = Array.from({ length: 5000 }, (_, index) => index + 1);

test('every order has one id, whether it is asked for alone or with others', () => {
  const texts = new PublicOrderIds(SECRET).texts(ids);
  expect(new Set(texts).size).toBe(ids.length);
  const other = new PublicOrderIds(SECRET);
  for (const index of [0, 1, 17, 4999]) expect(other.texts([ids[index]!])).toEqual([texts[index]!]);
  expect(other.texts([])).toEqual([]);
  expect(other.texts([Number.MAX_SAFE_INTEGER])[0]).toMatch(/^[\w-]{22}$/);
});

test('an id depends on the secret, and neighbors have nothing in common', () => {
  const texts = new PublicOrderIds(SECRET).texts(ids);
  const others = new PublicOrderIds(Buffer.from('fedcba9876543210')).texts(ids);
  expect(texts.filter((text, index) => text === others[index])).toEqual([]);
  expect(new Set(texts.map((text) => text.slice(0, 8))).size).toBe(ids.length);
  expect(new Set(texts.map((text) => text.slice(-8))).size).toBe(ids.length);
});
