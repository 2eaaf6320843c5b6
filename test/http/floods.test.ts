import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { type Answer, TestExchange } from './exchange.ts';

/** Rejections are delayed once their address has had 500 in a minute; other responses are not. */

const FREE = 500;
const HOLD_MS = 500;

let exchange: TestExchange;
afterEach(async () => {
  jest.useRealTimers();
  await exchange.close();
});

const get = (path: string, headers: Record<string, string> = {}, name?: string) =>
  exchange.send(name, 'GET', path, undefined, headers);

/** Sends a request from another address; its response comes after everything before it is done. */
async function isAnswered(answer: Promise<Answer>): Promise<boolean> {
  let isDone = false;
  answer.then(() => {
    isDone = true;
  });
  const { peer } = exchange;
  exchange.peer = '192.0.2.99';
  expect((await get('/api/time')).status).toBe(200);
  exchange.peer = peer;
  return isDone;
}

describe('with rate limits', () => {
  beforeEach(async () => {
    exchange = await TestExchange.open({ rateLimits: 'spec' });
    jest.useFakeTimers();
    exchange.peer = '203.0.113.5';
  });

  test.each([
    ['of unknown paths', '/api/nothing', {}],
    ['of a public endpoint', '/api/markets', {}],
    ['of a private endpoint', '/api/orders', {}],
    ['of wrong keys', '/api/orders', { Authorization: 'Bearer a', 'X-API-Secret': 'b' }],
    ['of a page', '/trade', {}],
  ])('%s: 500 at once, the next after half a second', async (_, path, headers) => {
    let refused = 0;
    while (refused < FREE) if ((await get(path, headers)).status >= 400) refused++;
    const held = get(path, headers);
    expect(await isAnswered(held)).toBe(false);
    jest.advanceTimersByTime(HOLD_MS);
    const answer = await held;
    expect(answer.status).toBe(429);
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('0');
    expect(answer.headers.get('Retry-After')).toBe('60');
  });

  test('successful requests and rejections in the next minute are not delayed', async () => {
    const all = Array.from({ length: FREE + 200 }, () => get('/api/nothing'));
    expect((await get('/api/time')).status).toBe(200);
    expect((await get('/api/orders', {}, 'alice')).status).toBe(200);
    expect(await isAnswered(all.at(-1)!)).toBe(false);
    jest.advanceTimersByTime(2 * HOLD_MS);
    await Promise.all(all);
    exchange.now += 60_000;
    expect((await get('/api/nothing')).status).toBe(404);
  });

  test('an IPv6 /64 is one address', async () => {
    const all = Array.from({ length: FREE + 200 }, (_, count) => {
      exchange.peer = `2001:db8::${count.toString(16)}`;
      return get('/api/nothing');
    });
    expect(await isAnswered(all.at(-1)!)).toBe(false);
    exchange.peer = '2001:db8:0:1::1';
    expect((await get('/api/nothing')).status).toBe(404);
    jest.advanceTimersByTime(2 * HOLD_MS);
    await Promise.all(all);
  });
});

test('without rate limits nothing is delayed', async () => {
  exchange = await TestExchange.open({ rateLimits: 'off' });
  jest.useFakeTimers();
  for (let count = 0; count < FREE + 100; count++) {
    expect((await get('/api/nothing')).status).toBe(404);
  }
});
