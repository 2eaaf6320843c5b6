import { afterEach, beforeEach, expect, test } from 'bun:test';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { Browser } from './browser.ts';
import { DOCUMENT } from './described.ts';
import { type Answer, TestExchange } from './exchange.ts';
import { newKeyPair, signedHeaders } from './signing.ts';

/** GET /api/account/keys/current: a key reads its own permissions and limits. */

const PATH = '/api/account/keys/current';

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
});
afterEach(() => exchange.close());

interface Limit {
  readonly method: string;
  readonly path: string;
  readonly limit: number | null;
}

/** Returns the limit in the headers of an endpoint's response. */
async function reportedLimit(name: string, { method, path }: Limit): Promise<number> {
  const body = method === 'POST' || method === 'PATCH' ? '{}' : undefined;
  const { headers } = await exchange.send(name, method, path.replace(/{\w+}/g, '1'), body);
  return Number(headers.get('X-RateLimit-Limit'));
}

test('a key with any permission, an allow list and an expiry reads them', async () => {
  for (const permission of ['read', 'trade', 'operate'] as const) {
    const terms = { addresses: ['127.0.0.0/8', '::/0'], expiresAt: exchange.now + 3_600_000 };
    const { apiKey } = await exchange.addKey(permission, 'alice', [permission], terms);
    const { status, data } = await exchange.send(permission, 'GET', PATH);
    expect(status).toBe(200);
    expect(data).toMatchObject({ accountId: 'alice', limitClass: 1 });
    expect(data.key).toMatchObject({
      id: apiKey,
      label: permission,
      permissions: [permission],
      addresses: terms.addresses,
      expiresAt: new Date(terms.expiresAt).toISOString(),
      publicKey: null,
      status: 'active',
    });
  }
});

test('a key with a public key reads it', async () => {
  const { privateKey, publicPem, publicBase64 } = newKeyPair();
  const body = JSON.stringify({ permissions: ['trade'], publicKey: publicPem });
  const made = await exchange.send('operator', 'POST', '/api/admin/accounts/alice/keys', body);
  const { apiKey } = made.data.key;
  const signed = { apiKey, privateKey, method: 'GET', target: PATH, timestamp: exchange.now };
  const answer = await exchange.send(undefined, 'GET', PATH, undefined, signedHeaders(signed));
  expect(answer.data.key).toMatchObject({ id: apiKey, publicKey: publicBase64 });
});

test('the limits are those that responses report, on every endpoint that the key may call', async () => {
  const change = (body: object) =>
    exchange.send('operator', 'PATCH', '/api/admin/accounts/alice', JSON.stringify(body));
  expect((await change({ limitClass: 3 })).status).toBe(200);
  for (const [name, permissions] of [
    ['alice', ['read', 'trade']],
    ['reader', ['read']],
  ] as const) {
    const { data } = await exchange.send(name, 'GET', PATH);
    expect(data.limitClass).toBe(3);
    const limits: Limit[] = data.limits;
    for (const limit of limits) expect(await reportedLimit(name, limit)).toBe(limit.limit!);
    const listed = limits.map(({ method, path }) => `${method} ${path}`);
    const allowed = ENDPOINTS.filter(({ access }) =>
      [...permissions, ...(name === 'alice' ? ['place'] : []), 'key'].includes(access as 'read'),
    );
    const described = allowed.map(({ method, handle: { description } }) => {
      const { operationId } = description;
      const [path] = Object.entries<Record<string, { operationId: string }>>(DOCUMENT.paths).find(
        ([, operations]) => operations[method.toLowerCase()]?.operationId === operationId,
      )!;
      return `${method} ${path}`;
    });
    expect(listed).toEqual(described);
    expect(listed).toContain('GET /api/orders/{id}');
  }
});

test('limits that are off are null', async () => {
  const unlimited = await TestExchange.open();
  const { data } = await unlimited.send('alice', 'GET', PATH);
  expect(new Set(data.limits.map(({ limit }: Limit) => limit))).toEqual(new Set([null]));
  await unlimited.close();
});

test('a session has no key, and ended keys are unauthorized', async () => {
  const browser = await Browser.signedUp(exchange, 'current@example.com');
  const answer: Answer = await browser.send('GET', PATH);
  expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND']);
  expect((await exchange.send(undefined, 'GET', PATH)).status).toBe(401);
  const { apiKey } = await exchange.addKey('ended', 'alice', ['read']);
  const path = `/api/admin/accounts/alice/keys/${apiKey}`;
  expect((await exchange.send('operator', 'DELETE', path)).status).toBe(200);
  expect((await exchange.send('ended', 'GET', PATH)).status).toBe(401);
});
