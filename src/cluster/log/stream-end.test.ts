import { expect, test } from 'bun:test';
import { endReaching } from './stream-end.ts';

/** Servers that say one after the other where the stream ends, and a clock on which waiting takes no time. */
function servers(...said: number[]) {
  const waits: number[] = [];
  const after = (delayMs: number) => {
    waits.push(delayMs);
    return { over: Promise.resolve(), stop() {} };
  };
  return { waits, clock: { after }, stream: { lastSequence: async () => said.shift()! } };
}

test('a stream that ends where it must is asked once', async () => {
  const { waits, clock, stream } = servers(5, 9);
  expect([await endReaching(5, stream, clock), waits]).toEqual([5, []]);
});

test('servers that know less are asked for twelve seconds', async () => {
  const { waits, clock, stream } = servers(3, 3, 4, 3, 3, 3, 6);
  expect([await endReaching(5, stream, clock), waits]).toEqual([6, Array(6).fill(2000)]);
});

test('what they say after that is where it ends', async () => {
  const { waits, clock, stream } = servers(3, 3, 3, 3, 3, 3, 4, 6);
  expect([await endReaching(5, stream, clock), waits.length]).toEqual([4, 6]);
});

test('who sees more meanwhile asks no more', async () => {
  const { waits, clock, stream } = servers(3, 3, 3);
  const seen = [5, 6];
  expect(await endReaching(5, stream, clock, () => seen.at(waits.length - 1)!)).toBe(6);
});
