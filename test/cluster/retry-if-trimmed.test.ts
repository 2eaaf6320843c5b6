import { expect, test } from 'bun:test';
import { ClusteredLogError, LogTrimmedError } from '../../src/cluster/log/errors.ts';
import { retryIfTrimmed } from '../../src/node/retry-if-trimmed.ts';

/** A start that fails that many times. */
function beginning(failures: number, error: Error) {
  let begun = 0;
  const begin = async () => {
    if (++begun <= failures) throw error;
    return begun;
  };
  return { begin, count: () => begun };
}

test('a node that is overtaken starts again, a few times', async () => {
  const { begin } = beginning(4, new LogTrimmedError('message 9 came after 4'));
  expect(await retryIfTrimmed(begin)).toBe(5);
});

test('a node that is overtaken every time fails', async () => {
  const { begin, count } = beginning(9, new LogTrimmedError('message 9 came after 4'));
  await expect(retryIfTrimmed(begin)).rejects.toThrow('message 9 came after 4');
  expect(count()).toBe(5);
});

test('another error is not retried', async () => {
  const { begin, count } = beginning(1, new ClusteredLogError('it has been lost'));
  await expect(retryIfTrimmed(begin)).rejects.toThrow('it has been lost');
  expect(count()).toBe(1);
});
