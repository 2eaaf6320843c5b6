import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { MAX_REMEMBERED } from '../../src/engine/limits.ts';
import { Authorization } from '../../src/gateway/auth/authorization.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { type Answer, TestExchange } from './exchange.ts';
import {
  fixedPrivateKey,
  type KeyPair,
  newKeyPair,
  type Signed,
  signedHeaders,
} from './signing.ts';

/** Requests that are signed with Ed25519 instead of sending a secret. */

let exchange: TestExchange;
let pair: KeyPair;
let apiKey: string;

beforeEach(async () => {
  exchange = await TestExchange.open();
  pair = newKeyPair();
  apiKey = await register(pair);
});
const { signatures: usualLimit } = MAX_REMEMBERED;
afterEach(() => {
  MAX_REMEMBERED.signatures = usualLimit;
  return exchange.close();
});

/** Registers a public key for Alice. */
async function register({ publicPem }: KeyPair, terms: object = {}): Promise<string> {
  const permissions = ['read', 'trade'];
  const body = JSON.stringify({ permissions, publicKey: publicPem, ...terms });
  const answer = await exchange.send('operator', 'POST', '/api/admin/accounts/alice/keys', body);
  expect(answer.data.apiSecret).toBeNull();
  return answer.data.key.apiKey;
}

type Terms = Partial<Signed> & {
  /** Sent instead of what was signed. */
  sent?: { method?: string; target?: string; body?: string; headers?: Record<string, string> };
};

const BALANCES = '/api/portfolio/balances';
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

function send(method: string, target: string, body?: string, terms: Terms = {}): Promise<Answer> {
  const { sent = {}, ...rest } = terms;
  const headers = signedHeaders({
    apiKey,
    privateKey: pair.privateKey,
    method,
    target,
    timestamp: exchange.now,
    ...(body === undefined ? {} : { body }),
    ...rest,
  });
  return exchange.send(undefined, sent.method ?? method, sent.target ?? target, sent.body ?? body, {
    ...headers,
    ...sent.headers,
  });
}

const read = (terms?: Terms) => send('GET', BALANCES, undefined, terms);
const place = (order: object = ORDER, terms?: Terms) =>
  send('POST', '/api/orders', JSON.stringify(order), terms);

async function openOrders(): Promise<{ orderId: string }[]> {
  return (await exchange.send('alice', 'GET', '/api/orders?status=open')).data.orders;
}

