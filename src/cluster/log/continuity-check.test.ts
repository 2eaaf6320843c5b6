import { expect, test } from 'bun:test';
import { ContinuityCheck } from './continuity-check.ts';
import type { StoredMessage } from './message-stream.ts';

const message = (
  sequence: number,
  text = `message ${sequence}`,
  storedAt = 1000,
): StoredMessage => ({ sequence, storedAt, bytes: Buffer.from(text) });

function begin(after = 0) {
  const taken: string[] = [];
  const requests: number[] = [];
  /** Sequences after which it requested the messages again. */
  const again: number[] = [];
  const ends: string[] = [];
  let answer: (message: StoredMessage | undefined) => void = () => {};
  const continuity = new ContinuityCheck(
    ({ bytes }) => taken.push(Buffer.from(bytes).toString()),
    (sequence) => {
      requests.push(sequence);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    after,
    ({ message }) => ends.push(message),
    (last) => again.push(last),
  );
  const say = async (what: StoredMessage | undefined) => {
    answer(what);
    await Promise.resolve();
  };
  return { continuity, taken, requests, again, ends, say };
}

test('messages of the same consumer are delivered at once', () => {
  const { continuity, taken, requests } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  expect([taken, requests]).toEqual([['message 1', 'message 2', 'message 3'], []]);
});

test.each([
  ['unchanged', message(1), ['message 1', 'message 2', 'message 3', 'message 4']],
  [
    'unchanged, with its time rounded',
    message(1, 'message 1', 1001),
    [1, 2, 3, 4].map((n) => `message ${n}`),
  ],
  [
    'another message',
    message(1, 'else'),
    ['message 1', 'else', 'message 2', 'message 3', 'message 4'],
  ],
  [
    'stored again later',
    message(1, 'message 1', 1002),
    ['message 1', 'message 1', 'message 2', 'message 3', 'message 4'],
  ],
])(
  'messages of a new consumer wait until the last message is known to be %s',
  async (_, is, then) => {
    const { continuity, taken, requests, say } = begin();
    continuity.next(message(1), 'one');
    continuity.next(message(2), 'two');
    continuity.next(message(3), 'two');
    expect([taken, requests]).toEqual([['message 1'], [1]]);
    await say(is);
    continuity.next(message(4), 'two');
    expect(taken).toEqual(then);
  },
);

test('no message is delivered after a purged one: another log may have been trimmed there', async () => {
  const { continuity, taken, ends, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  await say(undefined);
  continuity.next(message(3), 'two');
  continuity.next(message(4), 'three');
  expect(taken).toEqual(['message 1']);
  expect(ends).toEqual([expect.stringContaining('message 1, the last one that this node read')]);
});

test('the first consumer may start with earlier messages', () => {
  const { continuity, taken } = begin(2);
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  expect(taken).toEqual(['message 3']);
});

test('a new consumer may start with delivered messages if the servers still hold them', async () => {
  const { continuity, taken, say } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  continuity.next(message(2), 'two');
  await say(message(3));
  for (let n = 3; n <= 5; n++) continuity.next(message(n), 'two');
  expect(taken).toEqual(['message 1', 'message 2', 'message 3', 'message 4', 'message 5']);
});

test.each([
  ['was purged', undefined, message(2)],
  ['is lost after it was read again', message(3), message(3, 'else')],
])('a repeated message is delivered if the last one %s', async (_, is, again) => {
  const { continuity, taken, say } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  continuity.next(message(2), 'two');
  await say(is);
  if (is !== undefined) continuity.next(again, 'two');
  expect(taken.slice(3)).toEqual([Buffer.from(again.bytes).toString()]);
});

test('a message with a reused sequence is delivered', async () => {
  const { continuity, taken, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  await say(message(1));
  continuity.next(message(1), 'two');
  expect(taken).toEqual(['message 1', 'message 2', 'message 1']);
});

test('the last message before each of two outages is read again', async () => {
  const { continuity, taken, requests, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  continuity.next(message(3), 'three');
  continuity.next(message(4), 'three');
  await say(message(1));
  expect([taken, requests]).toEqual([
    ['message 1', 'message 2'],
    [1, 2],
  ]);
  await say(message(2, 'else'));
  expect(taken.slice(2)).toEqual(['else', 'message 3', 'message 4']);
});

/** A message of the maximum size. */
const large = (sequence: number): StoredMessage => ({
  sequence,
  storedAt: 1000,
  bytes: Buffer.alloc(1024 * 1024, `${sequence}`),
});

test('messages that arrive during the check are held up to 16 MiB, and the rest is requested again', async () => {
  const { continuity, taken, again, say } = begin();
  continuity.next(message(1), 'one');
  for (let n = 2; n <= 40; n++) continuity.next(large(n), 'two');
  await say(message(1));
  // The first one, which is compared, and fifteen held ones.
  expect([taken.length, again]).toEqual([17, [17]]);
  // The rest comes from a new consumer, which is compared like any other.
  for (let n = 18; n <= 20; n++) continuity.next(message(n), 'three');
  expect(taken.length).toBe(17);
  await say(large(17));
  expect([taken.slice(17), again]).toEqual([['message 18', 'message 19', 'message 20'], [17]]);
});

test('messages dropped in a second outage are requested after the first check', async () => {
  const { continuity, taken, again, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  continuity.next(message(3), 'three');
  for (let n = 4; n <= 30; n++) continuity.next(large(n), 'three');
  await say(message(1));
  expect([taken.length, again]).toEqual([2, []]);
  continuity.next(message(31), 'three');
  await say(message(2));
  expect([taken.length, again]).toEqual([18, [18]]);
});
