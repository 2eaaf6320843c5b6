import { expect, test } from 'bun:test';
import { PositionWaiters } from './position-waiters.ts';

test('a wait resolves with true once its position is applied, or with false after the maximum wait', async () => {
  let position = 3;
  const waiters = new PositionWaiters(() => position, 20);
  expect(await waiters.wait(3)).toBe(true);
  const waits = [4, 5, 9].map((wanted) => waiters.wait(wanted));
  waiters.notify();
  position = 4;
  waiters.notify();
  expect(await waits[0]).toBe(true);
  expect(waiters.hasWaiters).toBe(true);
  position = 5;
  // No one notifies the waiters again.
  expect(await Promise.all(waits)).toEqual([true, true, false]);
  expect(waiters.hasWaiters).toBe(false);
});

test('all waits for one position, and for all positions applied at once, resolve', async () => {
  let position = 3;
  const waiters = new PositionWaiters(() => position);
  const waits = [4, 6, 6, 8].map((wanted) => waiters.wait(wanted));
  position = 8;
  waiters.notify();
  expect(await Promise.all(waits)).toEqual([true, true, true, true]);
  expect(waiters.hasWaiters).toBe(false);
  position = 20;
  const later = waiters.wait(21);
  position = 21;
  waiters.notify();
  expect(await later).toBe(true);
});

test('the cost of a batch does not depend on how many wait', () => {
  let position = 0;
  let reads = 0;
  const waiters = new PositionWaiters(() => {
    reads++;
    return position;
  }, 1);
  for (let wanted = 100; wanted < 1100; wanted++) void waiters.wait(wanted);
  reads = 0;
  position = 1;
  waiters.notify();
  expect(reads).toBe(1);
});
