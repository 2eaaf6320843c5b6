import { expect, test } from 'bun:test';
import { exact } from '../numbers/exact.ts';
import { LevelStore } from './levels.ts';

const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

test('a total is exact beyond 2^53', () => {
  const levels = new LevelStore();
  const level = levels.open(1, 0, MAX_AMOUNT);
  const amounts = [1, MAX_AMOUNT, MAX_AMOUNT - 1, 2, MAX_AMOUNT];
  let total = BigInt(MAX_AMOUNT);
  for (const amount of amounts) {
    levels.addToTotal(level, amount);
    total += BigInt(amount);
    expect(levels.total(level)).toBe(exact(total));
  }
  for (const amount of amounts) {
    levels.takeFromTotal(level, amount);
    total -= BigInt(amount);
    expect(levels.total(level)).toBe(exact(total));
  }
  levels.takeFromTotal(level, MAX_AMOUNT);
  expect(levels.total(level)).toBe(0);
});

test('taking more than the total of a level throws', () => {
  const levels = new LevelStore();
  const level = levels.open(1, 0, 5);
  expect(() => levels.takeFromTotal(level, 6)).toThrow('became negative');
});

test('a reused level starts with a new total', () => {
  const levels = new LevelStore();
  const first = levels.open(1, 7, MAX_AMOUNT);
  levels.addToTotal(first, MAX_AMOUNT);
  levels.takeFromTotal(first, MAX_AMOUNT);
  levels.release(first);
  const second = levels.open(-2, 9, 3);
  expect(second).toBe(first);
  expect([levels.key(second), levels.first(second), levels.total(second)]).toEqual([-2, 9, 3]);
});
