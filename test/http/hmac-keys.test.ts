import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac, type KeyObject, sign } from 'node:crypto';
import { MAX_SIGNATURE_LIFETIME_MS } from '../../src/engine/limits.ts';
import type { SignedPayload } from '../../src/gateway/auth/signed-payloads.ts';
import type { VerifiedRequest } from '../../src/gateway/auth/signed-requests.ts';
import { ApiError } from '../../src/gateway/http/response/errors.ts';
import { TestExchange, type TestOptions } from './exchange.ts';
import { signature as nativeSignature, newKeyPair, signedHeaders } from './signing.ts';

/** Keys that sign payloads with HMAC-SHA256, and how dialects authorize such requests. */

let exchange: TestExchange;
let apiKey: string;
let apiSecret: string;

beforeEach(() => open());
afterEach(() => exchange.close());

async function open(options: TestOptions = {}): Promise<void> {
  exchange = await TestExchange.open(options);
  if (options.hmacKeys === false || options.version === 1) return;
  ({ apiKey, apiSecret } = await createKey());
}

async function reopen(options: TestOptions): Promise<void> {
  await exchange.close();
  await open(options);
}

const create = (terms: object) =>
  exchange.send('operator', 'POST', KEYS, JSON.stringify({ permissions: ['read'], ...terms }));
const KEYS = '/api/admin/accounts/alice/keys';
/** The public key of RFC 8032, 7.1, test 1. */
const PUBLIC_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

async function createKey(terms: object = {}): Promise<{ apiKey: string; apiSecret: string }> {
  const answer = await create({ type: 'hmac', permissions: ['read', 'trade'], ...terms });
  expect(answer.status).toBe(200);
  return { apiKey: answer.data.key.apiKey, apiSecret: answer.data.apiSecret };
}

const TEXT = 'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.01&price=45000&recvWindow=5000';

interface Terms extends Partial<Omit<SignedPayload, 'text'>> {
  readonly text?: string;
  /** Signed instead of the text. */
  readonly signedText?: string;
  readonly secret?: string;
  readonly privateKey?: KeyObject;
  readonly access?: 'read' | 'trade';
  readonly origin?: string;
}

function toPayload(terms: Terms): SignedPayload {
  const { timestamp = exchange.now, text = `${TEXT}&timestamp=${timestamp}` } = terms;
  const { signedText = text, secret = apiSecret, privateKey } = terms;
  const signature =
    privateKey === undefined
      ? createHmac('sha256', secret).update(signedText).digest('hex')
      : sign(null, Buffer.from(signedText), privateKey).toString('base64');
  return { apiKey, recvWindow: 5000, signature, ...terms, timestamp, text: Buffer.from(text) };
}

/** Verifies a request of a dialect and authorizes its key. @throws ApiError */
async function authorize(terms: Terms = {}): Promise<VerifiedRequest> {
  const { access = 'trade', origin = null } = terms;
  const from = { address: exchange.peer, origin, host: '127.0.0.1:3000' };
  const request = await exchange.authorization.verifyStreamPayload(toPayload(terms), from);
  const error = exchange.authorization.operations.authorize(request.key, access, from.address);
  if (error !== undefined) throw error;
  return request;
}

/** Returns the code and details of the error, or `ok` for an authorized request. */
function attempt(terms: Terms = {}): Promise<string> {
  return authorize(terms).then(() => 'ok', describeError);
}

function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const { code, details } = error;
  return [code, details?.field, details?.rule].filter((part) => part !== undefined).join(' ');
}

/** Authorizes a request and uses it, as one that acts must be. */
async function act(terms: Terms = {}): Promise<string> {
  try {
    await exchange.authorization.useSignature(await authorize(terms));
    return 'ok';
  } catch (error) {
    return describeError(error);
  }
}

