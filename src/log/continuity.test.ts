import { expect, test } from 'bun:test';
import { Continuity } from './continuity.ts';
import type { StoredMessage } from './message-stream.ts';

const message = (
  sequence: number,
  text = `message ${sequence}`,
  storedAt = 1000,
): StoredMessage => ({ sequence, storedAt, bytes: Buffer.from(text) });

function begin(after = 0) {
  const taken: string[] = [];
  const asked: number[] = [];
  const ends: string[] = [];
  let answer: (message: StoredMessage | undefined) => void = () => {};
  const continuity = new Continuity(
    ({ bytes }) => taken.push(Buffer.from(bytes).toString()),
    (sequence) => {
      asked.push(sequence);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    after,
    ({ message }) => ends.push(message),
  );
  const say = async (what: StoredMessage | undefined) => {
    answer(what);
    await Promise.resolve();
  };
  return { continuity, taken, asked, ends, say };
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
