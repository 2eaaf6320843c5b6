import { expect, test } from 'bun:test';
import { retry } from './retry.ts';

/** A clock that only pauses move. */
function manualClock() {
  let now = 0;
  return {
    elapsedMs: () => now,
    after(delayMs: number) {
      now += delayMs;
      return { over: Promise.resolve() };
    },
  };
}

function failing(times: number, error = new Error('not yet')) {
  return (attempt: number) => {
    if (attempt < times) throw error;
    return attempt;
  };
}

test('returns the result of the first attempt that succeeds', async () => {
  const clock = manualClock();
  const retries: number[] = [];
  const onRetry = (_: Error, attempt: number) => retries.push(attempt);
  expect(await retry(failing(3), { every: 100, onRetry, clock })).toBe(3);
  expect(retries).toEqual([0, 1, 2]);
  expect(clock.elapsedMs()).toBe(300);
});

test('throws the last error once the time is up', async () => {
  const clock = manualClock();
  const attempts = retry(failing(10), { every: 100, until: 250, clock });
  await expect(attempts).rejects.toThrow('not yet');
  expect(clock.elapsedMs()).toBe(300);
});

test('throws the error of the last attempt, without a pause between attempts if none is wanted', async () => {
  const clock = manualClock();
  const made: number[] = [];
  const work = (attempt: number) => {
    made.push(attempt);
    throw new Error(`failure ${attempt}`);
  };
  await expect(retry(work, { every: 0, maxAttempts: 3, clock })).rejects.toThrow('failure 2');
  expect([made, clock.elapsedMs()]).toEqual([[0, 1, 2], 0]);
});

test('returns the first final result, or that of the last attempt', async () => {
  const clock = manualClock();
  const count = (attempt: number) => attempt;
  const options = { every: 100, clock, isTransient: () => false };
  expect(await retry(count, { ...options, isDone: (result) => result === 4 })).toBe(4);
  expect(clock.elapsedMs()).toBe(400);
  expect(await retry(count, { ...options, maxAttempts: 3, isDone: () => false })).toBe(2);
  expect(await retry(count, { ...options, until: 950, isDone: () => false })).toBe(4);
  const fail = failing(1);
  await expect(retry(fail, { ...options, isDone: () => false })).rejects.toThrow('not yet');
});

test('throws an error that is not transient at once', async () => {
  const isTransient = (error: unknown) => !(error instanceof RangeError);
  const attempts = retry(failing(10, new RangeError('refused')), { every: 100, isTransient });
  await expect(attempts).rejects.toThrow('refused');
});
