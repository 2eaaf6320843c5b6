import { expect, test } from 'bun:test';
import { Continuity } from './continuity.ts';
import type { StoredMessage } from './message-stream.ts';

const message = (sequence: number, text = `message ${sequence}`): StoredMessage => ({
  ...{ sequence, storedAt: 1000, bytes: Buffer.from(text) },
});

function begin() {
  const taken: string[] = [];
  const asked: number[] = [];
  let answer: (message: StoredMessage | undefined) => void = () => {};
  const continuity = new Continuity(
    ({ bytes }) => taken.push(Buffer.from(bytes).toString()),
    (sequence) => {
      asked.push(sequence);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  );
  const say = async (what: StoredMessage | undefined) => {
    answer(what);
    await Promise.resolve();
  };
  return { continuity, taken, asked, say };
}

test('what comes the same way is passed on at once', () => {
  const { continuity, taken, asked } = begin();
  for (let n = 1; n <= 3; n++) continuity.next(message(n), 'one');
  expect([taken, asked]).toEqual([['message 1', 'message 2', 'message 3'], []]);
});

test.each([
  ['as it was', message(1), ['message 1', 'message 2', 'message 3', 'message 4']],
  ['purged', undefined, ['message 1', 'message 2', 'message 3', 'message 4']],
  ['another one', message(1, 'else'), ['message 1', 'else', 'message 2', 'message 3', 'message 4']],
])('what comes another way waits until the last one is known to be %s', async (_, is, then) => {
  const { continuity, taken, asked, say } = begin();
  continuity.next(message(1), 'one');
  continuity.next(message(2), 'two');
  continuity.next(message(3), 'three');
  expect([taken, asked]).toEqual([['message 1'], [1]]);
  await say(is);
  continuity.next(message(4), 'three');
  expect(taken).toEqual(then);
});
