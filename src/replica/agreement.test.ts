import { expect, test } from 'bun:test';
import { Agreement, DisagreementError } from './agreement.ts';

const hash = (byte: number) => new Uint8Array(32).fill(byte);

/** One that has applied ten batches, and a clock for it. */
function begin() {
  const clock = { ms: 0 };
  const agreement = new Agreement(() => clock.ms);
  for (let n = 1; n <= 10; n++) agreement.note(n, hash(n), n * 7);
  const say = (node: string, sequence: number, digest = sequence * 7, byte = sequence) =>
    agreement.compare(node, { sequence, hash: hash(byte), digest });
  return { agreement, clock, say };
}

test('nodes that hold the same have nothing to decide', () => {
  const { agreement, say, clock } = begin();
  say('b', 3);
  say('c', 10);
  // Long ago, or of one that has just begun.
  say('c', 0, 5);
  say('c', 11, 5);
  clock.ms = 10_000;
  expect(agreement.isDisputed).toBe(false);
  expect(agreement.decide()).toBeUndefined();
});

test.each([
  ['another state', 7 * 5 + 1, 5],
  ['another log', 7 * 5, 6],
])('one of three that holds %s is outvoted: the two others go on', (_, digest, byte) => {
  const { agreement, say, clock } = begin();
  say('c', 5, digest, byte);
  expect(agreement.isDisputed).toBe(true);
  say('b', 6);
  clock.ms = 1999;
  expect(agreement.decide()).toBeUndefined();
  clock.ms = 2000;
  expect(agreement.decide()).toEqual(['c']);
  expect(agreement.isDisputed).toBe(false);
});

test('who differs from most ends', () => {
  const { agreement, say, clock } = begin();
  say('b', 5, 1);
  say('c', 6, 2);
  clock.ms = 2000;
  expect(() => agreement.decide()).toThrow(DisagreementError);
  expect(() => agreement.decide()).toThrow('after batch 5: b, c and this one differ');
});

test('of two that differ, both end', () => {
  const { agreement, say, clock } = begin();
  say('b', 5, 1);
  clock.ms = 2000;
  expect(() => agreement.decide()).toThrow(DisagreementError);
});
