import { afterAll, expect, spyOn, test } from 'bun:test';
import { ApiRequestError, UnreachableError } from './errors.ts';
import { exactNumber } from './exact-number.ts';
import { createCodec } from './numbers.ts';
import { RestClient } from './rest-client.ts';

/** The last request. */
let seen: { method: string; url: string; headers: Headers; body: string };

/** The path selects the response. */
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { method, url, headers } = request;
    seen = { method, url, headers, body: await request.text() };
    switch (new URL(url).pathname) {
      case '/base/api/echo':
        return Response.json({ success: true, data: { sum: 0 } });
      case '/base/api/exact':
        return new Response('{"success":true,"data":{"amount":123456789012.12345678}}');
      case '/base/api/rejected':
        return new Response(
          '{"success":false,"error":{"code":"INSUFFICIENT_BALANCE","message":"Too little.","details":{"required":0.10}}}',
          { status: 400, headers: { 'X-Request-Id': 'r-1' } },
        );
      case '/base/api/limited':
        return new Response(
          '{"success":false,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Slower.","details":{}}}',
          {
            status: 429,
            headers: {
              'Retry-After': '17',
              'X-RateLimit-Limit': '30',
              'X-RateLimit-Remaining': '0',
              'X-RateLimit-Reset': '1790000060',
            },
          },
        );
      case '/base/api/elsewhere':
        return Response.redirect('/base/api/echo');
      case '/base/api/page':
        return new Response('<html>', { status: 404 });
      case '/base/api/array':
        return new Response('[1]');
      default:
        return new Promise(() => {});
    }
  },
});
afterAll(() => server.stop(true));

const url = `${server.url}base`;
const json = createCodec(true, exactNumber);
const client = new RestClient({ json, baseUrl: `${url}//`, apiKey: 'key', apiSecret: 'secret' });

/** Returns the error of a failed request. */
async function failure(path: string, from = client): Promise<unknown> {
  return from.request('GET', path).catch((error: unknown) => error);
}

test('reports the rate limit of the endpoint, also of a rejected request', async () => {
  const reports: unknown[] = [];
  const reported = new RestClient({
    json,
    baseUrl: url,
    onRateLimit: (...report) => reports.push(report),
  });
  await reported.request('GET', '/api/echo');
  expect(reports).toEqual([]);
  await reported.request('GET', '/api/limited', { template: '/api/{id}' }).catch(() => {});
  const state = { limit: 30, remaining: 0, resetMs: 1_790_000_060_000 };
  expect(reports).toEqual([['GET /api/{id}', state]]);
});

test('names the chosen account, as it is at each request', async () => {
  let account: string | undefined = 'sub_1';
  const options = { json, baseUrl: url, timeoutMs: 1000 };
  const dynamic = new RestClient({ ...options, account: () => account });
  await dynamic.request('GET', '/api/echo');
  expect(seen.headers.get('x-account')).toBe('sub_1');
  account = undefined;
  await dynamic.request('GET', '/api/echo');
  expect(seen.headers.get('x-account')).toBeNull();
  await new RestClient({ ...options, account: 'alice' }).request('GET', '/api/echo');
  expect(seen.headers.get('x-account')).toBe('alice');
  expect(() => new RestClient({ ...options, account: 'a b' })).toThrow(RangeError);
});

test('sends credentials, query and a body with exact numbers', async () => {
  await client.request('POST', '/api/echo', {
    query: { symbol: 'BTC/USDT' },
    body: { amount: exactNumber('0.10'), side: 'buy', label: undefined },
  });
  expect(seen.method).toBe('POST');
  expect(seen.url).toBe(`${url}/api/echo?symbol=BTC%2FUSDT`);
  expect(seen.body).toBe('{"amount":0.10,"side":"buy"}');
  expect(seen.headers.get('authorization')).toBe('Bearer key');
  expect(seen.headers.get('x-api-secret')).toBe('secret');
  expect(seen.headers.get('content-type')).toBe('application/json');
});

test('sends no credentials and no body unless given', async () => {
  await new RestClient({ json, baseUrl: url }).request('GET', '/api/echo');
  expect(seen.headers.has('authorization')).toBe(false);
  expect(seen.headers.has('x-api-secret')).toBe(false);
  expect(seen.headers.has('content-type')).toBe(false);
  expect(seen.body).toBe('');
});