describe('creating an HMAC key', () => {
  test('returns its secret once, and shows its type', async () => {
    expect(apiSecret).toMatch(/^bws_[0-9a-f]{72}$/);
    await create({ publicKey: newKeyPair().publicPem });
    await create({});
    const listed = await exchange.send('operator', 'GET', KEYS);
    const shown = listed.data.keys.map((key: { type: string; publicKey: unknown }) => [
      key.type,
      key.publicKey !== null,
    ]);
    expect(shown.slice(0, 3)).toEqual([
      ['secret', false],
      ['ed25519', true],
      ['hmac', false],
    ]);
    expect(listed.text).not.toContain(apiSecret);
  });

  test('stores nothing from which the secret can be read', async () => {
    const stored = exchange.state.keysByApiKey.get(apiKey)!;
    expect(stored.secretHash).toHaveLength(0);
    expect(Buffer.from(stored.sealedSecret!).includes(apiSecret.slice(4, 12))).toBe(false);
    const audit = await exchange.send('operator', 'GET', '/api/admin/audit?limit=1');
    expect(audit.data.entries[0]).toMatchObject({ action: 'createHmacKey' });
    expect(audit.text).not.toContain(stored.sealedSecret!.toBase64().slice(0, 10));
    expect(audit.text).not.toContain('ealed');
  });

  test.each([
    [{ type: 'hmac', permissions: ['read', 'operate'] }, 'permissions hmac'],
    [{ type: 'hmac', publicKey: PUBLIC_KEY }, 'publicKey type'],
    [{ type: 'secret', publicKey: PUBLIC_KEY }, 'publicKey type'],
    [{ type: 'ed25519' }, 'publicKey type'],
  ])('rejects %j', async (terms, expected) => {
    const { details } = await create(terms);
    expect(`${details.field} ${details.rule}`).toBe(expected);
  });

  test.each(['HMAC', 'rsa', '', 7, {}])('rejects the type %j', async (type) => {
    expect((await create({ type })).details.field).toBe('type');
  });

  test('is refused if the operator has turned them off, and other keys are not', async () => {
    await reopen({ hmacKeys: false });
    const answer = await create({ type: 'hmac' });
    expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.details).toEqual({ field: 'type', rule: 'hmacKeys' });
    expect((await create({ type: 'secret' })).status).toBe(200);
    expect((await create({ publicKey: newKeyPair().publicPem })).status).toBe(200);
  });

  test('is not possible in engine version 1', async () => {
    await reopen({ version: 1 });
    const { details } = await create({ type: 'hmac' });
    expect(details).toEqual({ field: 'type', rule: 'engineVersion' });
  });
});

describe('the native API does not accept an HMAC key', () => {
  const BALANCES = '/api/portfolio/balances';

  test('by its secret', async () => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
    expect((await exchange.send(undefined, 'GET', BALANCES, undefined, headers)).status).toBe(401);
  });

  test('by a signature', async () => {
    const { privateKey } = newKeyPair();
    const timestamp = exchange.now;
    const headers = signedHeaders({
      ...{ apiKey, privateKey, method: 'GET', target: BALANCES, timestamp },
    });
    expect((await exchange.send(undefined, 'GET', BALANCES, undefined, headers)).status).toBe(401);
    const text = ['buttonwood-v1', 'GET', BALANCES, apiKey, timestamp, 5000, ''].join('\n');
    const hmac = createHmac('sha256', apiSecret).update(text);
    headers['X-API-Signature'] = hmac.digest('hex');
    const answer = await exchange.send(undefined, 'GET', BALANCES, undefined, headers);
    expect(answer.details).toEqual({ field: 'X-API-Signature', rule: 'base64' });
  });
});

