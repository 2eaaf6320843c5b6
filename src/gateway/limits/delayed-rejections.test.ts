import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { DelayedRejections, FloodRejections } from './delayed-rejections.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('refusals are held for half a second, those of ten milliseconds together', async () => {
  const refusals = new DelayedRejections();
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

test('refusals of a flood are held for half a second, then ten are answered every ten milliseconds', async () => {
  const floods = new FloodRejections();
  const answered: number[] = [];
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    return answered.splice(0);
  };
  for (let each = 0; each < 25; each++) floods.hold().then(() => answered.push(each));
  expect(await after(499)).toEqual([]);
  expect(await after(1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  floods.hold().then(() => answered.push(25));
  expect(await after(10)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(await after(10)).toEqual([20, 21, 22, 23, 24]);
  expect(await after(470)).toEqual([]);
  expect(await after(10)).toEqual([25]);
  expect(jest.getTimerCount()).toBe(0);
});
