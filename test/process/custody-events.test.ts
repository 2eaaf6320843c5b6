import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { freePort } from '../free-ports.ts';
import { newKeyPair, signature } from '../http/signing.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/**
 * Deposits and withdrawals of a real process that is killed while it delivers their events: every change makes one notice
 * and one event of a webhook, whose attempts all have the same id and body.
 */

setDefaultTimeout(300_000);

const SEED = Number(process.env.CUSTODY_EVENTS_SEED ?? 5);
const KILLS = Number(process.env.CUSTODY_EVENTS_KILLS ?? 3);
const ROUND = 4;
const PLACE = { asset: 'BTC', network: 'bitcoin' };
const RULES = {
  ...{ ...PLACE, decimals: 8, minDeposit: 0.0001, minWithdrawal: 0.0005, withdrawalFee: 0.0001 },
  ...{ confirmations: 3, memo: 'none', deposits: true, withdrawals: true, dailyLimit: 0 },
  ...{ hourlyCount: 0, addressCoolingMs: 0, newDeviceDelayMs: 0, approvalAbove: 1 },
};

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
type Body = any;

const random = seededRandom(SEED);
const directory = temporaryDirectory();
const port = freePort();
const { privateKey, publicBase64 } = newKeyPair();
let exchange = await ExchangeProcess.start(directory.path, { PORT: String(port) });
let headers: Record<string, string> = {};
let password = '';
/** All requests that arrived, and whether the receiver accepted them. */
const received: { id: string; body: string; wasAccepted: boolean }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const body = await request.text();
    const wasAccepted = random() < 0.8;
    received.push({ id: request.headers.get('webhook-id')!, body, wasAccepted });
    await Bun.sleep(below(10, random));
    return new Response(null, { status: wasAccepted ? 204 : 500 });
  },
});
afterAll(async () => {
  await exchange.stop();
  await receiver.stop(true);
  directory.remove();
});

/** Sends a request as alice, who is signed in. */
async function send(method: string, path: string, content?: object): Promise<Body> {
  const body = content === undefined ? {} : { body: JSON.stringify(content) };
  const response = await fetch(exchange.baseUrl + path, { method, headers, ...body });
  const { data, error } = (await response.json()) as Body;
  if (error !== undefined) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`);
  return data;
}

async function signIn(): Promise<void> {
  const { users } = JSON.parse(readFileSync(join(directory.path, 'sandbox.json'), 'utf8'));
  const alice = users.find(({ email }: { email: string }) => email.startsWith('alice@'));
  password = alice.password;
  headers = { Origin: exchange.baseUrl, 'Content-Type': 'application/json' };
  const response = await fetch(`${exchange.baseUrl}/api/account/sign-in`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ email: alice.email, password }) },
  });
  headers.Cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
}

/** Sends a signed report of the custodian. */
async function report(path: string, content: object): Promise<Body> {
  const target = `/api/custody${path}`;
  const body = JSON.stringify(content);
  const time = await fetch(`${exchange.baseUrl}/api/time`);
  const timestamp = Date.parse(((await time.json()) as Body).data.timestamp);
  const terms = { apiKey: 'custodian', privateKey, method: 'POST', target, timestamp, body };
  const response = await fetch(exchange.baseUrl + target, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Timestamp': `${timestamp}`,
      'X-API-Signature': signature(terms),
    },
    body,
  });
  const { data, error } = (await response.json()) as Body;
  if (error !== undefined) throw new Error(`${path}: ${JSON.stringify(error)}`);
  return data;
}

async function operate(path: string, body: object): Promise<void> {
  const key = exchange.credential('operator');
  const answer = await exchange.send(key, 'POST', `/api/admin${path}`, JSON.stringify(body));
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.json)}`);
}

/** Every change, as `<event> <id> <confirmations>`. */
const expected: string[] = [];
const describeChange = ({ type, data }: { type: string; data: Body }) =>
  `${type} ${data.id} ${data.confirmations ?? '-'}`;

