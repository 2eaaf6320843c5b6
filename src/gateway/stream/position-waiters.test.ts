import { expect, test } from 'bun:test';
import { PositionWaiters } from './position-waiters.ts';

test('a number that is waited for resolves once it is reached, or after too long', async () => {
  let position = 3;
  const arrivals = new PositionWaiters(() => position, 20);
  expect(await arrivals.wait(3)).toBe(true);
  const waits = [4, 5, 9].map((wanted) => arrivals.wait(wanted));
  arrivals.look();
  position = 4;
  arrivals.look();
  expect(await waits[0]).toBe(true);
  expect(arrivals.isAwaited).toBe(true);
  position = 5;
  // Nobody looks again.
  expect(await Promise.all(waits)).toEqual([true, true, false]);
  expect(arrivals.isAwaited).toBe(false);
});

test('all that wait for the same number, and all that are passed at once, are resolved', async () => {
  let position = 3;
  const arrivals = new PositionWaiters(() => position);
  const waits = [4, 6, 6, 8].map((wanted) => arrivals.wait(wanted));
  position = 8;
  arrivals.look();
  expect(await Promise.all(waits)).toEqual([true, true, true, true]);
  expect(arrivals.isAwaited).toBe(false);
  position = 20;
  const later = arrivals.wait(21);
  position = 21;
  arrivals.look();
  expect(await later).toBe(true);
});

test('what a batch costs does not depend on how many wait', () => {
  let position = 0;
  let looks = 0;
  const arrivals = new PositionWaiters(() => {
    looks++;
    return position;
  }, 1);
  for (let wanted = 100; wanted < 1100; wanted++) void arrivals.wait(wanted);
  looks = 0;
  position = 1;
  arrivals.look();
  expect(looks).toBe(1);
});
