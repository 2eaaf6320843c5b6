// Checks whether response times reveal keys or users: npm run test:timing -- [--samples N] [--seed N]

import { DAY_MS } from '../../src/config/durations.ts';
import {
  CommandKind,
  type CreateHmacKey,
  type CreateSignedKey,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { type Credentials, generateCredentials } from '../../src/users/credentials/api-keys.ts';
import { Users } from '../../src/users/users.ts';
import { TestExchange } from '../http/exchange.ts';
import { newKeyPair, signedHeaders } from '../http/signing.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { RawConnection } from '../process/raw-connection.ts';
import { wholeArguments } from '../whole-arguments.ts';
import { makeKey } from './remote-users.ts';
import { compare, THRESHOLD } from './welch.ts';

const { samples: SAMPLES, seed } = wholeArguments(
  'npm run test:timing -- [--samples N] [--seed N]',
  {
    samples: { default: 400_000, least: 1 },
    seed: { default: Date.now() % 1_000_000, least: 0 },
  },
);
const random = seededRandom(seed);
/** Number of targets of each kind; an attacker repeats requests for them. */
const POOL = 80;
const SIGNING_POOL = 2000;
/**
 * The difference of the means of the faster halves that counts as none for checks of signatures: memory of a key that is
 * used rarely is not in the processor's caches, while that of the stand-ins for unknown keys is.
 */
const CLOSE = 0.02;
/** An account may have fifty keys. */
const ACCOUNTS = ['alice', 'bob'] as const;
console.log(`seed ${seed}, nanoseconds`);

/** Prepares a request, and returns a function that sends it. Only the latter is timed. */
type Ask = (kind: 0 | 1, index: number) => () => Promise<unknown>;

await keysInProcess();
await signaturesInProcess();
await payloadsInProcess();
await keysOverSockets();
await usersInProcess();

async function keysInProcess(): Promise<void> {
  const exchange = await TestExchange.open();
  const known: string[] = [];
  for (let index = 0; index < POOL; index++) {
    known.push((await exchange.addKey(`known ${index}`, ACCOUNTS[index % 2]!, ['read'])).apiKey);
  }
  const unknown = Array.from({ length: 2 * POOL }, () => fresh().apiKey);
  const peers = { requestIP: () => ({ address: '192.0.2.1' }) };
  const askWith =
    (pools: readonly (readonly string[])[]): Ask =>
    (kind, index) => {
      const headers = {
        Authorization: `Bearer ${pools[kind]![index]}`,
        'X-API-Secret': fresh().apiSecret,
      };
      const request = new Request('http://127.0.0.1:3000/api/portfolio/balances', { headers });
      return async () => exchange.gateway.fetch(request, peers);
    };
  const [first, second] = [unknown.slice(0, POOL), unknown.slice(POOL)];
  await measure('control: two sets of unknown keys', askWith([first, second]), SAMPLES, 'same');
  await measure('unknown key | wrong secret', askWith([first, known]), SAMPLES, 'same');
  plantEarlyReturn(exchange);
  await measure('control: no hash for an unknown key', askWith([first, known]), SAMPLES, 'differs');
  await exchange.close();
}

/** A planted fault that must be found: an unknown key is rejected before its secret is hashed. */
function plantEarlyReturn(exchange: TestExchange): void {
  const { identities } = exchange.authorization as unknown as {
    identities: { findKey(apiKey: string, secret: string, now: number): unknown };
  };
  const findKey = identities.findKey.bind(identities);
  identities.findKey = (apiKey, secret, now) =>
    exchange.state.keysByApiKey.has(apiKey) ? findKey(apiKey, secret, now) : undefined;
}

async function signaturesInProcess(): Promise<void> {
  const exchange = await TestExchange.open();
  const known = await addSigningKeys(exchange);
  const unknown = Array.from({ length: 2 * SIGNING_POOL }, () => fresh().apiKey);
  const peers = { requestIP: () => ({ address: '192.0.2.1' }) };
  const target = '/api/portfolio/balances';
  // Signed by no registered key, so wrong for all of them.
  const wrong = newKeyPair().privateKey;
  const askWith =
    (pools: readonly (readonly string[])[]): Ask =>
    (kind, index) => {
      const pool = pools[kind]!;
      const apiKey = pool[(index * POOL + below(POOL, random)) % pool.length]!;
      // The time of a check depends on its text, so each is another.
      const timestamp = exchange.now - below(4000, random);
      const terms = { apiKey, privateKey: wrong, method: 'GET', target, timestamp };
      const request = new Request(`http://127.0.0.1:3000${target}`, {
        headers: signedHeaders(terms),
      });
      return async () => exchange.gateway.fetch(request, peers);
    };
  const [first, second] = [unknown.slice(0, SIGNING_POOL), unknown.slice(SIGNING_POOL)];
  const samples = SAMPLES / 4;
  await measure(
    'control: signatures of two sets of unknown keys',
    askWith([first, second]),
    samples,
    'same',
  );
  await measure('unknown key | wrong signature', askWith([first, known]), samples, 'close');
  const secrets: string[] = [];
  for (let index = 0; index < POOL / 2; index++) {
    secrets.push((await exchange.addKey(`secret ${index}`, 'operator', ['read'])).apiKey);
  }
  secrets.push(...secrets);
  await measure(
    'unknown key | signature for a key with a secret',
    askWith([first, secrets]),
    samples,
    'close',
  );
  plantEarlySignatureReturn(exchange);
  await measure(
    'control: no check for an unknown key',
    askWith([first, known]),
    samples / 10,
    'differs',
  );
  await exchange.close();
}

/** Payloads with wrong HMACs, as a dialect has them checked. */
async function payloadsInProcess(): Promise<void> {
  const exchange = await TestExchange.open();
  const { sealedSecrets } = exchange.services;
  const known = await addSigningKeys(exchange, (apiKey, accountId) => {
    const sealedSecret = sealedSecrets!.seal(apiKey, accountId, fresh().apiSecret);
    return { kind: CommandKind.createHmacKey, sealedSecret };
  });
  const unknown = Array.from({ length: 2 * SIGNING_POOL }, () => fresh().apiKey);
  const from = { address: '192.0.2.1', origin: null, host: '127.0.0.1:3000' };
  const askWith =
    (pools: readonly (readonly string[])[]): Ask =>
    (kind, index) => {
      const pool = pools[kind]!;
      const apiKey = pool[(index * POOL + below(POOL, random)) % pool.length]!;
      const timestamp = exchange.now - below(4000, random);
      const text = Buffer.from(`symbol=BTCUSDT&orderId=1&timestamp=${timestamp}`);
      const signature = fresh().apiSecret.slice(4, 68);
      const payload = { apiKey, text, signature, timestamp, recvWindow: 5000 };
      return async () => {
        try {
          await exchange.authorization.verifyStreamPayload(payload, from);
        } catch {
          // Every one is rejected.
        }
      };
    };
  const [first, second] = [unknown.slice(0, SIGNING_POOL), unknown.slice(SIGNING_POOL)];
  const samples = SAMPLES / 2;
  await measure(
    'control: HMACs of two sets of unknown keys',
    askWith([first, second]),
    samples,
    'same',
  );
  await measure('unknown key | wrong HMAC', askWith([first, known]), samples, 'close');
  const signing = await addSigningKeys(exchange);
  await measure(
    'unknown key | HMAC for a key with a public key',
    askWith([first, signing]),
    samples,
    'close',
  );
  plantEarlySignatureReturn(exchange);
  await measure(
    'control: no check of an HMAC for an unknown key',
    askWith([first, known]),
    samples / 10,
    'differs',
  );
  await exchange.close();
}

type Credential =
  | Pick<CreateSignedKey, 'kind' | 'publicKey'>
  | Pick<CreateHmacKey, 'kind' | 'sealedSecret'>;

/** Creates keys that sign, as many as accounts may have: the time of a check depends on the key. */
async function addSigningKeys(
  exchange: TestExchange,
  toCredential: (apiKey: string, accountId: string) => Credential = newPublicKey,
): Promise<string[]> {
  const names: string[] = [];
  for (let account = 0; account < SIGNING_POOL / 100; account++) {
    const accountId = `signer-${exchange.state.accounts.length}`;
    const limitClass = 1;
    const owner = exchange.state.accounts.length;
    const { replica } = exchange;
    const create = {
      kind: CommandKind.createAccount,
      ...SYSTEM_ACTOR,
      accountId,
      limitClass,
    } as const;
    await replica.execute(create);
    for (let index = 0; index < 100; index++) {
      const { apiKey } = fresh();
      const terms = { owner, apiKey, permissions: 1, label: '', addresses: [], expiresAt: 0 };
      await replica.execute({ ...SYSTEM_ACTOR, ...terms, ...toCredential(apiKey, accountId) });
      names.push(apiKey);
    }
  }
  return names;
}

function newPublicKey(): Credential {
  const publicKey = new Uint8Array(Buffer.from(newKeyPair().publicBase64, 'base64'));
  return { kind: CommandKind.createSignedKey, publicKey };
}

/** A planted fault that must be found: the signature of an unknown key is not checked. */
function plantEarlySignatureReturn(exchange: TestExchange): void {
  const { signedRequests } = exchange.authorization as unknown as {
    signedRequests: { find(signed: { apiKey: string }, ...rest: unknown[]): unknown };
  };
  const find = signedRequests.find.bind(signedRequests);
  signedRequests.find = (signed, ...rest) =>
    exchange.state.keysByApiKey.has(signed.apiKey) ? find(signed, ...rest) : undefined;
}

async function keysOverSockets(): Promise<void> {
  const directory = temporaryDirectory();
  const exchange = await ExchangeProcess.start(directory.path);
  try {
    await readKeys(exchange);
  } finally {
    await exchange.kill();
    directory.remove();
  }
}

async function readKeys(exchange: ExchangeProcess): Promise<void> {
  const operator = exchange.credential('operator');
  const known: string[] = [];
  for (let index = 0; index < POOL; index++) {
    const { apiKey } = await makeKey(exchange.baseUrl, operator, ACCOUNTS[index % 2]!, ['read']);
    known.push(apiKey);
  }
  const pools = [Array.from({ length: POOL }, () => fresh().apiKey), known];
  const connection = await RawConnection.open(exchange.baseUrl);
  const ask: Ask = (kind, index) => {
    const text = Buffer.from(
      `GET /api/portfolio/balances HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
        `Authorization: Bearer ${pools[kind]![index]}\r\nX-API-Secret: ${fresh().apiSecret}\r\n\r\n`,
    );
    return () => {
      connection.send(text);
      return connection.receive();
    };
  };
  await measure('unknown key | wrong secret, over a socket', ask, SAMPLES / 4, 'same');
  const { privateKey, publicBase64: publicKey } = newKeyPair();
  const signing: string[] = [];
  for (let index = 0; index < POOL / 2; index++) {
    const terms = { publicKey };
    const account = ACCOUNTS[index % 2]!;
    const made = await makeKey(exchange.baseUrl, operator, account, ['read'], terms);
    signing.push(made.apiKey, made.apiKey);
  }
  const target = '/api/portfolio/balances';
  const names = [pools[0]!, signing];
  const askSigned: Ask = (kind, index) => {
    const timestamp = Date.now() - below(1000, random);
    const apiKey = names[kind]![index]!;
    const terms = { apiKey, privateKey, method: 'HEAD', target, timestamp };
    const lines = Object.entries(signedHeaders(terms)).map((header) => header.join(': '));
    const head = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...lines].join('\r\n');
    const text = Buffer.from(`${head}\r\n\r\n`);
    return () => {
      connection.send(text);
      return connection.receive();
    };
  };
  await measure('unknown key | wrong signature, over a socket', askSigned, SAMPLES / 8, 'same');
  connection.destroy();
}

/** Uses real hash costs: with cheap hashes, the lookup of an existing row would show, by about 10 µs. */
async function usersInProcess(): Promise<void> {
  const samples = SAMPLES / 200;
  const mails: string[] = [];
  let now = Date.UTC(2026, 0, 5, 12);
  const users = await Users.open({
    url: 'sqlite://:memory:',
    sendMail: async ({ text }) => void mails.push(text),
    baseUrl: () => '',
    now: () => now,
    permissions: 3,
    openAccount: async () => {},
  });
  const emails = (name: string) =>
    Array.from({ length: POOL }, (_, index) => `${name}${index}@example.com`);
  const pools = [emails('nobody'), emails('people')] as const;
  for (const [index, email] of pools[1].entries()) {
    const id = `p${index}`;
    const user = { id, accountId: id, email, name: 'Carol', permissions: 3, createdAt: now };
    await users.addUser(user, 'a meadow full of clover');
  }
  const newcomer = {
    address: '192.0.2.1',
    scope: '192.0.2.1',
    userAgent: 'a browser',
    device: undefined,
    session: undefined,
  };
  const askWith =
    (of: readonly (readonly string[])[]): Ask =>
    (kind, index) => {
      // Reset the counters of wrong guesses.
      now += 2 * DAY_MS;
      const email = of[kind]![index]!;
      return () => users.signIn.withPassword(email, 'a guess', undefined, newcomer).catch(() => {});
    };
  await measure('unknown | known email address', askWith(pools), samples, 'same');
  const { store } = users.signIn as unknown as { store: typeof users.store };
  const byEmail = store.findByEmail.bind(store);
  store.findByEmail = async (email) => {
    const user = await byEmail(email);
    if (user === undefined) throw new Error('planted');
    return user;
  };
  await measure('control: no hash for an unknown one', askWith(pools), samples / 10, 'differs');
  await users.close();
}

/** Times both kinds in random order, and reports whether they differ. */
async function measure(
  what: string,
  ask: Ask,
  samples: number,
  wanted: 'same' | 'close' | 'differs',
): Promise<void> {
  const count = Math.max(200, Math.floor(samples));
  const times = [new Float64Array(count), new Float64Array(count)] as const;
  const filled = [0, 0];
  for (let warm = 0; warm < count / 10; warm++)
    await ask(below(2, random) as 0 | 1, below(POOL, random))();
  while (filled[0]! + filled[1]! < 2 * count) {
    const any = below(2, random) as 0 | 1;
    const kind = filled[any] === count ? ((1 - any) as 0 | 1) : any;
    const go = ask(kind, below(POOL, random));
    const start = Bun.nanoseconds();
    await go();
    times[kind][filled[kind]!++] = Bun.nanoseconds() - start;
  }
  const { t, crops } = compare(...times);
  console.log(`${what}: t = ${t.toFixed(2)}`);
  for (const { share, t, n, mean } of crops) {
    const means = mean.map((each) => each.toFixed(0)).join(' | ');
    console.log(
      `  fastest ${share * 100} %: t = ${t.toFixed(2)}, n = ${n.join(' | ')}, mean ${means}`,
    );
  }
  const [first, second] = crops.at(-1)!.mean;
  const isClose = wanted === 'close' && Math.abs(first! / second! - 1) < CLOSE;
  if (isClose) return;
  const isSame = Math.abs(t) < THRESHOLD;
  if (isSame === (wanted !== 'differs')) return;
  console.error(`failed: the times ${isSame ? 'do not differ, and must' : 'differ, and must not'}`);
  process.exitCode = 1;
}

function fresh(): Credentials {
  return generateCredentials((size) => Uint8Array.from({ length: size }, () => below(256, random)));
}
