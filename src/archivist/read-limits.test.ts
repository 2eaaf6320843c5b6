import { expect, test } from 'bun:test';
import { HistoryBacklogError } from '../history/errors.ts';
import type { ArchiveQuery } from './archive.ts';
import { MAX_UNANSWERED, ReadLimits } from './read-limits.ts';

const CANDLES: ArchiveQuery = {
  kind: 'candles',
  filter: { market: 0, width: 60_000, limit: 1, now: 0 },
};

test('an address has two reads of public data at a time, and a bounded number that wait', async () => {
  const limits = new ReadLimits();
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const read = (address: string | undefined) =>
    limits.run(
      CANDLES,
      () => {
        sent.push(String(address));
        return new Promise<void>((resolve) => answers.push(resolve));
      },
      address,
    );
  const all = Array.from({ length: MAX_UNANSWERED.pages }, () => read('192.0.2.1'));
  let rejection: unknown;
  read('192.0.2.1').catch((error) => {
    rejection = error;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejection).toBeInstanceOf(HistoryBacklogError);
  all.push(read('192.0.2.2'), read(undefined), read(undefined), read(undefined));
  expect(sent).toEqual([
    ...['192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ...['undefined', 'undefined', 'undefined'],
  ]);
  while (sent.length < all.length || answers.length > 0) {
    for (const answer of answers.splice(0)) answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
});