/** Kills the exchange while it handles a report, and repeats the report afterwards, as a custodian does. */
async function reportOverKill(path: string, content: object): Promise<Body> {
  const lost = report(path, content).catch(() => undefined);
  await Bun.sleep(below(4, random));
  await exchange.kill();
  await lost;
  exchange = await ExchangeProcess.start(directory.path, { PORT: String(port) });
  return report(path, content);
}

/** Reports a deposit from the first sight to the credit. @param overKill Whether the exchange is killed in between. */
async function deposit(transaction: string, overKill: boolean): Promise<void> {
  const payment = { ...PLACE, address: 'bc1qown', transaction, index: 0, amount: 0.5 };
  const statuses = ['seen', 'confirming', 'confirming', 'credited'];
  for (const [confirmations, status] of statuses.entries()) {
    const content = { ...payment, confirmations, report: confirmations + 1 };
    const isKilled = overKill && confirmations === 2;
    const answer = await (isKilled ? reportOverKill : report)('/deposits', content);
    expect(answer.deposit.status).toBe(status);
    expected.push(`deposit.${status} ${answer.deposit.id} ${confirmations}`);
    // A repeated report is no change.
    expect((await report('/deposits', content)).changed).toBe(false);
  }
}

/** Requests a withdrawal, and reports it until it is confirmed. */
async function withdraw(addressId: string, clientId: string): Promise<void> {
  const terms = { addressId, amount: 0.001, clientId, password };
  const { withdrawal } = await send('POST', '/api/withdrawals', terms);
  expect(withdrawal.status).toBe('approved');
  expect((await send('POST', '/api/withdrawals', terms)).created).toBe(false);
  expected.push(`withdrawal.approved ${withdrawal.id} -`);
  for (const [index, status] of ['broadcast', 'confirmed'].entries()) {
    const progress = { withdrawal: Number(withdrawal.id), status, transaction: clientId };
    await report('/withdrawals', { ...progress, report: index + 1 });
    expected.push(`withdrawal.${status} ${withdrawal.id} -`);
  }
}

test('every change of a deposit or withdrawal makes one event and one notice, over kills', async () => {
  await signIn();
  await operate('/custodian-key', { publicKey: publicBase64 });
  await operate('/networks', RULES);
  await report('/addresses', { ...PLACE, account: 'alice', address: 'bc1qown' });
  const place = { ...PLACE, address: 'bc1qtheirs', password };
  const { address } = await send('POST', '/api/withdrawal-addresses', place);
  const events = ['deposit.*', 'withdrawal.*'];
  await send('PATCH', '/api/account/notifications', { page: events });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const { webhook } = await send('POST', '/api/webhooks', { url, events });
  // A receiver that has failed is asked again at once.
  const resume = () => send('PATCH', `/api/webhooks/${webhook.id}`, { status: 'active' });

  for (let kill = 0; kill < KILLS; kill++) {
    for (let count = 0; count < ROUND; count++) {
      await deposit(`tx-${kill}-${count}`, count === ROUND - 1);
      await withdraw(address.id, `w-${kill}-${count}`);
    }
    await resume();
  }

  const accepted = () =>
    new Map(received.filter((each) => each.wasAccepted).map(({ id, body }) => [id, body]));
  while (accepted().size < expected.length) {
    await resume();
    await Bun.sleep(50);
  }
  const delivered = [...accepted().values()].map((body) => describeChange(JSON.parse(body)));
  expect(delivered.toSorted()).toEqual(expected.toSorted());
  // The changes of one deposit or withdrawal arrive in their order.
  const perId = (texts: readonly string[]) =>
    Object.fromEntries(Map.groupBy(texts, (text) => text.split(' ')[1]!));
  expect(perId(delivered)).toEqual(perId(expected));
  const bodies = new Map<string, string>();
  for (const { id, body } of received) {
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }

  const noticed = async () => {
    const { notices } = await send('GET', '/api/notices?limit=500');
    return (notices as { event: string; data: Body }[])
      .filter(({ event }) => !['address.added', 'withdrawal.requested'].includes(event))
      .map(({ event, data }) => describeChange({ type: event, data }))
      .toSorted();
  };
  while ((await noticed()).length < expected.length) await Bun.sleep(50);
  expect(await noticed()).toEqual(expected.toSorted());
});
