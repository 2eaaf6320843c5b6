import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { HeldRefusals } from './held-refusals.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('refusals are held for half a second, those of ten milliseconds together', async () => {
  const refusals = new HeldRefusals();
  const answered: string[] = [];
  const hold = (name: string) => refusals.hold().then(() => answered.push(name));
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    return answered.splice(0);
  };
  hold('first');
  await after(9);
  hold('with it');
  await after(1);
  hold('later');
  expect(await after(489)).toEqual([]);
  expect(await after(1)).toEqual(['first', 'with it']);
  expect(await after(9)).toEqual([]);
  expect(await after(1)).toEqual(['later']);
});
