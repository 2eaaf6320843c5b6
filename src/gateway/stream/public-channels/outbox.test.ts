import { expect, test } from 'bun:test';
import { Outbox } from './outbox.ts';

const WRITE_MS = 10;

test('an update is sent at once, the next ones together after a pause as long as the write took', async () => {
  const sent: string[] = [];
  let wake = () => {};
  const outbox = new Outbox((text) => {
    sent.push(text);
    const until = performance.now() + WRITE_MS;
    while (performance.now() < until);
    wake();
  }, new Set());
  const start = performance.now();
  outbox.push('first');
  expect(sent).toEqual(['first']);
  outbox.push('second');
  outbox.push('third');
  await new Promise<void>((resolve) => {
    wake = resolve;
  });
  expect(sent).toEqual(['first', 'second', 'third']);
  expect(performance.now() - start).toBeGreaterThan(3 * WRITE_MS);
});

test('waiting messages are sent in order by a flush, or dropped', () => {
  const sent: string[] = [];
  const unsent = new Set<Outbox>();
  const outbox = new Outbox((text) => sent.push(text), unsent);
  for (const text of ['1', '2', '3']) outbox.push(text);
  expect(sent).toEqual(['1']);
  expect([...unsent]).toEqual([outbox]);
  outbox.flush();
  expect(sent).toEqual(['1', '2', '3']);
  expect(unsent.size).toBe(0);
  outbox.push('4');
  outbox.drop();
  expect(unsent.size).toBe(0);
  outbox.flush();
  outbox.push('5');
  outbox.close();
  outbox.flush();
  expect(sent.length).toBe(3);
  expect(unsent.size).toBe(0);
});
