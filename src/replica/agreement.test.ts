import { expect, test } from 'bun:test';
import { Agreement, DisagreementError } from './agreement.ts';

const hash = (byte: number) => new Uint8Array(32).fill(byte);

/** An agreement after ten applied batches. */
function begin() {
  const agreement = new Agreement();
  for (let n = 1; n <= 10; n++) agreement.note(n, hash(n), n * 7);
  const say = (node: string, sequence: number, digest = sequence * 7, byte = sequence) =>
    agreement.compare(node, { sequence, hash: hash(byte), digest });
  const speak = (sequence: number) =>
    agreement.noteReported({ sequence, hash: hash(sequence), digest: sequence * 7 });
  let position = 10;
  /** Ticks after another batch. */
  const decide = () => agreement.decide(++position);
  /** Reports this node's state, then ticks until the next tick decides. */
  const wait = () => {
    speak(10);
    for (let n = 0; n < 19; n++) expect(decide()).toBeUndefined();
  };
  return { agreement, say, speak, decide, wait };
}

test('nodes with the same state have nothing to decide', () => {
  const { agreement, say, decide, wait } = begin();
  say('b', 3);
  say('c', 10);
  // Reports of a node that has just started, or about a batch not applied here.
  say('c', 0, 5);
  say('c', 11, 5);
  expect(agreement.isDisputed).toBe(false);
  wait();
  expect(decide()).toBeUndefined();
});

test.each([
  ['another state', 7 * 5 + 1, 5],
  ['another log', 7 * 5, 6],
])('one of three with %s is outvoted and the two others continue', (_, digest, byte) => {
  const { agreement, say, decide, wait } = begin();
  say('c', 5, digest, byte);
  expect(agreement.isDisputed).toBe(true);
  say('b', 6);
  wait();
  expect(decide()).toEqual(['c']);
  expect(agreement.isDisputed).toBe(false);
});

test('a node that differs from most nodes stops', () => {
  const { say, decide, wait } = begin();
  say('b', 5, 1);
  say('c', 6, 2);
  wait();
  expect(() => decide()).toThrow('after batch 5: b, c and this one differ');
});

test('if two nodes differ, both stop', () => {
  const { say, decide, wait } = begin();
  say('b', 5, 1);
  wait();
  expect(() => decide()).toThrow(DisagreementError);
});

test('a node that has stopped since it differed has no vote', () => {
  const { say, speak, decide } = begin();
  say('c', 5, 1);
  say('d', 5, 2);
  say('b', 6);
  speak(6);
  for (let tick = 1; tick <= 28; tick++) {
    expect(decide()).toBeUndefined();
    // Nothing is decided before tick 20. Then it is unknown for a while whether c, the second vote against, still runs.
    if (tick === 9) say('c', 7, 1);
    if (tick % 3 === 0) say('d', 7, 2);
    if (tick % 5 === 0) say('b', 7);
  }
  expect(decide()).toEqual(['c', 'd']);
});

test('two of four nodes that differ and still run are not outvoted', () => {
  const { say, speak, decide } = begin();
  say('c', 5, 1);
  say('d', 5, 2);
  say('b', 6);
  speak(6);
  for (let tick = 1; tick <= 24; tick++) {
    expect(decide()).toBeUndefined();
    // Never both of them within a second.
    if (tick % 10 === 0) say('c', 7, 1);
    if (tick % 10 === 5) say('d', 7, 2);
  }
  say('c', 7, 1);
  say('d', 7, 2);
  expect(() => decide()).toThrow('c, d and this one differ, b agrees');
});

test('if two pairs differ, no node continues once one node of each has stopped', () => {
  const { agreement, say, speak, decide } = begin();
  say('b', 5, 1);
  say('d', 5, 1);
  say('c', 6);
  speak(6);
  for (let tick = 1; tick < 60; tick++) {
    expect([decide(), agreement.isDisputed]).toEqual([undefined, true]);
    say('b', 7, 1);
  }
  expect(() => decide()).toThrow('b and this one differ, c agrees');
});

test('a node continues if the only other node that differed has stopped, even if others are silent since they agreed', () => {
  const { say, speak, decide } = begin();
  say('c', 5, 1);
  say('b', 6);
  for (let tick = 1; tick <= 10; tick++) decide();
  say('c', 7, 1);
  speak(7);
  for (let tick = 11; tick < 30; tick++) expect(decide()).toBeUndefined();
  expect(decide()).toEqual(['c']);
});

test('an agreement from before another node differs does not count, because this node may have changed', () => {
  const { say, decide, wait } = begin();
  say('d', 4, 1);
  say('b', 5);
  say('c', 7, 1);
  // The batch that it had in flight.
  say('b', 6);
  wait();
  expect(() => decide()).toThrow('after batch 7: d, c and this one differ, no other node agrees');
});

test('all nodes have five seconds to report after each node that starts to differ', () => {
  const { say, speak, decide, wait } = begin();
  say('c', 5, 1);
  say('b', 6);
  wait();
  say('d', 7, 1);
  for (let n = 0; n < 40; n++) expect(decide()).toBeUndefined();
  speak(6);
  for (let n = 0; n < 40; n++) expect(decide()).toBeUndefined();
  say('b', 8);
  wait();
  expect(decide()).toEqual(['c', 'd']);
});

test('nothing is decided before its own report about the dispute is in the log', () => {
  const { say, speak, decide } = begin();
  say('c', 5, 1);
  say('b', 6);
  speak(4);
  for (let n = 0; n < 40; n++) expect(decide()).toBeUndefined();
  speak(5);
  for (let n = 0; n < 19; n++) expect(decide()).toBeUndefined();
  expect(decide()).toEqual(['c']);
});

test('ticks do not count while the log does not advance', () => {
  const { agreement, say, decide, wait } = begin();
  say('c', 5, 1);
  wait();
  for (let n = 0; n < 40; n++) expect(agreement.decide(29)).toBeUndefined();
  say('b', 7);
  expect(decide()).toEqual(['c']);
});

test('reports about earlier batches are no votes, and a later report replaces an earlier one', () => {
  const { say, decide, wait } = begin();
  say('b', 5, 1);
  say('c', 4);
  wait();
  expect(() => decide()).toThrow('no other node agrees');
  const other = begin();
  other.say('b', 5, 1);
  other.say('c', 4, 1);
  // Its process was restarted.
  other.say('b', 8);
  other.wait();
  // It is named although it agrees by now, because its former process lost.
  expect(other.decide()).toEqual(['b', 'c']);
});

test('the message to an outvoted node forbids a restart; if two nodes differ, both may restart', () => {
  const outvoted = begin();
  outvoted.say('b', 5, 1);
  outvoted.say('c', 6, 2);
  outvoted.wait();
  expect(() => outvoted.decide()).toThrow('may not start again until an operator');
  const tied = begin();
  tied.say('b', 5, 1);
  tied.wait();
  expect(() => tied.decide()).toThrow('Start this node again');
});