test('returns the data with exact digits', async () => {
  const data = await client.request('GET', '/api/exact');
  expect(JSON.stringify(data)).toBe('{"amount":123456789012.12345678}');
});

test('an error response is an ApiRequestError with all its fields', async () => {
  const error = await failure('/api/rejected');
  expect(error).toBeInstanceOf(ApiRequestError);
  expect(error).toMatchObject({
    status: 400,
    code: 'INSUFFICIENT_BALANCE',
    message: 'Too little.',
    requestId: 'r-1',
    retryAfterSeconds: undefined,
  });
  expect(JSON.stringify((error as ApiRequestError).details)).toBe('{"required":0.10}');
});

test('reports Retry-After', async () => {
  expect(await failure('/api/limited')).toMatchObject({ status: 429, retryAfterSeconds: 17 });
});

test.each(['/api/page', '/api/array'])(
  'rejects %s, which is not a response of an exchange',
  async (path) => {
    const error = await failure(path);
    expect(error).toBeInstanceOf(UnreachableError);
    expect((error as Error).message).toContain('not a Buttonwood exchange');
  },
);

test('does not follow redirects, which would leak the secret', async () => {
  const error = await failure('/api/elsewhere');
  expect(error).toBeInstanceOf(UnreachableError);
  expect(seen.url).toEndWith('/api/elsewhere');
});

test('times out', async () => {
  const error = await failure('/api/silent', new RestClient({ json, baseUrl: url, timeoutMs: 50 }));
  expect(error).toBeInstanceOf(UnreachableError);
  expect((error as Error).message).toContain('no response within 0.05 s');
});

test('times out even if fetch ignores its signal', async () => {
  const stuck = spyOn(globalThis, 'fetch').mockReturnValue(new Promise<Response>(() => {}));
  const error = await failure('/api/echo', new RestClient({ json, baseUrl: url, timeoutMs: 50 }));
  stuck.mockRestore();
  expect(error).toBeInstanceOf(UnreachableError);
  expect((error as Error).message).toContain('no response within 0.05 s');
});

test('reports a refused connection', async () => {
  const unused = Bun.serve({ port: 0, fetch: () => new Response() });
  const baseUrl = unused.url.origin;
  await unused.stop(true);
  const error = await failure('/api/echo', new RestClient({ json, baseUrl }));
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ url: baseUrl });
  expect((error as Error).message).toStartWith(`no response from ${baseUrl}: `);
});

test('reports the innermost cause of a failure', async () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const cause = new AggregateError([refused]);
  const failed = spyOn(globalThis, 'fetch').mockRejectedValue(
    new TypeError('fetch failed', { cause }),
  );
  const error = await failure('/api/echo');
  failed.mockRestore();
  expect((error as Error).message).toBe(`no response from ${url}: ECONNREFUSED`);
});

test.each(['', 'bws_ab\ncd', 'bws_abcd\n', 'bws_ab cd', 'bws_äbcd'])(
  'rejects the secret %j without showing it',
  (apiSecret) => {
    for (const name of ['apiKey', 'apiSecret'] as const) {
      let message = '';
      try {
        new RestClient({ json, baseUrl: url, [name]: apiSecret });
      } catch (error) {
        message = String(error);
      }
      expect(message).toStartWith(`RangeError: ${name} `);
      expect(message).not.toContain('bws');
    }
  },
);

test('the caller can abort a request before and after it is sent', async () => {
  const reason = new Error('changed my mind');
  const aborted = AbortSignal.abort(reason);
  const early = client.request('GET', '/api/echo', { signal: aborted });
  expect(await early.catch((error: unknown) => error)).toBe(reason);
  const controller = new AbortController();
  const late = client.request('GET', '/api/silent', { signal: controller.signal });
  controller.abort(reason);
  expect(await late.catch((error: unknown) => error)).toBe(reason);
});

test('uses the given JSON codec', async () => {
  const other = { read: JSON.parse, write: () => '{"written":1}' };
  const plain = new RestClient({ baseUrl: url, json: other });
  await plain.request('POST', '/api/echo', { body: {} });
  expect(seen.body).toBe('{"written":1}');
  expect(await plain.request<unknown>('GET', '/api/echo')).toEqual({ sum: 0 });
});
