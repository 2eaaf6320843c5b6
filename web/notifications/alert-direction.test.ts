import { expect, test } from 'bun:test';
import Big from 'big.js';
import { directionTo, inferDirection } from './alert-direction.ts';

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

test('an alert that is moved across the last price changes its direction', () => {
  const to = (price: string, last?: string) => directionTo(new Big(price), last);
  expect(to('118000.01', '118000')).toBe('above');
  expect(to('117999.99', '118000')).toBe('below');
  expect(to('118000.00', '118000')).toBeUndefined();
  expect(to('118000')).toBeUndefined();
});
