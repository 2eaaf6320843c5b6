import { expect, test } from 'bun:test';
import { Agreement, DisagreementError } from './agreement.ts';

const hash = (byte: number) => new Uint8Array(32).fill(byte);

/** One that has applied ten batches. */
function begin() {
  const agreement = new Agreement();
  for (let n = 1; n <= 10; n++) agreement.note(n, hash(n), n * 7);
  const say = (node: string, sequence: number, digest = sequence * 7, byte = sequence) =>
    agreement.compare(node, { sequence, hash: hash(byte), digest });
  /** Looks so often that the next time decides. */
  const wait = () => {
    for (let n = 0; n < 7; n++) expect(agreement.decide()).toBeUndefined();
  };
  return { agreement, say, wait };
}

test('nodes that hold the same have nothing to decide', () => {
  const { agreement, say, wait } = begin();
  say('b', 3);
  say('c', 10);
  // Long ago, or of one that has just begun.
  say('c', 0, 5);
  say('c', 11, 5);
  expect(agreement.isDisputed).toBe(false);
  wait();
  expect(agreement.decide()).toBeUndefined();
});

test.each([
  ['another state', 7 * 5 + 1, 5],
  ['another log', 7 * 5, 6],
])('one of three that holds %s is outvoted: the two others go on', (_, digest, byte) => {
  const { agreement, say, wait } = begin();
  say('c', 5, digest, byte);
  expect(agreement.isDisputed).toBe(true);
  say('b', 6);
  wait();
  expect(agreement.decide()).toEqual(['c']);
  expect(agreement.isDisputed).toBe(false);
});

test('who differs from most ends', () => {
  const { agreement, say, wait } = begin();
  say('b', 5, 1);
  say('c', 6, 2);
  wait();
  expect(() => agreement.decide()).toThrow('after batch 5: b, c and this one differ');
});

test('of two that differ, both end', () => {
  const { agreement, say, wait } = begin();
  say('b', 5, 1);
  wait();
  expect(() => agreement.decide()).toThrow(DisagreementError);
});
