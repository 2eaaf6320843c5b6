import { afterEach, beforeEach, expect, test } from 'bun:test';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let sockets: WebSocket[];

beforeEach(async () => {
  exchange = await TestExchange.open();
  const at = { port: 0, host: '127.0.0.1' };
  const config = { ...at, rateLimits: 'spec', trustedProxies: ['127.0.0.1'] } as const;
  server = listen(exchange.gateway, config, new Streams(exchange.services, exchange.authorization));
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.close();
  await server.stop();
  await exchange.close();
});

/** Opens a connection from a client behind the proxy. */
async function open(address: string, path = '/ws'): Promise<WebSocket> {
  const headers = { 'X-Forwarded-For': address };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
  sockets.push(socket);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('rejected'));
  });
  return socket;
}

function requestUpgrade(address: string): Promise<Response> {
  const upgrade = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13' };
  const headers = { ...upgrade, 'Sec-WebSocket-Key': 'AQIDBAUGBwgJCgsMDQ4PEA==' };
  const url = `http://127.0.0.1:${server.port}/ws`;
  return fetch(url, { headers: { ...headers, 'X-Forwarded-For': address } });
}

test('an address may have 100 connections at a time, whatever others have', async () => {
  for (let count = 0; count < 100; count++) await open(`2001:db8:0:1::${count.toString(16)}`);
  const response = await requestUpgrade('2001:db8:0:1:ffff::1');
  expect(response.status).toBe(429);
  expect(response.headers.get('Retry-After')).toBe('10');
  expect(response.headers.get('X-RateLimit-Limit')).toBe('100');
  expect(await response.json()).toMatchObject({
    success: false,
    error: { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfter: 10 } },
  });
  await open('2001:db8:0:2::1');
  sockets[0]!.close();
  await new Promise((resolve) => {
    sockets[0]!.onclose = resolve;
  });
  await open('2001:db8:0:1::1');
});

test('a request without an upgrade is rejected and does not count as a connection', async () => {
  const address = '2001:db8:0:3::1';
  const headers = { 'X-Forwarded-For': address };
  const url = `http://127.0.0.1:${server.port}/ws`;
  const response = await fetch(url, { headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'INVALID_REQUEST', details: { field: 'Upgrade', rule: 'websocket' } },
  });
  for (let count = 0; count < 100; count++) await fetch(url, { headers });
  await open(address);
});

test('another method is rejected with the allowed ones', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/ws`, { method: 'POST' });
  expect(response.status).toBe(405);
  expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
});

test('a base address may end in a slash', async () => {
  for (const path of ['//ws', '///ws?']) await open('2001:db8:0:4::1', path);
});
