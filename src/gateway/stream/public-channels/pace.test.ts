import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { Pace } from './pace.ts';

let runs = 0;
let pace: Pace;

beforeEach(() => {
  jest.useFakeTimers();
  runs = 0;
  pace = new Pace(100, () => runs++);
});
afterEach(() => {
  pace.stop();
  jest.useRealTimers();
});

/** Requests a run and returns how many there have been. */
function request(): number {
  pace.request();
  return runs;
}

/** Lets time pass and returns how many runs there have been. */
function after(ms: number): number {
  jest.advanceTimersByTime(ms);
  return runs;
}

test('the first request runs at once, those of the interval after it in one run at its end', () => {
  expect([request(), request(), request()]).toEqual([1, 1, 1]);
  expect([after(99), after(1)]).toEqual([1, 2]);
  expect([after(50), request(), after(49), after(1)]).toEqual([2, 2, 2, 3]);
});

test('after an interval without a request the next one runs at once', () => {
  expect([request(), after(100), after(500), request()]).toEqual([1, 1, 1, 2]);
});

test('a flush runs what waits, and begins an interval', () => {
  request();
  pace.flush();
  expect(runs).toBe(1);
  request();
  pace.flush();
  expect([runs, request(), after(99), after(1)]).toEqual([2, 2, 2, 3]);
});

test('nothing runs once it has stopped', () => {
  request();
  request();
  pace.stop();
  expect(after(1000)).toBe(1);
});
