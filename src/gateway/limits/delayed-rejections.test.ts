import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { DelayedRejections, FloodRejections } from './delayed-rejections.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('rejections are delayed by half a second, those within ten milliseconds together', async () => {
  const rejections = new DelayedRejections();
  const sent: string[] = [];
  const delay = (name: string) => rejections.delay().then(() => sent.push(name));
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    return sent.splice(0);
  };
  delay('first');
  await after(9);
  delay('together');
  await after(1);
  delay('later');
  expect(await after(489)).toEqual([]);
  expect(await after(1)).toEqual(['first', 'together']);
  expect(await after(9)).toEqual([]);
  expect(await after(1)).toEqual(['later']);
});

test('flood rejections are delayed by half a second, then ten are sent every ten milliseconds', async () => {
  const floods = new FloodRejections();
  const sent: number[] = [];
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    return sent.splice(0);
  };
  for (let each = 0; each < 25; each++) floods.delay('192.0.2.1').then(() => sent.push(each));
  expect(await after(499)).toEqual([]);
  expect(await after(1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  floods.delay('192.0.2.1').then(() => sent.push(25));
  expect(await after(10)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(await after(10)).toEqual([20, 21, 22, 23, 24]);
  expect(await after(470)).toEqual([]);
  expect(await after(10)).toEqual([25]);
  expect(jest.getTimerCount()).toBe(0);
});

test('addresses that flood the exchange take turns', async () => {
  const floods = new FloodRejections();
  const sent: string[] = [];
  const delay = (address: string) => floods.delay(address).then(() => sent.push(address));
  for (let each = 0; each < 40_000; each++) delay('many');
  for (const address of ['one', 'other', 'one']) delay(address);
  jest.advanceTimersByTime(500);
  for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  expect(sent).toEqual(['many', 'one', 'other', 'many', 'one', ...Array(5).fill('many')]);
  for (let sentMs = 0; sentMs < 40_000; sentMs += 10) jest.advanceTimersByTime(10);
  for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  expect(sent.length).toBe(40_003);
  expect(jest.getTimerCount()).toBe(0);
});
