import type { KeyObject } from 'node:crypto';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import { type Credentials, generateCredentials } from '../../src/users/credentials/api-keys.ts';
import { fixedPrivateKey, signedHeaders } from '../http/signing.ts';

/** Wrong credentials of every kind, and the expected answer to each. */

/** Current and former credentials. Only the honest client uses `honest`. */
export interface Known {
  readonly honest: Credentials;
  readonly other: Credentials;
  /** A key with only the read permission. */
  readonly reader: Credentials;
  /** A key limited to an address that is not used here. */
  readonly listed: Credentials;
  readonly revoked: Credentials;
  readonly expired: Credentials;
  /** Secret of an ended session. */
  readonly endedSession: string;
  /** Cookie of a known browser, which is not a session. */
  readonly device: string;
  /** Public id of a session, which is not its secret. */
  readonly sessionId: string;
  /** A key that signs, and the time of the exchange. */
  readonly signing: {
    readonly apiKey: string;
    readonly privateKey: KeyObject;
    readonly now: () => number;
  };
}

export interface Attempt {
  /** Description of the fault. */
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Expected status and code. */
  readonly answer: readonly [number, string];
}

const UNAUTHORIZED = [401, 'UNAUTHORIZED'] as const;
const ORDER = '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":45000}';
const READS = ['/api/portfolio/balances', '/api/orders', '/api/fills', '/api/ledger', '/api/fees'];
/** Method, path and body of requests that need credentials. */
const TARGETS: readonly (readonly [string, string, string?])[] = [
  ...READS.map((path) => ['GET', path] as const),
  ['GET', '/api/orders/1'],
  ['POST', '/api/orders', ORDER],
  ['POST', '/api/orders/batch', `{"orders":[${ORDER}]}`],
  ['PATCH', '/api/orders/1', '{"amount":1}'],
  ['DELETE', '/api/orders/1'],
  ['DELETE', '/api/orders?all=true'],
  ['GET', '/api/admin/state'],
  ['POST', '/api/admin/transfers', '{}'],
  ['GET', '/api/account'],
  ['GET', '/api/account/keys'],
  ['POST', '/api/account/keys', '{}'],
  ['DELETE', '/api/account/sessions'],
];

type Draft = Pick<Attempt, 'headers'> &
  Partial<Pick<Attempt, 'answer'>> & { target?: readonly [string, string, string?] };
type Make = (known: Known, random: Random) => Draft;

const by = (apiKey: string, apiSecret: string, scheme = 'Bearer ') => ({
  headers: { Authorization: scheme + apiKey, 'X-API-Secret': apiSecret },
});
const cookie = (secret: string, name = '__Host-buttonwood') => ({
  headers: { Cookie: `${name}=${secret}`, Origin: 'http://127.0.0.1:3000' },
});
const fresh = (random: Random) =>
  generateCredentials((size) => Uint8Array.from({ length: size }, () => below(256, random)));
const base64url = (random: Random) =>
  Buffer.from(Array.from({ length: 32 }, () => below(256, random))).toString('base64url');
const encode = (text: string) => Buffer.from(text);

function mistype(text: string, random: Random): string {
  const at = below(text.length, random);
  const other = '0123456789abcdef'[below(16, random)]!;
  return text[at] === other
    ? mistype(text, random)
    : text.slice(0, at) + other + text.slice(at + 1);
}

function cut(text: string, random: Random): string {
  return text.slice(0, below(text.length, random));
}

/** Usual distortions of a text by users and programs. */
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => encode(text).toString('base64'),
  (text) => encode(text).toString('hex'),
  (text) => [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join(''),
  (text) => `"${text}"`,
  (text) => `<${text}>`,
  (text) => `${text}\u00a0`,
  (text) => `${text},${text}`,
  (text) => `${text}; ${text}`,
  (text) => `${text}\u00ff`,
  (text) => text.replace('_', '\u00ad_'),
  (text) => text.replace('_', '-'),
  (text) => `${text}' OR '1'='1`,
  (text) => `${text}%00`,
  (text) => `\\x00${text}`,
  (text) => `${text}${text}`,
  (text) => text.repeat(60),
  (text) => [...text].reverse().join(''),
  () => '__proto__',
  () => 'constructor',
  () => 'undefined',
  () => 'null',
];