describe('a signed payload', () => {
  test('is authorized as its key, with hex digits of either case', async () => {
    expect((await authorize()).key).toBe(exchange.state.keysByApiKey.get(apiKey)!);
    const { signature } = toPayload({});
    expect(await attempt({ signature: signature.toUpperCase() })).toBe('ok');
    const mixed = [...signature].map((digit, at) => (at % 2 ? digit : digit.toUpperCase()));
    expect(await attempt({ signature: mixed.join('') })).toBe('ok');
  });

  test('may have an Ed25519 signature of a key with a public key', async () => {
    const { privateKey, publicPem } = newKeyPair();
    const made = await create({ publicKey: publicPem, permissions: ['trade'] });
    const signed = { apiKey: made.data.key.apiKey, privateKey };
    expect(await attempt(signed)).toBe('ok');
    expect(await act(signed)).toBe('ok');
    expect(await act(signed)).toBe('INVALID_REQUEST X-API-Signature once');
    expect(await attempt({ ...signed, text: 'a=1', signedText: 'a=2' })).toBe('UNAUTHORIZED');
    // With HMAC, the public key would be the secret that everyone knows.
    const { publicKey } = made.data.key;
    for (const secret of [publicKey, Buffer.from(publicKey, 'base64').toString('latin1')]) {
      expect(await attempt({ apiKey: signed.apiKey, secret })).toBe('UNAUTHORIZED');
    }
  });

  test('is never a native request with its signature', async () => {
    const { privateKey, publicPem } = newKeyPair();
    const made = await create({ publicKey: publicPem, permissions: ['trade'] });
    const native = { apiKey: made.data.key.apiKey, privateKey, method: 'POST', target: '/x?a=1' };
    const timestamp = exchange.now;
    const head = ['buttonwood-v1', 'POST', '/x?a=1', native.apiKey, timestamp, 5000, ''];
    const signature = nativeSignature({ ...native, timestamp });
    const sent = { apiKey: native.apiKey, text: head.join('\n'), signature };
    expect(await attempt(sent)).toBe('INVALID_REQUEST signature payload');
  });

  const flip = (text: string, bit: number) => {
    const bytes = Buffer.from(text, 'hex');
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    return bytes.toString('hex');
  };

  test('is rejected alike for every kind of wrong signature', async () => {
    const now = exchange.now;
    const expired = await createKey({ expiresAt: now + 1 });
    const revoked = await createKey();
    const other = await createKey();
    await exchange.send('operator', 'DELETE', `${KEYS}/${revoked.apiKey}`);
    const native = exchange.headers('alice');
    exchange.now += 1;
    const good = toPayload({}).signature;
    const attempts: Record<string, Terms> = {
      'no key': { apiKey: '' },
      'an unknown key': { apiKey: `bwk_${'0'.repeat(32)}` },
      'the secret of another key': { secret: other.apiSecret },
      'another key': { apiKey: other.apiKey },
      'no secret': { secret: '' },
      'the API key as its secret': { secret: apiKey },
      'an expired key': { ...expired, secret: expired.apiSecret },
      'a revoked key': { ...revoked, secret: revoked.apiSecret },
      'a key with a secret': {
        apiKey: native.Authorization!.slice('Bearer '.length),
        secret: native['X-API-Secret']!,
      },
      'an Ed25519 signature': { privateKey: newKeyPair().privateKey },
      zeros: { signature: '0'.repeat(64) },
      'another order': { text: 'b=2&a=1', signedText: 'a=1&b=2' },
      'a parameter twice': { text: 'a=1&a=1', signedText: 'a=1' },
      'another encoding': { text: 'a=%2F', signedText: 'a=/' },
      'another encoding of the same character': { text: 'a=%2f', signedText: 'a=%2F' },
      'a plus for a space': { text: 'a=b+c', signedText: 'a=b%20c' },
      'an empty parameter more': { text: 'a=1&b=', signedText: 'a=1' },
      'a separator more': { text: 'a=1&', signedText: 'a=1' },
      'another form of Unicode': { text: 'a=e\u0301', signedText: 'a=\u00e9' },
      'no text': { text: '', signedText: 'a=1' },
    };
    for (const bit of [0, 7, 8, 100, 255]) {
      attempts[`bit ${bit}`] = { signature: flip(good, bit) };
    }
    for (const [what, terms] of Object.entries(attempts)) {
      const error = await authorize(terms).catch((thrown) => thrown);
      expect(`${what}: ${JSON.stringify(error)}`).toBe(
        `${what}: ${JSON.stringify(new ApiError('UNAUTHORIZED'))}`,
      );
    }
    expect(await attempt()).toBe('ok');
  });

  test.each([
    '',
    'x',
    'g'.repeat(64),
    '0'.repeat(63),
    '0'.repeat(65),
    ' '.repeat(64),
    `${'A'.repeat(87)}=`,
  ])('is rejected by its form with the signature %j, for any sender', async (signature) => {
    const expected = 'INVALID_REQUEST signature form';
    expect(await attempt({ signature })).toBe(expected);
    expect(await attempt({ signature, apiKey: 'bwk_unknown' })).toBe(expected);
  });

  test('has the permissions, the addresses and the account of its key', async () => {
    const readOnly = await createKey({ permissions: ['read'] });
    const reading = { ...readOnly, secret: readOnly.apiSecret };
    expect(await attempt({ ...reading, access: 'read' })).toBe('ok');
    expect(await attempt(reading)).toBe('INSUFFICIENT_PERMISSIONS');
    const elsewhere = await createKey({ addresses: ['192.0.2.7'] });
    const listed = { ...elsewhere, secret: elsewhere.apiSecret };
    expect(await attempt(listed)).toBe('IP_NOT_ALLOWED');
    exchange.peer = '192.0.2.7';
    expect(await attempt(listed)).toBe('ok');
    expect(await attempt({ origin: 'https://evil.example' })).toBe('BROWSER_NOT_ALLOWED');
    const frozen = JSON.stringify({ frozen: true });
    await exchange.send('operator', 'PATCH', '/api/admin/accounts/alice', frozen);
    expect(await attempt()).toBe('ACCOUNT_FROZEN');
    expect(await attempt({ access: 'read' })).toBe('ok');
  });

  test('of an HMAC key is rejected while the operator refuses them', async () => {
    Reflect.set(exchange.services, 'sealedSecrets', undefined);
    expect(await attempt()).toBe('UNAUTHORIZED');
  });

  test('with a wrong signature is counted by its address', async () => {
    await reopen({ rateLimits: 'spec' });
    exchange.peer = '203.0.113.66';
    let checked = 0;
    while ((await attempt({ secret: 'x', apiKey: 'y' })) === 'UNAUTHORIZED') checked++;
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(120);
  });
});

