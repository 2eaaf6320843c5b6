import { expect, test } from 'bun:test';
import type { Services } from '../../services.ts';
import {
  Backfill,
  type ResumingSubscription,
  resumingSubscription,
  UnsubscribedError,
} from './backfill.ts';

const QUERY = { kind: 'trades', filter: { market: 0, descending: false, limit: 501 } } as const;

/** Returns a backfill whose archivist returns this many records for every query. */
function makeBackfill(records: number): Backfill {
  const archivist = { query: () => Promise.resolve(new Array(records).fill(0)) };
  return new Backfill({ archivist, replica: { position: 1 } } as unknown as Services);
}

test('a group with many queries waits, and a group with one is served in between', async () => {
  const backfill = makeBackfill(500);
  const served: string[] = [];
  const query = (group: string) =>
    backfill.query(resumingSubscription(group), QUERY).then(() => served.push(group));
  const start = performance.now();
  const all = Array.from({ length: 8 }, () => query('greedy'));
  all.push(query('modest'));
  await Promise.all(all);
  expect(served.indexOf('modest')).toBeLessThan(6);
  // Nine pages of 500 records; the pause after the last one is not waited for.
  expect(performance.now() - start).toBeGreaterThan(50);
});

test('many small queries hardly wait', async () => {
  const backfill = makeBackfill(1);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      backfill.query(resumingSubscription(`${index}`), QUERY),
    ),
  );
  expect(performance.now() - start).toBeLessThan(1000);
});

test('an ended subscription gives up its turn and is not queried for', async () => {
  const backfill = makeBackfill(500);
  const readers: ResumingSubscription[] = Array.from({ length: 1000 }, () =>
    resumingSubscription('one'),
  );
  const outcomes = readers.map((reader) =>
    backfill.query(reader, QUERY).then(
      () => 'delivered',
      (error) => (error instanceof UnsubscribedError ? 'unsubscribed' : error),
    ),
  );
  for (const reader of readers.slice(1)) backfill.end(reader);
  const start = performance.now();
  await backfill.query(resumingSubscription('other'), QUERY);
  expect(performance.now() - start).toBeLessThan(1000);
  const delivered = (await Promise.all(outcomes)).filter((each) => each === 'delivered');
  expect(delivered.length).toBeLessThanOrEqual(1);
});
