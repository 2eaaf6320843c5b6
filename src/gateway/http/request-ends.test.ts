import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { RequestEnds } from './request-ends.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

class Connection {
  isOpen = true;
  readonly peers = { requestIP: () => (this.isOpen ? { address: '127.0.0.1' } : null) };
}

function makeRequest(headers: Record<string, string> = {}): Request {
  return new Request('http://a/', { method: 'POST', headers });
}

test('a chunked request waits 20 ms, in which its connection may end', async () => {
  const ends = new RequestEnds();
  const connection = new Connection();
  let reached: boolean | undefined;
  ends
    .waitForEnd(makeRequest({ 'Transfer-Encoding': 'chunked' }), connection.peers)
    .then((isReached) => {
      reached = isReached;
    });
  const after = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    return reached;
  };
  expect(await after(19)).toBeUndefined();
  connection.isOpen = false;
  expect(await after(1)).toBe(false);
});

test('a request with a Content-Length waits for one turn of the event loop', async () => {
  jest.useRealTimers();
  const ends = new RequestEnds();
  const open = new Connection();
  const ended = new Connection();
  const all = [open, ended].map(({ peers }) => ends.waitForEnd(makeRequest(), peers));
  for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  ended.isOpen = false;
  expect(await Promise.all(all)).toEqual([true, false]);
  expect(await ends.waitForEnd(makeRequest(), open.peers)).toBe(true);
});
