import { expect, test } from 'bun:test';
import { Arrivals } from './arrivals.ts';

test('who waits is told once it is there, or when it takes too long', async () => {
  let position = 3;
  const arrivals = new Arrivals(20);
  const waits = [4, 5, 9].map((wanted) => arrivals.wait(() => position >= wanted));
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
