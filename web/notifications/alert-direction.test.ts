import { expect, test } from 'bun:test';
import { inferDirection } from './alert-direction.ts';

test.each([
  ['100.01', '100', 'above'],
  ['1,200.00', '100', 'above'],
  ['99.99', '100', 'below'],
  ['0.00001233', '0.00001234', 'below'],
  ['100.00', '100', undefined],
  ['', '100', undefined],
  ['many', '100', undefined],
  ['100', undefined, undefined],
] as const)('%p with the last price %p is reached from %p', (typed, last, direction) => {
  expect(inferDirection(typed, last)).toBe(direction);
});