const KINDS: Readonly<Record<string, Make>> = {
  'nothing at all': () => ({ headers: {} }),
  'an unknown key': (_, random) => {
    const { apiKey, apiSecret } = fresh(random);
    return by(apiKey, apiSecret);
  },
  'an unknown key with a good secret': ({ honest }, random) =>
    by(fresh(random).apiKey, honest.apiSecret),
  'a wrong secret': ({ honest }, random) => by(honest.apiKey, fresh(random).apiSecret),
  'a mistyped secret': ({ honest }, random) => by(honest.apiKey, mistype(honest.apiSecret, random)),
  'a mistyped key': ({ honest }, random) => by(mistype(honest.apiKey, random), honest.apiSecret),
  'a secret cut short': ({ honest }, random) => by(honest.apiKey, cut(honest.apiSecret, random)),
  'a key cut short': ({ honest }, random) => by(cut(honest.apiKey, random), honest.apiSecret),
  'a secret and more': ({ honest }, random) =>
    by(honest.apiKey, `${honest.apiSecret}${cut(honest.apiSecret, random)}0`),
  'another’s secret': ({ honest, other }) => by(honest.apiKey, other.apiSecret),
  'key and secret swapped': ({ honest }) => by(honest.apiSecret, honest.apiKey),
  'the key as its secret': ({ honest }) => by(honest.apiKey, honest.apiKey),
  'no secret': ({ honest }) => ({ headers: { Authorization: `Bearer ${honest.apiKey}` } }),
  'no key': ({ honest }) => ({ headers: { 'X-API-Secret': honest.apiSecret } }),
  'the hash of the secret': ({ honest }) =>
    by(honest.apiKey, Bun.SHA256.hash(honest.apiSecret, 'hex')),
  'another scheme': ({ honest }, random) => {
    const schemes = ['Basic ', 'Digest ', 'Bearer', '', 'Bearer  ', 'Bearer\t', 'Token ', 'bwk '];
    return by(honest.apiKey, honest.apiSecret, schemes[below(schemes.length, random)]!);
  },
  'basic credentials': ({ honest }) => ({
    headers: {
      Authorization: `Basic ${encode(`${honest.apiKey}:${honest.apiSecret}`).toString('base64')}`,
    },
  }),
  'an odd encoding of the key': ({ honest }, random) =>
    by(ENCODINGS[below(ENCODINGS.length, random)]!(honest.apiKey), honest.apiSecret),
  'an odd encoding of the secret': ({ honest }, random) =>
    by(honest.apiKey, ENCODINGS[below(ENCODINGS.length, random)]!(honest.apiSecret)),
  'a revoked key': ({ revoked }) => by(revoked.apiKey, revoked.apiSecret),
  'an expired key': ({ expired }) => by(expired.apiKey, expired.apiSecret),
  'a key from a wrong address': ({ listed }, random) => ({
    ...by(listed.apiKey, listed.apiSecret),
    answer: [403, 'IP_NOT_ALLOWED'],
    target: ['GET', READS[below(READS.length, random)]!],
  }),
  'a key that may not': ({ reader }) => ({
    ...by(reader.apiKey, reader.apiSecret),
    answer: [403, 'INSUFFICIENT_PERMISSIONS'],
    target: ['POST', '/api/orders', ORDER],
  }),
  'a key from a page': ({ reader }) => ({
    headers: { ...by(reader.apiKey, reader.apiSecret).headers, Origin: 'https://evil.example' },
    answer: [403, 'BROWSER_NOT_ALLOWED'],
    target: ['GET', '/api/fees'],
  }),
  'a forged session': (_, random) => cookie(base64url(random)),
  'a session that has ended': ({ endedSession }) => cookie(endedSession),
  'a mistyped session': ({ endedSession }, random) => cookie(mistype(endedSession, random)),
  'the hash of a session': ({ endedSession }) => cookie(Bun.SHA256.hash(endedSession, 'hex')),
  'the name of a session': ({ sessionId }) => cookie(sessionId),
  'a known browser without a session': ({ device }) => cookie(device),
  'a cookie of another name': ({ endedSession }, random) =>
    cookie(endedSession, ['buttonwood', '__Secure-buttonwood', 'session'][below(3, random)]),
  'a key in a cookie': ({ honest }) => cookie(honest.apiSecret),
  'a session as a key': ({ endedSession }) => by(endedSession, endedSession),
  'an odd encoding of a session': ({ endedSession }, random) =>
    cookie(ENCODINGS[below(ENCODINGS.length, random)]!(endedSession)),
  'a token that signs itself': () => {
    const part = (value: object) => encode(JSON.stringify(value)).toString('base64url');
    return cookie(`${part({ alg: 'none' })}.${part({ sub: 'operator' })}.`);
  },
  'an unknown user': (_, random) => ({
    headers: {},
    target: signIn(`${base64url(random).replaceAll('_', 'x').slice(0, 20)}@example.com`, 'a guess'),
  }),
};