describe('the window of a payload', () => {
  const stale = 'INVALID_REQUEST timestamp recvWindow';

  test.each([
    [5000, 0],
    [5000, -5000],
    [5000, 1000],
    [1, -1],
    [60_000, -60_000],
    [1.5, -1.25],
    [5000, 0.5],
  ])('receive window %p, clock %p ms off: accepted', async (recvWindow, offset) => {
    expect(await act({ recvWindow, timestamp: exchange.now + offset })).toBe('ok');
  });

  test.each([
    [5000, -5001],
    [5000, 1001],
    [1, -2],
    [60_000, -60_001],
    [60_000, 1001],
    [5000, Number.NaN],
    [5000, Number.POSITIVE_INFINITY],
    [5000, 0 - Date.UTC(2026, 0, 5, 12)],
  ])('receive window %p, clock %p ms off: rejected for any sender', async (recvWindow, offset) => {
    const terms = { recvWindow, timestamp: exchange.now + offset };
    expect(await attempt(terms)).toBe(stale);
    expect(await attempt({ ...terms, apiKey: 'bwk_unknown', secret: 'x' })).toBe(stale);
  });

  test.each([0, -1, 60_001, Number.NaN])('a receive window of %p is rejected', async (window) => {
    const expected = 'INVALID_REQUEST recvWindow milliseconds';
    expect(await attempt({ recvWindow: window })).toBe(expected);
  });

  test('is checked again in the order of the log: a request that arrived late does not act', async () => {
    const request = await authorize();
    exchange.now += 5001;
    const using = exchange.authorization.useSignature(request);
    expect(await using.catch(describeError)).toBe('INVALID_REQUEST X-API-Timestamp recvWindow');
  });
});

describe('a replayed payload', () => {
  test('acts once in its window, with either case of its signature', async () => {
    const timestamp = exchange.now;
    const { signature } = toPayload({ timestamp });
    expect(await act({ timestamp })).toBe('ok');
    const once = 'INVALID_REQUEST X-API-Signature once';
    expect(await act({ timestamp })).toBe(once);
    expect(await act({ timestamp, signature: signature.toUpperCase() })).toBe(once);
    exchange.now += 5000;
    expect(await act({ timestamp })).toBe(once);
    exchange.now += 1;
    expect(await act({ timestamp })).toBe('INVALID_REQUEST timestamp recvWindow');
    exchange.now += MAX_SIGNATURE_LIFETIME_MS;
    expect(await act()).toBe('ok');
  });

  test('of several at once acts once', async () => {
    const all = await Promise.all([act(), act(), act(), act()]);
    expect(all.filter((answer) => answer === 'ok')).toHaveLength(1);
  });

  test('of a key that was revoked in between does not act', async () => {
    const request = await authorize();
    await exchange.send('operator', 'DELETE', `${KEYS}/${apiKey}`);
    const using = exchange.authorization.useSignature(request);
    expect(await using.catch(describeError)).toBe('UNAUTHORIZED');
  });

  test('that reads may be repeated', async () => {
    expect([await attempt({ access: 'read' }), await attempt({ access: 'read' })]).toEqual([
      'ok',
      'ok',
    ]);
  });
});
