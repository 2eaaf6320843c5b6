import { expect, test } from 'bun:test';
import { AnswerOrder } from '../../web/components/response-order.ts';

test('an answer is shown unless one to a later request has been', () => {
  const order = new AnswerOrder();
  const [first, second, third] = [order.begin(), order.begin(), order.begin()];
  expect(first()).toBe(true);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
  expect(first()).toBe(false);
  expect(order.begin()()).toBe(true);
});
