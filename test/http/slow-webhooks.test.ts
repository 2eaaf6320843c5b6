import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Receivers of webhooks that take longer than a second for every response, next to one that does not. */

const ACCOUNTS = 10;
const EVENTS = 4;
/** Attempts at the same time that slow accounts have together. */
const MAX_SLOW = 8;

let exchange: TestExchange;
let custodian: TestCustodian;
let slowRequests = 0;
let running = 0;
let mostRunning = 0;
let fastRequests = 0;

const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    if (request.url.endsWith('/fast')) fastRequests++;
    else {
      running++;
      mostRunning = Math.max(mostRunning, running);
      await Bun.sleep(1_050);
      running--;
      slowRequests++;
    }
    return new Response(null, { status: 204 });
  },
});

beforeAll(async () => {
  exchange = await TestExchange.open();
  custodian = await TestCustodian.open(exchange);
});
afterAll(async () => {
  await exchange.close();
  await receiver.stop(true);
});

async function createWebhook(account: string, path: string): Promise<void> {
  const url = `http://127.0.0.1:${receiver.port}/${path}`;
  const body = JSON.stringify({ url, events: ['deposit.*'] });
  const { status } = await exchange.send(account, 'POST', '/api/webhooks', body);
  expect(status).toBe(200);
}

async function deposit(account: string): Promise<void> {
  const place = { asset: 'BTC', network: 'bitcoin', address: `to-${account}` };
  await custodian.report('/addresses', { ...place, account });
  for (let confirmations = 0; confirmations < EVENTS; confirmations++) {
    const payment = { ...place, transaction: `by-${account}`, index: 0, amount: 0.5 };
    const terms = { ...payment, confirmations, report: confirmations + 1, reorganized: false };
    expect((await custodian.report('/deposits', terms)).status).toBe(200);
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}

test('slow receivers leave half of the attempts to others', async () => {
  for (let index = 0; index < ACCOUNTS; index++) {
    const accountId = `slow${index}`;
    const terms = { accountId, limitClass: 1 };
    await exchange.replica.execute({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, ...terms });
    await exchange.addKey(accountId, accountId, ['read', 'trade']);
    for (let n = 0; n < 2; n++) await createWebhook(accountId, 'slow');
  }
  await createWebhook('bob', 'fast');
  for (let index = 0; index < ACCOUNTS; index++) await deposit(`slow${index}`);
  // Every account has had its first attempts, by which it is known to be slow.
  await until(() => slowRequests >= 2 * ACCOUNTS && running <= MAX_SLOW);
  mostRunning = 0;
  await deposit('bob');
  await until(() => fastRequests === EVENTS);
  expect(slowRequests).toBeLessThan(2 * ACCOUNTS * EVENTS);
  const before = slowRequests;
  await until(() => slowRequests > before + MAX_SLOW);
  expect(mostRunning).toBe(MAX_SLOW);
});
