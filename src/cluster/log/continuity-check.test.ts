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
  const asked: number[] = [];
  /** After which messages it asked for the rest once more. */
  const again: number[] = [];
  const ends: string[] = [];
  let answer: (message: StoredMessage | undefined) => void = () => {};
  const continuity = new ContinuityCheck(
    ({ bytes }) => taken.push(Buffer.from(bytes).toString()),
    (sequence) => {
      asked.push(sequence);
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
  return { continuity, taken, asked, again, ends, say };
}

test('what comes the same way is passed on at once', () => {
  const { continuity, taken, asked } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  expect([taken, asked]).toEqual([['message 1', 'message 2', 'message 3'], []]);
});

test.each([
  ['as it was', message(1), ['message 1', 'message 2', 'message 3', 'message 4']],
  ['as it was, rounded', message(1, 'message 1', 1001), [1, 2, 3, 4].map((n) => `message ${n}`)],
  ['another one', message(1, 'else'), ['message 1', 'else', 'message 2', 'message 3', 'message 4']],
  [
    'stored again later',
    message(1, 'message 1', 1002),
    ['message 1', 'message 1', 'message 2', 'message 3', 'message 4'],
  ],
])('what comes another way waits until the last one is known to be %s', async (_, is, then) => {
  const { continuity, taken, asked, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  continuity.next(message(3), 'two');
  expect([taken, asked]).toEqual([['message 1'], [1]]);
  await say(is);
  continuity.next(message(4), 'two');
  expect(taken).toEqual(then);
});

test('nothing follows on a last message that was purged: another log may have been trimmed there', async () => {
  const { continuity, taken, ends, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  await say(undefined);
  continuity.next(message(3), 'two');
  continuity.next(message(4), 'three');
  expect(taken).toEqual(['message 1']);
  expect(ends).toEqual([expect.stringContaining('message 1, the last one that this node read')]);
});

test('a first way may begin with what was there before', () => {
  const { continuity, taken } = begin(2);
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  expect(taken).toEqual(['message 3']);
});

test('a new way may begin with what was passed on, where that is there still', async () => {
  const { continuity, taken, say } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  continuity.next(message(2), 'two');
  await say(message(3));
  for (let n = 3; n <= 5; n++) continuity.next(message(n), 'two');
  expect(taken).toEqual(['message 1', 'message 2', 'message 3', 'message 4', 'message 5']);
});

test.each([
  ['is not there any more', undefined, message(2)],
  ['is lost once it was read again', message(3), message(3, 'else')],
])('what comes again is passed on where the last one %s', async (_, is, again) => {
  const { continuity, taken, say } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  continuity.next(message(2), 'two');
  await say(is);
  if (is !== undefined) continuity.next(again, 'two');
  expect(taken.slice(3)).toEqual([Buffer.from(again.bytes).toString()]);
});

test('what is numbered anew on a way that went on is passed on', async () => {
  const { continuity, taken, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  await say(message(1));
  continuity.next(message(1), 'two');
  expect(taken).toEqual(['message 1', 'message 2', 'message 1']);
});

test('of two outages the last message before each is read again', async () => {
  const { continuity, taken, asked, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  continuity.next(message(3), 'three');
  continuity.next(message(4), 'three');
  await say(message(1));
  expect([taken, asked]).toEqual([
    ['message 1', 'message 2'],
    [1, 2],
  ]);
  await say(message(2, 'else'));
  expect(taken.slice(2)).toEqual(['else', 'message 3', 'message 4']);
});

/** With as many bytes as a message of the log may have. */
const large = (sequence: number): StoredMessage => ({
  ...{ sequence, storedAt: 1000, bytes: Buffer.alloc(1024 * 1024, `${sequence}`) },
});

test('what comes while the last one is read is held up to 16 MiB, and the rest asked for again', async () => {
  const { continuity, taken, again, say } = begin();
  continuity.next(message(1), 'one');
  for (let n = 2; n <= 40; n++) continuity.next(large(n), 'two');
  await say(message(1));
  // The first, which is compared, and fifteen that are held.
  expect([taken.length, again]).toEqual([17, [17]]);
  // From there on by a new way, which is compared like any other.
  for (let n = 18; n <= 20; n++) continuity.next(message(n), 'three');
  expect(taken.length).toBe(17);
  await say(large(17));
  expect([taken.slice(17), again]).toEqual([['message 18', 'message 19', 'message 20'], [17]]);
});

test('what is dropped in a second outage is asked for once the first is over', async () => {
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