describe('a signed request', () => {
  test.each([
    ['GET', BALANCES, undefined],
    ['HEAD', BALANCES, undefined],
    ['GET', '/api/orders?limit=5&status=open', undefined],
    ['POST', '/api/orders', JSON.stringify(ORDER)],
    ['POST', '/api/orders', `\n ${JSON.stringify(ORDER, null, 2)}\n`],
    ['DELETE', '/api/orders?all=true', undefined],
  ])('%s %s is accepted, like one with a secret', async (method, target, body) => {
    expect((await send(method, target, body)).status).toBe(200);
  });

  test('acts for its account, with the permissions of its key', async () => {
    const { orderId } = (await place()).data;
    expect((await openOrders()).map((order) => order.orderId)).toEqual([orderId]);
    apiKey = await register(pair, { permissions: ['read'] });
    const answer = await place();
    expect([answer.status, answer.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
    apiKey = await register(pair, { addresses: ['192.0.2.7'] });
    expect((await read()).code).toBe('IP_NOT_ALLOWED');
    const page = await read({ sent: { headers: { Origin: 'https://evil.example' } } });
    expect(page.code).toBe('IP_NOT_ALLOWED');
  });

  test('from a web page is rejected', async () => {
    const page = await read({ sent: { headers: { Origin: 'https://evil.example' } } });
    expect(page.code).toBe('BROWSER_NOT_ALLOWED');
  });

  test('with a body of binary data is checked over its bytes', async () => {
    const body = `{"symbol":"BTC/USDT","side":"é\u{1f600}"}`;
    expect((await send('POST', '/api/orders', body)).code).toBe('INVALID_SIDE');
    const changed = await send('POST', '/api/orders', body, {
      sent: { body: body.normalize('NFD') },
    });
    expect(changed.code).toBe('UNAUTHORIZED');
  });

  test('without a body signs an empty one', async () => {
    expect((await send('DELETE', '/api/orders?all=true', undefined, { body: '' })).status).toBe(
      200,
    );
    const body = '{}';
    expect((await send('GET', BALANCES, undefined, { body })).code).toBe('UNAUTHORIZED');
  });

  test('keeps the rate limit of its account', async () => {
    await exchange.close();
    exchange = await TestExchange.open({ rateLimits: 'spec' });
    apiKey = await register(pair);
    const limit = Number((await read()).headers.get('X-RateLimit-Limit'));
    for (let count = 1; count < limit; count++) expect((await read()).status).toBe(200);
    const over = await read();
    expect([over.status, over.headers.get('X-RateLimit-Limit')]).toEqual([429, `${limit}`]);
    // Not even checked, which would cost more than serving it.
    expect((await read({ privateKey: newKeyPair().privateKey })).status).toBe(429);
    exchange.peer = '203.0.113.9';
    expect((await read({ privateKey: newKeyPair().privateKey })).status).toBe(401);
    exchange.now += 60_000;
    expect((await read()).status).toBe(200);
  });
});

describe('401 has the same body as for a wrong secret, byte for byte', () => {
  const other = () => newKeyPair().privateKey;
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

  test('for every kind of wrong signature', async () => {
    const now = exchange.now;
    const good = signedHeaders({
      ...{ apiKey, privateKey: pair.privateKey, method: 'GET', target: BALANCES, timestamp: now },
    });
    const signed = good['X-API-Signature']!;
    const expired = await register(pair, { expiresAt: now + 1 });
    const revoked = await register(pair);
    await exchange.send('operator', 'DELETE', `/api/admin/accounts/alice/keys/${revoked}`);
    const secretKey = exchange.headers('alice').Authorization!.slice('Bearer '.length);
    exchange.now += 1;
    const zeros = Buffer.alloc(64).toString('base64');
    const attempts: Record<string, () => Promise<Answer>> = {
      'a wrong secret': () =>
        exchange.send(undefined, 'GET', BALANCES, undefined, {
          ...exchange.headers('alice'),
          'X-API-Secret': 'x',
        }),
      'an unknown key': () => read({ apiKey: `bwk_${randomBytes(16).toString('hex')}` }),
      'no key': () => read({ sent: { headers: { Authorization: '' } } }),
      'another scheme': () => read({ sent: { headers: { Authorization: `Basic ${apiKey}` } } }),
      'another private key': () => read({ privateKey: other() }),
      'a well-known private key': () => read({ privateKey: fixedPrivateKey(0) }),
      'a key with a secret': () => read({ apiKey: secretKey }),
      'an expired key': () => read({ apiKey: expired }),
      'a revoked key': () => read({ apiKey: revoked }),
      zeros: () => read({ sent: { headers: { 'X-API-Signature': zeros } } }),
      'another method': () =>
        send('GET', '/api/orders?all=true', undefined, { sent: { method: 'DELETE' } }),
      'HEAD for GET': () => read({ sent: { method: 'HEAD' } }).then(() => read({ method: 'HEAD' })),
      'another path': () => read({ target: '/api/orders' }),
      'a query more': () => read({ sent: { target: `${BALANCES}?x=1` } }),
      'an empty query': () => read({ sent: { target: `${BALANCES}?` } }),
      'a query in another order': () =>
        send('GET', '/api/orders?limit=5&status=open', undefined, {
          sent: { target: '/api/orders?status=open&limit=5' },
        }),
      'a parameter twice': () =>
        send('GET', '/api/orders?limit=5', undefined, {
          sent: { target: '/api/orders?limit=5&limit=5' },
        }),
      'another encoding of the query': () =>
        send('GET', '/api/orders?symbol=BTC/USDT', undefined, {
          sent: { target: '/api/orders?symbol=BTC%2FUSDT' },
        }),
      'a repeated slash': () => read({ sent: { target: `/${BALANCES}` } }),
      'another timestamp': () =>
        read({ sent: { headers: { 'X-API-Timestamp': `${exchange.now + 1}` } } }),
      'another window': () => read({ sent: { headers: { 'X-API-Recv-Window': '6000' } } }),
      'a longer window': () =>
        read({ recvWindow: 4000, sent: { headers: { 'X-API-Recv-Window': '60000' } } }),
      'another body': () =>
        place(ORDER, { sent: { body: JSON.stringify({ ...ORDER, amount: 0.02 }) } }),
      'a space more in the body': () =>
        place(ORDER, { sent: { body: `${JSON.stringify(ORDER)} ` } }),
      'the key of another signer': async () => read({ apiKey: await register(newKeyPair()) }),
    };
    for (const at of [0, 1, 43, 44, 60, 84]) {
      attempts[`a bit of character ${at}`] = () =>
        read({ timestamp: now, sent: { headers: { 'X-API-Signature': flip(signed, at) } } });
    }
    const bodies = new Set<string>();
    for (const [what, attempt] of Object.entries(attempts)) {
      const answer = await attempt();
      expect(`${what}: ${answer.status} ${answer.code}`).toBe(`${what}: 401 UNAUTHORIZED`);
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
    expect(await openOrders()).toEqual([]);
  });

  test('for a signature with any single bit changed, and for a text with one', async () => {
    const body = JSON.stringify(ORDER);
    const signed = signedHeaders({
      ...{ apiKey, privateKey: pair.privateKey, method: 'POST', target: '/api/orders', body },
      timestamp: exchange.now,
    });
    const bytes = Buffer.from(signed['X-API-Signature']!, 'base64');
    const wrong = await read({ privateKey: other() });
    const flipBit = (of: Uint8Array, bit: number) =>
      of.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const headers = { 'X-API-Signature': Buffer.from(flipBit(bytes, bit)).toString('base64') };
      const answer = await exchange.send(undefined, 'POST', '/api/orders', body, {
        ...signed,
        ...headers,
      });
      expect([bit, answer.status, answer.text]).toEqual([bit, 401, wrong.text]);
    }
    for (let bit = 0; bit < body.length * 8; bit += 7) {
      const changed = flipBit(Buffer.from(body), bit);
      const answer = await exchange.send(undefined, 'POST', '/api/orders', changed, signed);
      expect([bit, answer.status, answer.text]).toEqual([bit, 401, wrong.text]);
    }
    expect(await openOrders()).toEqual([]);
    expect((await exchange.send(undefined, 'POST', '/api/orders', body, signed)).status).toBe(200);
  });

  test('a signature is valid for one key only, even if two have the same public key', async () => {
    const twin = await register(pair);
    const headers = signedHeaders({
      ...{ apiKey, privateKey: pair.privateKey, method: 'GET', target: BALANCES },
      timestamp: exchange.now,
    });
    const as = (key: string) =>
      exchange.send(undefined, 'GET', BALANCES, undefined, {
        ...headers,
        Authorization: `Bearer ${key}`,
      });
    expect((await as(apiKey)).status).toBe(200);
    expect((await as(twin)).status).toBe(401);
  });

  test('a secret in addition to a signature is checked instead of it', async () => {
    const secret = { 'X-API-Secret': exchange.headers('alice')['X-API-Secret']! };
    expect((await read({ sent: { headers: secret } })).status).toBe(401);
  });
});

describe('the window of a request', () => {
  const ahead = 1000;
  const stale = { field: 'X-API-Timestamp', rule: 'recvWindow' };

  test.each([
    [undefined, 0],
    [undefined, -5000],
    [undefined, ahead],
    [1, -1],
    [60_000, -60_000],
    [60_000, ahead],
  ])('receive window %p, clock %p ms off: accepted', async (recvWindow, offset) => {
    const timestamp = exchange.now + offset;
    const terms = { timestamp, ...(recvWindow === undefined ? {} : { recvWindow }) };
    expect((await read(terms)).status).toBe(200);
    expect((await place(ORDER, terms)).status).toBe(200);
  });

  test.each([
    [undefined, -5001],
    [undefined, ahead + 1],
    [1, -2],
    [60_000, -60_001],
    [60_000, -7 * 86_400_000],
    [60_000, ahead + 1],
  ])(
    'receive window %p, clock %p ms off: rejected with the server’s time',
    async (window, offset) => {
      const timestamp = exchange.now + offset;
      const terms = { timestamp, ...(window === undefined ? {} : { recvWindow: window }) };
      const answer = await place(ORDER, terms);
      expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(answer.details).toEqual({ ...stale, serverTime: exchange.now });
      // The same for wrong signatures and unknown keys, which it does not reveal.
      const wrong = await place(ORDER, { ...terms, privateKey: newKeyPair().privateKey });
      const unknown = await place(ORDER, { ...terms, apiKey: 'bwk_unknown' });
      expect([wrong.text, unknown.text]).toEqual([answer.text, answer.text]);
      expect(await openOrders()).toEqual([]);
    },
  );

  test.each([
    ['X-API-Timestamp', ''],
    ['X-API-Timestamp', 'now'],
    ['X-API-Timestamp', '1767614400'],
    ['X-API-Timestamp', '1767614400000, 1767614400000'],
    ['X-API-Timestamp', '+767614400000'],
    ['X-API-Timestamp', '0767614400000'],
    ['X-API-Timestamp', '1767614400000.0'],
    ['X-API-Recv-Window', '0'],
    ['X-API-Recv-Window', '60001'],
    ['X-API-Recv-Window', '-1'],
    ['X-API-Recv-Window', '5e3'],
    ['X-API-Recv-Window', '05000'],
    ['X-API-Recv-Window', '5000, 5000'],
    ['X-API-Recv-Window', ''],
    ['X-API-Signature', ''],
    ['X-API-Signature', 'x'],
    ['X-API-Signature', 'A'.repeat(88)],
    ['X-API-Signature', `${'A'.repeat(86)}==, ${'A'.repeat(86)}==`],
    ['X-API-Signature', `${'-'.repeat(86)}==`],
    ['X-API-Signature', '00'.repeat(64)],
  ])('%s %p is rejected by its form, for any sender', async (field, value) => {
    const terms = { sent: { headers: { [field]: value } } };
    const answer = await read(terms);
    expect([answer.status, answer.code, answer.details.field]).toEqual([
      400,
      'INVALID_REQUEST',
      field,
    ]);
    expect((await read({ ...terms, apiKey: 'bwk_unknown' })).text).toBe(answer.text);
  });

  test('a missing timestamp is named', async () => {
    const { 'X-API-Timestamp': _, ...headers } = signedHeaders({
      ...{ apiKey, privateKey: pair.privateKey, method: 'GET', target: BALANCES, timestamp: 1 },
    });
    const answer = await exchange.send(undefined, 'GET', BALANCES, undefined, headers);
    expect(answer.details).toEqual({ field: 'X-API-Timestamp', rule: 'milliseconds' });
  });
});

describe('a replayed request', () => {
  const once = { field: 'X-API-Signature', rule: 'once' };

  test('that changes something acts once', async () => {
    expect((await place()).status).toBe(200);
    exchange.now += 1000;
    const replay = await place(ORDER, { timestamp: exchange.now - 1000 });
    expect([replay.status, replay.code, replay.details]).toEqual([400, 'INVALID_REQUEST', once]);
    expect(await openOrders()).toHaveLength(1);
    expect((await place()).status).toBe(200);
    expect(await openOrders()).toHaveLength(2);
  });

  test('acts once over all nodes', async () => {
    const { services } = exchange;
    const options = {
      ...({ rateLimits: 'off', trustedProxies: [], isSandbox: true } as const),
      baseUrl: 'http://127.0.0.1:4000',
    };
    const other = new Gateway(services, new Authorization(services, options), { isSandbox: true });
    const [first, second] = [exchange.gateway, other];
    const from = (gateway: Gateway) => {
      Reflect.set(exchange, 'gateway', gateway);
      return place();
    };
    const answers = await Promise.all([from(first), from(second), from(first), from(second)]);
    Reflect.set(exchange, 'gateway', first);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await openOrders()).toHaveLength(1);
  });

  test('that was rejected by the engine cannot succeed later', async () => {
    const order = { ...ORDER, side: 'sell', amount: 900 };
    const timestamp = exchange.now;
    expect((await place(order)).code).toBe('INSUFFICIENT_BALANCE');
    const funds = { account: 'alice', asset: 'BTC', amount: 1000, reference: 'r', reason: 's' };
    await exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(funds));
    expect((await place(order, { timestamp })).details).toEqual(once);
    expect(await openOrders()).toEqual([]);
  });

  test('that cancels, or creates a key, acts once too', async () => {
    const cancel = () => send('DELETE', '/api/orders?all=true', undefined, { timestamp });
    const timestamp = exchange.now;
    expect((await cancel()).status).toBe(200);
    await place();
    expect((await cancel()).details).toEqual(once);
    expect(await openOrders()).toHaveLength(1);
    apiKey = await register(pair, { permissions: ['operate'] });
    const body = JSON.stringify({ permissions: ['read'] });
    const create = () => send('POST', '/api/admin/accounts/bob/keys', body, { timestamp });
    expect((await create()).status).toBe(200);
    expect((await create()).details).toEqual(once);
  });

  test('is rejected beyond the number that the exchange remembers, and nothing is carried out', async () => {
    MAX_REMEMBERED.signatures = 2;
    for (const price of [1000, 2000]) expect((await place({ ...ORDER, price })).status).toBe(200);
    const answer = await place();
    expect([answer.status, answer.details]).toEqual([429, { retryAfter: 60 }]);
    expect(await openOrders()).toHaveLength(2);
    expect((await read()).status).toBe(200);
  });

  test('that only reads is answered again', async () => {
    const timestamp = exchange.now;
    for (const _ of [1, 2, 3]) expect((await read({ timestamp })).status).toBe(200);
    expect(exchange.state.signatures.size).toBe(0);
  });

  test('is rejected after its window by the time of the log, whatever clock the node has', async () => {
    expect((await place()).status).toBe(200);
    const timestamp = exchange.now;
    const past = exchange.now;
    exchange.now += 60_000;
    expect((await place()).status).toBe(200);
    exchange.now = past;
    const answer = await place({ ...ORDER, price: 44000 }, { timestamp });
    expect(answer.details).toEqual({
      field: 'X-API-Timestamp',
      rule: 'recvWindow',
      serverTime: past + 60_000,
    });
    expect(await openOrders()).toHaveLength(2);
  });

  test('that was not authorized can be sent again', async () => {
    const timestamp = exchange.now;
    const order = JSON.stringify(ORDER);
    const freeze = (frozen: boolean) =>
      exchange.send('operator', 'PATCH', '/api/admin/accounts/alice', JSON.stringify({ frozen }));
    await freeze(true);
    expect((await send('DELETE', '/api/orders/1', undefined, { timestamp })).code).toBe(
      'ACCOUNT_FROZEN',
    );
    await freeze(false);
    expect((await send('DELETE', '/api/orders/1', undefined, { timestamp })).code).toBe(
      'ORDER_NOT_FOUND',
    );
    expect((await send('POST', '/api/orders', order, { timestamp })).status).toBe(200);
  });

  test('of a key that is revoked in the meantime does nothing', async () => {
    const release = await exchange.holdLog();
    const revoking = exchange.send(
      'operator',
      'DELETE',
      `/api/admin/accounts/alice/keys/${apiKey}`,
    );
    const placing = place();
    await Bun.sleep(5);
    release();
    expect((await revoking).status).toBe(200);
    expect((await placing).code).toBe('UNAUTHORIZED');
    expect(await openOrders()).toEqual([]);
  });
});

