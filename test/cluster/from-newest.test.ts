import { expect, test } from 'bun:test';
import { ClusteredLogError, LogTrimmedError } from '../../src/cluster/log/errors.ts';
import { fromNewest } from '../../src/node/from-newest.ts';

/** Begins in vain so often. */
function beginning(failures: number, error: Error) {
  let begun = 0;
  const begin = async () => {
    if (++begun <= failures) throw error;
    return begun;
  };
  return { begin, count: () => begun };
}

test('who is overtaken begins again, a few times', async () => {
  const { begin } = beginning(4, new LogTrimmedError('message 9 came after 4'));
  expect(await fromNewest(begin)).toBe(5);
});

test('who is overtaken every time ends', async () => {
  const { begin, count } = beginning(9, new LogTrimmedError('message 9 came after 4'));
  await expect(fromNewest(begin)).rejects.toThrow('message 9 came after 4');
  expect(count()).toBe(5);
});

test('what is wrong for another reason is not tried again', async () => {
  const { begin, count } = beginning(1, new ClusteredLogError('it has been lost'));
  await expect(fromNewest(begin)).rejects.toThrow('it has been lost');
  expect(count()).toBe(1);
});
