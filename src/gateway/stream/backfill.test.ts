import { expect, test } from 'bun:test';
import type { Services } from '../services.ts';
import { Backfill, LeftError, type ResumingSubscription, returning } from './backfill.ts';

const QUESTION = { kind: 'trades', filter: { market: 0, descending: false, limit: 501 } } as const;

/** Answers every question with so many records. */
function pastOf(records: number): Backfill {
  const archivist = { ask: () => Promise.resolve(new Array(records).fill(0)) };
  return new Backfill({ archivist, replica: { position: 1 } } as unknown as Services);
}

test('whoever asks much waits, and those who ask little get theirs between', async () => {
  const past = pastOf(500);
  const answered: string[] = [];
  const ask = (group: string) =>
    past.ask(returning(group), QUESTION).then(() => answered.push(group));
  const start = performance.now();
  const all = Array.from({ length: 8 }, () => ask('greedy'));
  all.push(ask('modest'));
  await Promise.all(all);
  expect(answered.indexOf('modest')).toBeLessThan(6);
  // Nine pages of 500 records: the last one's own rest is not waited for.
  expect(performance.now() - start).toBeGreaterThan(50);
});

test('many small answers hardly wait', async () => {
  const past = pastOf(1);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => past.ask(returning(`${index}`), QUESTION)),
  );
  expect(performance.now() - start).toBeLessThan(1000);
});

test('whoever leaves gives up its place, and is not asked for', async () => {
  const past = pastOf(500);
  const readers: ResumingSubscription[] = Array.from({ length: 1000 }, () => returning('one'));
  const answers = readers.map((reader) =>
    past.ask(reader, QUESTION).then(
      () => 'told',
      (error) => (error instanceof LeftError ? 'left' : error),
    ),
  );
  for (const reader of readers.slice(1)) past.end(reader);
  const start = performance.now();
  await past.ask(returning('other'), QUESTION);
  expect(performance.now() - start).toBeLessThan(1000);
  const told = (await Promise.all(answers)).filter((each) => each === 'told');
  expect(told.length).toBeLessThanOrEqual(1);
});
