import { expect, test } from 'bun:test';
import { scaleTop } from './scale-top.ts';

test('a burst at the start does not set the scale', () => {
  const usual = Array.from({ length: 299 }, (_, place) => 10 + (place % 5));
  expect(scaleTop([4000, ...usual])).toBe(14);
  expect(scaleTop([20, ...usual])).toBe(20);
});

test('the scale of few, missing and zero values', () => {
  expect(scaleTop([])).toBe(0);
  expect(scaleTop([null, null])).toBe(0);
  expect(scaleTop([0, 0, 7])).toBe(7);
  expect(scaleTop([null, 3, 5])).toBe(5);
});
