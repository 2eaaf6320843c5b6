import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { RequestEnds } from './request-ends.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function requestOf(connection: AbortController, headers: Record<string, string> = {}): Request {
  return new Request('http://a/', { method: 'POST', headers, signal: connection.signal });
}

test('a chunked request waits 20 ms, in which its connection may end', async () => {
  const ends = new RequestEnds();
  const connection = new AbortController();
  let reached: boolean | undefined;
  ends.reached(requestOf(connection, { 'Transfer-Encoding': 'chunked' })).then((isReached) => {
    reached = isReached;
  });
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    return reached;
  };
  expect(await after(19)).toBeUndefined();
  connection.abort();
  expect(await after(1)).toBe(false);
});

test('a request with a length waits for a turn of the event loop', async () => {
  jest.useRealTimers();
  const ends = new RequestEnds();
  const kept = new AbortController();
  const ended = new AbortController();
  const all = [kept, ended].map((connection) => ends.reached(requestOf(connection)));
  for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  ended.abort();
  expect(await Promise.all(all)).toEqual([true, false]);
  expect(await ends.reached(requestOf(kept))).toBe(true);
});
