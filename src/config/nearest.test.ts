import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { editDistance, nearest } from './nearest.ts';

test.each([
  ['market', 'market', 0],
  ['marekt', 'market', 1],
  ['markt', 'market', 1],
  ['markets', 'market', 1],
  ['merket', 'market', 1],
  ['', 'abc', 3],
  ['abc', '', 3],
])('%s → %s: %d', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test('the distance is the same in both directions, and never more than the longer length', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = editDistance(one, other);
      expect(distance).toBe(editDistance(other, one));
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(distance === 0).toBe(one === other);
    }),
  );
});

test('suggests the nearest candidate, and none that differs too much', () => {
  const words = ['--limit', '--label', '--reason'];
  expect(nearest('--limt', words)).toBe('--limit');
  expect(nearest('--lable', words)).toBe('--label');
  expect(nearest('--colour', words)).toBeUndefined();
});
