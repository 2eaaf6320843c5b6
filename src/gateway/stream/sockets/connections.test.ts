import { expect, test } from 'bun:test';
import { Connections } from './connections.ts';

const NOW = 1_700_000_000_000;

test('all addresses together may open 10,000 connections', async () => {
  const connections = new Connections({ rateLimits: 'off', trustedProxies: [] });
  for (let count = 0; count < 10_000; count++) {
    expect(connections.open('192.0.2.1', NOW)).toBeUndefined();
  }
  const rejection = connections.open('192.0.2.2', NOW)!;
  expect(rejection.status).toBe(503);
  expect(rejection.headers.get('Retry-After')).toBe('10');
  expect(await rejection.json()).toMatchObject({ success: false, error: { code: 'OVERLOADED' } });
  connections.close('192.0.2.1');
  expect(connections.open('192.0.2.2', NOW)).toBeUndefined();
});

test('an address opens 300 connections a minute, however soon it closes them', async () => {
  const connections = new Connections({ rateLimits: 'spec', trustedProxies: [] });
  const open = (address: string, nowMs: number) => {
    const rejection = connections.open(address, nowMs);
    if (rejection === undefined) connections.close(address);
    return rejection;
  };
  for (let count = 0; count < 300; count++) {
    expect(open(`2001:db8::${count.toString(16)}`, NOW)).toBeUndefined();
  }
  const rejection = open('2001:db8::1', NOW + 20_000);
  expect(rejection?.status).toBe(429);
  const { headers } = rejection!;
  expect(headers.get('Retry-After')).toBe('40');
  expect(headers.get('X-RateLimit-Limit')).toBe('300');
  expect(await rejection!.json()).toMatchObject({
    error: {
      code: 'RATE_LIMIT_EXCEEDED',
      details: { rule: 'at most 300 new connections a minute from an address', retryAfter: 40 },
    },
  });
  expect(open('2001:db8:0:1::1', NOW + 20_000)).toBeUndefined();
  expect(open('2001:db8::1', NOW + 60_000)).toBeUndefined();
});
