import { expect, test } from 'bun:test';
import { once } from './once.ts';

test('makes the value once, and again only after a failure', async () => {
  let made = 0;
  const get = once(async () => {
    if (++made === 1) throw new Error('not yet');
    return made;
  });
  const first = [get(), get()];
  for (const each of first) await expect(each).rejects.toThrow('not yet');
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  expect(await get()).toBe(2);
});
