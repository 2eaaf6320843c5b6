import { expect, test } from 'bun:test';
import { endReaching } from './stream-end.ts';

/** Servers that report these ends in turn, and a clock on which waiting takes no time. */
function servers(...reportedEnds: number[]) {
  const waits: number[] = [];
  const after = (delayMs: number) => {
    waits.push(delayMs);
    return { over: Promise.resolve(), stop() {} };
  };
  return {
    waits,
    clock: { after, elapsedMs: () => 0 },
    stream: { lastSequence: async () => reportedEnds.shift()! },
  };
}

test('a sufficient end is polled once', async () => {
  const { waits, clock, stream } = servers(5, 9);
  expect([await endReaching(5, stream, clock), waits]).toEqual([5, []]);
});

test('a lower end is polled again for twelve seconds', async () => {
  const { waits, clock, stream } = servers(3, 3, 4, 3, 3, 3, 6);
  expect([await endReaching(5, stream, clock), waits]).toEqual([6, Array(6).fill(2000)]);
});

test('the end reported after that is believed', async () => {
  const { waits, clock, stream } = servers(3, 3, 3, 3, 3, 3, 4, 6);
  expect([await endReaching(5, stream, clock), waits.length]).toEqual([4, 6]);
});

test('polling stops once later messages were received', async () => {
  const { waits, clock, stream } = servers(3, 3, 3);
  const seen = [5, 6];
  expect(await endReaching(5, stream, clock, () => seen.at(waits.length - 1)!)).toBe(6);
});
