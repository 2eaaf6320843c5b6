import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestExchange } from './exchange.ts';

/** Tests BROWSER_NOT_ALLOWED: keys are for servers only. TestExchange checks that no answer has CORS headers. */

let sandbox: TestExchange;
let real: TestExchange;
beforeAll(async () => {
  sandbox = await TestExchange.open();
  real = await TestExchange.open({ isSandbox: false });
});
afterAll(async () => {
  await sandbox.close();
  await real.close();
});

const rejectionCode = async (exchange: TestExchange, origin: string, host?: string) => {
  const headers = { Origin: origin, ...(host === undefined ? {} : { Host: host }) };
  const answer = await exchange.send('alice', 'GET', '/api/orders', undefined, headers);
  return answer.code ?? 'let through';
};

test.each([
  'null',
  'https://evil.example',
  'http://evil.example:8080',
  'HTTPS://EVIL.EXAMPLE',
  'http://127.0.0.1',
  'http://127.0.0.1:3001',
  'https://127.0.0.1:3000',
  'http://127.0.0.1:3000.evil.example',
  'http://localhost:3000',
])('a page at %s may not use a key, anywhere', async (origin) => {
  expect(await rejectionCode(sandbox, origin)).toBe('BROWSER_NOT_ALLOWED');
  expect(await rejectionCode(real, origin)).toBe('BROWSER_NOT_ALLOWED');
});

test('the sandbox’s own page may use a key, for /docs; that of a real exchange may not', async () => {
  expect(await rejectionCode(sandbox, 'http://127.0.0.1:3000')).toBe('let through');
  expect(await rejectionCode(sandbox, 'http://localhost:3000', 'localhost:3000')).toBe(
    'let through',
  );
  expect(await rejectionCode(real, 'http://127.0.0.1:3000')).toBe('BROWSER_NOT_ALLOWED');
  expect(await rejectionCode(real, 'http://localhost:3000', 'localhost:3000')).toBe(
    'BROWSER_NOT_ALLOWED',
  );
});

test('clients that are not web pages are accepted', async () => {
  for (const origin of ['app://bot', 'server'])
    expect(await rejectionCode(real, origin)).toBe('let through');
});

describe('a browser gets no permission to use the API', () => {
  test('a preflight gets no CORS headers', async () => {
    const headers = {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,x-api-secret',
    };
    const answer = await real.send(undefined, 'OPTIONS', '/api/orders', undefined, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.has('Access-Control-Allow-Origin')).toBe(false);
  });

  test('wrong credentials are reported first; public endpoints ignore them', async () => {
    const headers = { Origin: 'https://evil.example' };
    expect((await real.send(undefined, 'GET', '/api/orders', undefined, headers)).status).toBe(401);
    expect((await real.send(undefined, 'GET', '/api/markets', undefined, headers)).status).toBe(
      200,
    );
  });
});
