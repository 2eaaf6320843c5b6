import { expect, test } from 'bun:test';
import { Connections } from './connections.ts';

const NOW = 1_700_000_000_000;

test('all addresses together have 10,000 connections', async () => {
  const connections = new Connections({ rateLimits: 'off', trustedProxies: [] });
  for (let count = 0; count < 10_000; count++) {
    expect(connections.open('192.0.2.1', NOW)).toBeUndefined();
  }
  const refusal = connections.open('192.0.2.2', NOW)!;
  expect(refusal.status).toBe(503);
  expect(refusal.headers.get('Retry-After')).toBe('10');
  expect(await refusal.json()).toMatchObject({ success: false, error: { code: 'OVERLOADED' } });
  connections.close('192.0.2.1');
  expect(connections.open('192.0.2.2', NOW)).toBeUndefined();
});
