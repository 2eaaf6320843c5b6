import { expect, test } from 'bun:test';
import { Outbox } from './outbox.ts';

test('updates leave at once, then together after a rest that grows with the readers', async () => {
  const sent: string[] = [];
  let wake = () => {};
  const outbox = new Outbox((text) => {
    sent.push(text);
    wake();
  });
  const readers = 5000;
  const start = performance.now();
  outbox.push('first', readers);
  expect(sent).toEqual(['first']);
  outbox.push('second', readers);
  outbox.push('third', readers);
  expect(sent).toEqual(['first']);
  await new Promise<void>((resolve) => {
    wake = resolve;
  });
  expect(sent).toEqual(['first', 'second', 'third']);
  expect(performance.now() - start).toBeGreaterThan(50);
});

test('with few readers nothing waits; what waits leaves in order when it must, or is forgotten', () => {
  const sent: string[] = [];
  const outbox = new Outbox((text) => sent.push(text));
  for (const text of ['1', '2', '3']) outbox.push(text, 10);
  expect(sent).toEqual(['1', '2', '3']);
  outbox.push('4', 5000);
  outbox.push('5', 5000);
  outbox.flush(5000);
  expect(sent).toEqual(['1', '2', '3', '4', '5']);
  outbox.push('6', 5000);
  outbox.drop();
  outbox.flush(5000);
  expect(sent.length).toBe(5);
});
