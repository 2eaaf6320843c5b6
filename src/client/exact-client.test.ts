import { afterAll, beforeEach, expect, test } from 'bun:test';
import { ExactClient } from './exact-client.ts';
import { exactNumber } from './exact-number.ts';

/** The last request, and the response to it. */
let seen: { target: string; body: string };
let requests = 0;
let response: () => Response;
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    requests++;
    const { pathname, search } = new URL(request.url);
    seen = { target: `${request.method} ${pathname}${search}`, body: await request.text() };
    return response();
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  requests = 0;
  response = () => new Response('{"success":true,"data":{}}');
});

const client = new ExactClient({ baseUrl: server.url.origin });

test('prices and amounts of responses keep their digits, whole numbers are numbers', async () => {
  const data = '{"assets":[{"asset":"BTC","available":123456789012.12345670}],"openOrders":12}';
  response = () => new Response(`{"success":true,"data":${data}}`);
  const state = await client.getState();
  expect(state.assets[0]!.available).toEqual(exactNumber('123456789012.12345670'));
  expect(state.openOrders).toBe(12);
  expect(JSON.stringify(state)).toBe(data);
});

test('strings given as numbers are sent with their digits', async () => {
  await client.changeMarket({ symbol: 'BTC/USDT', tickSize: '0.10', preview: 'true' });
  expect(seen.target).toBe('PATCH /api/admin/markets?preview=true');
  expect(seen.body).toBe('{"symbol":"BTC/USDT","tickSize":0.10}');
});

test('a path segment is encoded, and cannot lead to another path', async () => {
  await client.removeUser({ id: 'a/b?c', email: '...' });
  expect(seen).toEqual({
    target: 'POST /api/admin/accounts/a%2Fb%3Fc/users/.../remove',
    body: '{}',
  });
  for (const id of ['', '.', '..']) {
    await expect(client.getAccount({ id })).rejects.toThrow(`id must not be "${id}".`);
  }
});

test('a time is sent as it was given, as text or as a number', async () => {
  await client.confirmClock({ wallClock: '2026-01-05T12:00:00Z' });
  expect(seen.body).toBe('{"wallClock":"2026-01-05T12:00:00Z"}');
  await client.confirmClock({ wallClock: 1_767_614_400_000 });
  expect(seen.body).toBe('{"wallClock":1767614400000}');
});

test('a request is sent once', async () => {
  const error = { code: 'OVERLOADED', message: 'Busy.', details: {} };
  response = () => Response.json({ success: false, error }, { status: 503 });
  await expect(client.getState()).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(requests).toBe(1);
});
