import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import type { Credentials } from '../../src/users/credentials/api-keys.ts';
import { newKeyPair } from '../http/signing.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { RawConnection } from '../process/raw-connection.ts';
import { keyHeaders, makeKey, operate, RemoteBrowser } from './remote-users.ts';
import { type Attempt, attempt, type Known } from './wrong-credentials.ts';

const CONNECTIONS = 32;

/** Results of many attempts on a separate process. */
export interface SocketTally {
  attempts: number;
  readonly answers: Map<string, number>;
  readonly wrong: string[];
  /** Latencies of an honest client, milliseconds. */
  readonly honestMs: number[];
  /** Resident memory of the process after a third of the attempts and after all, bytes. */
  resident: { early: number; late: number };
}

/** Makes `count` attempts over real connections, each from another address behind a proxy. */
export async function attackOverSockets(count: number, random: Random): Promise<SocketTally> {
  const directory = temporaryDirectory();
  const exchange = await ExchangeProcess.start(directory.path, {
    BUTTONWOOD_RATE_LIMITS: 'spec',
    BUTTONWOOD_TRUSTED_PROXIES: '127.0.0.1',
  });
  try {
    const known = await prepare(exchange, directory.path);
    const tally: SocketTally = {
      attempts: 0,
      answers: new Map(),
      wrong: [],
      honestMs: [],
      resident: { early: 0, late: 0 },
    };
    let next = 0;
    let isOver = false;
    const honest = askHonestly(exchange, known.honest, tally, () => isOver);
    const attackers = Array.from({ length: CONNECTIONS }, async () => {
      const connection = await RawConnection.open(exchange.baseUrl);
      while (next < count) {
        const one = attempt(next++, known, random);
        // Each costs a slow hash, one after another; the in-process run covers them.
        if (one.path === '/api/account/sign-in') continue;
        connection.send(Buffer.from(toText(one, random), 'latin1'));
        await check(connection, one, tally);
        if (tally.resident.early === 0 && next > count / 3) {
          tally.resident.early = residentBytes(exchange.pid);
        }
      }
      connection.destroy();
    });
    await Promise.all(attackers);
    tally.resident.late = residentBytes(exchange.pid);
    isOver = true;
    await honest;
    return tally;
  } finally {
    await exchange.kill();
    directory.remove();
  }
}

async function check(
  connection: RawConnection,
  { what, method, path, answer }: Attempt,
  tally: SocketTally,
): Promise<void> {
  const response = await connection.receive(method);
  const code = response === undefined ? 'no answer' : JSON.parse(response.text).error?.code;
  const got = `${response?.status} ${code}`;
  tally.attempts++;
  tally.answers.set(got, (tally.answers.get(got) ?? 0) + 1);
  if (got === answer.join(' ') && !response!.headers.has('Set-Cookie')) return;
  tally.wrong.push(`${what}, ${method} ${path}: ${got} instead of ${answer.join(' ')}`);
}

function toText({ method, path, headers, body = '' }: Attempt, random: Random): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const from = `2001:db8:${below(65536, random).toString(16)}:${below(65536, random).toString(16)}::1`;
  return (
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nX-Forwarded-For: ${from}\r\n` +
    `${lines.join('')}${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`
  );
}

/** Requests with a valid key, twice a second, which is its rate limit. */
async function askHonestly(
  exchange: ExchangeProcess,
  key: Credentials,
  tally: SocketTally,
  isOver: () => boolean,
): Promise<void> {
  const headers = keyHeaders(key);
  const paths = ['/api/portfolio/balances', '/api/fees', '/api/orders', '/api/fills'];
  for (let asked = 0; asked === 0 || !isOver(); asked++) {
    const start = performance.now();
    const answer = await fetch(exchange.baseUrl + paths[asked % paths.length], { headers });
    tally.honestMs.push(performance.now() - start);
    if (answer.status !== 200) tally.wrong.push(`the honest client: ${await answer.text()}`);
    await Bun.sleep(500);
  }
}

async function prepare(exchange: ExchangeProcess, directory: string): Promise<Known> {
  const { baseUrl } = exchange;
  const operator = exchange.credential('operator');
  await operate(baseUrl, operator, 'PATCH', '/accounts/bob', { limitClass: 1000 });
  const key = (account: string, permissions: string[], terms = {}) =>
    makeKey(baseUrl, operator, account, permissions, terms);
  const expiresAt = Date.now() + 200;
  const known = {
    honest: await key('alice', ['read', 'trade']),
    other: await key('bob', ['read', 'trade']),
    reader: await key('bob', ['read']),
    listed: await key('bob', ['read', 'trade', 'operate'], { addresses: ['192.0.2.7'] }),
    revoked: await key('alice', ['read', 'trade', 'operate']),
    expired: await key('alice', ['read', 'trade', 'operate'], { expiresAt }),
  };
  await operate(baseUrl, operator, 'DELETE', `/accounts/alice/keys/${known.revoked.apiKey}`);
  const { users } = JSON.parse(readFileSync(join(directory, 'sandbox.json'), 'utf8'));
  const { email, password } = users[0];
  const browser = new RemoteBrowser(baseUrl);
  const signedIn = await browser.account('POST', '/sign-in', { email, password });
  const { session: endedSession } = browser;
  const device = browser.cookies.get('__Host-buttonwood-device')!;
  await browser.account('POST', '/sign-out', {});
  while (Date.now() <= expiresAt) await Bun.sleep(20);
  const pair = newKeyPair();
  const terms = { publicKey: pair.publicBase64 };
  const { apiKey } = await key('alice', ['read', 'trade'], terms);
  const signing = { apiKey, privateKey: pair.privateKey, now: Date.now };
  return { ...known, signing, endedSession, device, sessionId: signedIn.data.session.id };
}

function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kib) * 1024;
}