function signIn(email: string, password: string): readonly [string, string, string] {
  return ['POST', '/api/account/sign-in', JSON.stringify({ email, password })];
}

const SIGNATURES: Readonly<Record<string, Make>> = {
  'a signature of an unknown key': ({ signing }, random) =>
    signedBy(fresh(random).apiKey, signing.privateKey, signing.now()),
  'a signature by another private key': ({ signing }, random) =>
    signedBy(signing.apiKey, fixedPrivateKey(below(256, random)), signing.now()),
  'a signature for a key with a secret': ({ honest, signing }) =>
    signedBy(honest.apiKey, signing.privateKey, signing.now()),
  'a signature with one bit off': ({ signing }, random) => {
    const draft = signedBy(signing.apiKey, signing.privateKey, signing.now());
    const bytes = Buffer.from(draft.headers['X-API-Signature']!, 'base64');
    const at = below(bytes.length, random);
    bytes[at] = bytes[at]! ^ (1 << below(8, random));
    return withSignature(draft, bytes);
  },
  'a random signature': ({ signing }, random) => {
    const draft = signedBy(signing.apiKey, signing.privateKey, signing.now());
    return withSignature(draft, Buffer.from(Array.from({ length: 64 }, () => below(256, random))));
  },
  'a signature of another path': ({ signing }) => ({
    ...signedBy(signing.apiKey, signing.privateKey, signing.now(), '/api/orders'),
    target: ['DELETE', '/api/orders?all=true'],
  }),
  'a signature of another time': ({ signing }) => {
    const draft = signedBy(signing.apiKey, signing.privateKey, signing.now());
    return { ...draft, headers: { ...draft.headers, 'X-API-Timestamp': `${signing.now() + 1}` } };
  },
};

/** Signs a read of balances. */
function signedBy(
  apiKey: string,
  privateKey: KeyObject,
  timestamp: number,
  target = '/api/portfolio/balances',
): Draft & { headers: Record<string, string> } {
  const headers = signedHeaders({ apiKey, privateKey, method: 'GET', target, timestamp });
  return { headers, target: ['GET', '/api/portfolio/balances'] };
}

function withSignature(draft: Draft, bytes: Uint8Array): Draft {
  const signature = Buffer.from(bytes).toString('base64');
  return { ...draft, headers: { ...draft.headers, 'X-API-Signature': signature } };
}

const ALL = { ...KINDS, ...SIGNATURES };
const NAMES = Object.keys(ALL);

/** Returns the `index`th attempt, cycling through all kinds. */
export function attempt(index: number, known: Known, random: Random): Attempt {
  const what = NAMES[index % NAMES.length]!;
  const draft = ALL[what]!(known, random);
  const [method, path, body] = draft.target ?? TARGETS[below(TARGETS.length, random)]!;
  const headers = {
    ...draft.headers,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return { what, method, path, headers, body, answer: draft.answer ?? UNAUTHORIZED };
}