describe('a flood of wrong signatures', () => {
  let wrong: KeyPair;
  beforeEach(async () => {
    await exchange.close();
    exchange = await TestExchange.open({ rateLimits: 'spec' });
    apiKey = await register(pair);
    wrong = newKeyPair();
  });

  /** Sends wrong signatures until none is checked any more. @returns The number of 401s */
  async function flood(terms: Terms = {}): Promise<number> {
    for (let count = 0; count < 1000; count++) {
      const { status } = await read({ privateKey: wrong.privateKey, ...terms });
      if (status === 429) return count;
      expect(status).toBe(401);
    }
    return 1000;
  }

  test('gets as many checks as its address has wrong credentials, for any key', async () => {
    exchange.peer = '203.0.113.66';
    const checked = await flood();
    expect(checked).toBeLessThanOrEqual(120);
    exchange.peer = '203.0.113.67';
    expect(await flood({ apiKey: 'bwk_unknown' })).toBe(checked);
    // A right signature from there is not checked either.
    expect((await read()).status).toBe(429);
    exchange.peer = '203.0.113.68';
    expect((await read()).status).toBe(200);
  });

  test('does not lock out a key at the address that it was used from', async () => {
    expect((await read()).status).toBe(200);
    await flood({ apiKey: 'bwk_unknown' });
    expect((await read()).status).toBe(200);
  });

  test('by the name of a key from its own address is not checked permanently', async () => {
    expect((await read()).status).toBe(200);
    const checked = await flood();
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(121);
    expect((await read()).status).toBe(429);
    exchange.now += 60_000;
    expect((await read()).status).toBe(200);
  });
});

