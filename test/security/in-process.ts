import { below, type Random } from '../../src/storage/seeded-random.ts';
import { Browser } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { newKeyPair } from '../http/signing.ts';
import { attempt, type Known } from './wrong-credentials.ts';

const HONEST_ADDRESS = '203.0.113.5';
/** Attempts between requests of the honest client and of a client with the address of an attacker. */
const HONEST_EVERY = 2500;
/** An address with far more attempts than others. */
const HAMMER = '198.51.100.66';
const HAMMER_EVERY = 4;
const EMAIL = 'carol@example.com';

/** Results of many attempts. */
export interface Tally {
  attempts: number;
  /** Counts by status and code. */
  readonly answers: Map<string, number>;
  /** Unexpected answers; must be empty. */
  readonly wrong: string[];
  honest: number;
  /** Heap in use after a third of the attempts and after all, bytes. */
  heap: { early: number; late: number };
}

/** An exchange with the values that attackers may know, and the documented rate limits. */
async function openTarget(): Promise<{ exchange: TestExchange; known: Known }> {
  const exchange = await TestExchange.open({ rateLimits: 'spec' });
  // Flood rejections are delayed in real time, while this exchange has a clock of its own.
  exchange.authorization.operations.floods.delay = async () => {};
  const body = JSON.stringify({ limitClass: 1000 });
  await exchange.send('operator', 'PATCH', '/api/admin/accounts/bob', body);
  const known = {
    honest: await exchange.addKey('honest', 'alice', ['read', 'trade']),
    other: await exchange.addKey('other', 'bob', ['read', 'trade']),
    reader: await exchange.addKey('reading', 'bob', ['read']),
    listed: await exchange.addKey('listed', 'bob', ['read', 'trade', 'operate'], {
      addresses: ['192.0.2.7'],
    }),
    revoked: await exchange.addKey('revoked', 'alice', ['read', 'trade', 'operate']),
    expired: await exchange.addKey('expired', 'alice', ['read', 'trade', 'operate'], {
      expiresAt: exchange.now + 1,
    }),
  };
  exchange.now += 1;
  const path = `/api/admin/accounts/alice/keys/${known.revoked.apiKey}`;
  await exchange.send('operator', 'DELETE', path);
  const browser = await Browser.signedUp(exchange, EMAIL);
  const [session] = (await browser.get('/sessions')).data.sessions;
  const [endedSession, device] = [
    browser.session!,
    browser.cookies.get('__Host-buttonwood-device')!,
  ];
  await browser.post('/sign-out');
  const pair = newKeyPair();
  const signing = JSON.stringify({ permissions: ['read', 'trade'], publicKey: pair.publicBase64 });
  const keys = '/api/admin/accounts/alice/keys';
  const { apiKey } = (await exchange.send('operator', 'POST', keys, signing)).data.key;
  const { privateKey } = pair;
  return {
    exchange,
    known: {
      signing: { apiKey, privateKey, now: () => exchange.now },
      ...{ ...known, endedSession, device, sessionId: session.id },
    },
  };
}

/** Makes `count` attempts from many addresses, a millisecond apart by the exchange's clock. */
export async function attack(count: number, random: Random): Promise<Tally> {
  const { exchange, known } = await openTarget();
  const tally: Tally = {
    attempts: 0,
    answers: new Map(),
    wrong: [],
    honest: 0,
    heap: { early: 0, late: 0 },
  };
  const before = takeTrace(exchange);
  let peer = '';
  const peers = { requestIP: () => ({ address: peer }) };
  for (let index = 0; index < count; index++) {
    exchange.now += 1;
    const isHammer = index % HAMMER_EVERY === 0;
    peer = isHammer ? HAMMER : anAddress(random);
    const { what, method, path, headers, body, answer } = attempt(index, known, random);
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const request = new Request(`http://127.0.0.1:3000${path}`, init);
    const response = await exchange.gateway.fetch(request, peers);
    const { error } = (await response.json()) as { error?: { code: string } };
    const got = `${response.status} ${error?.code}`;
    tally.attempts++;
    tally.answers.set(got, (tally.answers.get(got) ?? 0) + 1);
    const isSlowed = isHammer && got === '429 RATE_LIMIT_EXCEEDED';
    const isRight = got === answer.join(' ') || isSlowed;
    if (!isRight || response.headers.has('Set-Cookie')) {
      tally.wrong.push(
        `${index}, ${what}, ${method} ${path}: ${got} instead of ${answer.join(' ')}`,
      );
    }
    if (index % HONEST_EVERY === 0) await askHonestly(exchange, tally);
    if (index === Math.floor(count / 3)) tally.heap.early = heapUsed();
  }
  tally.heap.late = heapUsed();
  if (takeTrace(exchange) !== before) tally.wrong.push('the state of the exchange has changed');
  await exchange.close();
  return tally;
}

/** A client with a valid key, from its own address and from that of an attacker. */
async function askHonestly(exchange: TestExchange, tally: Tally): Promise<void> {
  for (const peer of [HONEST_ADDRESS, HAMMER]) {
    exchange.peer = peer;
    const answer = await exchange.send('honest', 'GET', '/api/portfolio/balances');
    tally.honest++;
    if (answer.status !== 200) tally.wrong.push(`the honest client from ${peer}: ${answer.text}`);
  }
}

/** Returns the state that a successful attempt would change. */
function takeTrace({ replica, state }: TestExchange): string {
  return JSON.stringify([replica.position, state.digest, state.keys.length]);
}

/** Returns an address, half of them IPv6. */
function anAddress(random: Random): string {
  const part = (limit: number) => below(limit, random);
  if (random() < 0.5) return `2001:db8:${part(65536).toString(16)}:${part(65536).toString(16)}::1`;
  return `${1 + part(190)}.${part(256)}.${part(256)}.${part(256)}`;
}

function heapUsed(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
