import { expect, test } from 'bun:test';
import { ResponseOrder } from '../../web/components/response-order.ts';

test('shows a response unless a later request was already answered', () => {
  const order = new ResponseOrder();
  const [first, second, third] = [order.begin(), order.begin(), order.begin()];
  expect(first()).toBe(true);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
  expect(first()).toBe(false);
  expect(order.begin()()).toBe(true);
});