describe('registering a public key', () => {
  const create = (publicKey: unknown) =>
    exchange.send(
      'operator',
      'POST',
      '/api/admin/accounts/alice/keys',
      JSON.stringify({ permissions: ['read'], publicKey }),
    );

  test('accepts PEM and base64, and shows it in base64', async () => {
    const { publicPem, publicBase64 } = pair;
    // A line of text is what an input of a page makes of PEM.
    const forms = [publicPem, publicBase64, `  ${publicPem.replaceAll('\n', '\r\n')}`];
    forms.push(publicPem.replaceAll('\n', ''));
    for (const form of forms) {
      expect((await create(form)).data.key.publicKey).toBe(publicBase64);
    }
    const listed = await exchange.send('operator', 'GET', '/api/admin/accounts/alice/keys');
    const shown = listed.data.keys.map((key: { publicKey: string | null }) => key.publicKey);
    expect(shown.slice(0, 5)).toEqual(Array(5).fill(publicBase64));
    expect(shown.slice(5)).toEqual(shown.slice(5).map(() => null));
  });

  const hex = (text: string) => Buffer.from(text, 'hex').toString('base64');
  test.each([
    ['nothing', '', 'ed25519'],
    ['no base64', 'not a key!', 'ed25519'],
    ['31 bytes', Buffer.alloc(31, 9).toString('base64'), 'ed25519'],
    ['33 bytes', Buffer.alloc(33, 9).toString('base64'), 'ed25519'],
    ['an X25519 key', hex(`302a300506032b656e032100${'09'.repeat(32)}`), 'ed25519'],
    ['the neutral point', hex(`01${'00'.repeat(31)}`), 'point'],
    ['a point of order 2', hex(`ec${'ff'.repeat(30)}7f`), 'point'],
    ['a point of order 4', hex('00'.repeat(32)), 'point'],
    ['the other point of order 4', hex(`${'00'.repeat(31)}80`), 'point'],
    [
      'a point of order 8',
      hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
      'point',
    ],
    [
      'another point of order 8',
      hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'),
      'point',
    ],
    ['no point', hex(`02${'00'.repeat(31)}`), 'point'],
    ['a point in another form', hex(`ee${'ff'.repeat(30)}7f`), 'point'],
    ['all bits', hex('ff'.repeat(32)), 'point'],
  ])('rejects %s', async (_, publicKey, rule) => {
    const answer = await create(publicKey);
    expect([answer.code, answer.details]).toEqual([
      'INVALID_REQUEST',
      { field: 'publicKey', rule },
    ]);
  });

  test('rejects a private key without repeating it', async () => {
    const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    const answer = await create(pem);
    expect(answer.details).toEqual({ field: 'publicKey', rule: 'public' });
    expect(answer.text).not.toContain(pem.split('\n')[1]!);
  });

  test('rejects other types and too much text', async () => {
    const { message, details } = (await create(7)).json.error;
    expect([message, details.field]).toEqual([
      'publicKey must be of the type string.',
      'publicKey',
    ]);
    expect((await create('A'.repeat(513))).details.field).toBe('publicKey');
  });

  test('accepts every key that OpenSSL makes', async () => {
    for (let byte = 0; byte < 40; byte++) {
      const { publicBase64 } = newKeyPair();
      expect((await create(publicBase64)).status).toBe(200);
    }
  });

  test('is not possible in engine version 1', async () => {
    await exchange.close();
    exchange = await TestExchange.open({ version: 1 });
    const answer = await create(pair.publicPem);
    expect(answer.details).toEqual({ field: 'publicKey', rule: 'engineVersion' });
  });
});

test('nothing of a signature is kept but a hash', async () => {
  await place();
  const [used] = exchange.state.signatures.all();
  const text = ['buttonwood-v1', 'POST', '/api/orders', apiKey, exchange.now, 5000, ''].join('\n');
  const hash = createHash('sha256').update(text + JSON.stringify(ORDER));
  expect(used!.hash).toBe(hash.digest('hex').slice(0, 32));
});
