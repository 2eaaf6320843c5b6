import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { MAX_SUB_ACCOUNTS } from '../../src/engine/limits.ts';
import { Browser, PASSWORD } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** The limits of the accounts of a group: those that each account has of its own, and those that the group shares. */

const READS_PER_MINUTE = 60;
const ORDERS_PER_MINUTE = 30;
const SESSION_ORDERS_PER_MINUTE = 300;
const MINUTE_MS = 60_000;

let exchange: TestExchange;
let carol: Browser;
let main: string;
let sub: string;
/** Headers of a key of the main account, and of one of the sub-account. */
let ofMain: Record<string, string>;
let ofSub: Record<string, string>;

beforeAll(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
  carol = await Browser.signedUp(exchange, 'carol@example.com');
  main = (await carol.get()).data.profile.accountId;
  sub = (await carol.send('POST', '/api/accounts', { name: 'Grid bot' })).data.account.accountId;
  ofMain = await createKey(main);
  ofSub = await createKey(sub);
});
afterAll(() => exchange.close());
// Every window has ended.
beforeEach(() => {
  exchange.now += MINUTE_MS;
});

async function createKey(account: string): Promise<Record<string, string>> {
  const terms = { label: 'bot', permissions: ['read', 'trade'], password: PASSWORD };
  const made = await carol.send('POST', '/api/account/keys', terms, { 'X-Account': account });
  const { apiKey, apiSecret } = made.data;
  return { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
}

const byKey = (headers: Record<string, string>) =>
  exchange.send(undefined, 'GET', '/api/fees', undefined, headers);
const bySession = (account: string) =>
  carol.send('GET', '/api/fees', undefined, { 'X-Account': account });

test('keys of each account have windows of their own', async () => {
  for (let count = 0; count < READS_PER_MINUTE; count++) {
    expect((await byKey(ofSub)).status).toBe(200);
  }
  expect((await byKey(ofSub)).code).toBe('RATE_LIMIT_EXCEEDED');
  const answer = await byKey(ofMain);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('X-RateLimit-Remaining')).toBe(`${READS_PER_MINUTE - 1}`);
  expect((await bySession(sub)).status).toBe(200);
});

test('a session has one window, whichever accounts it selects', async () => {
  for (let count = 0; count < READS_PER_MINUTE; count++) {
    expect((await bySession(count % 2 === 0 ? sub : main)).status).toBe(200);
  }
  for (const account of [sub, main]) {
    expect((await bySession(account)).code).toBe('RATE_LIMIT_EXCEEDED');
  }
  expect((await byKey(ofSub)).status).toBe(200);
});

test('a session has a limit of orders of its own, for all accounts together', async () => {
  const cancel = (account: string) =>
    carol.send('DELETE', '/api/orders/1', undefined, { 'X-Account': account });
  for (let count = 0; count < SESSION_ORDERS_PER_MINUTE; count++) {
    const answer = await cancel(count % 2 === 0 ? sub : main);
    expect(answer.code).toBe('ORDER_NOT_FOUND');
    expect(answer.headers.get('X-RateLimit-Limit')).toBe(`${SESSION_ORDERS_PER_MINUTE}`);
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe(
      `${SESSION_ORDERS_PER_MINUTE - 1 - count}`,
    );
  }
  expect((await cancel(main)).code).toBe('RATE_LIMIT_EXCEEDED');
  // Each endpoint has a window, and keys keep the limit of the specification.
  expect((await carol.send('POST', '/api/orders', {})).code).toBe('INVALID_SYMBOL');
  const cancelByKey = () => exchange.send(undefined, 'DELETE', '/api/orders/1', undefined, ofMain);
  for (let count = 0; count < ORDERS_PER_MINUTE; count++) {
    expect((await cancelByKey()).code).toBe('ORDER_NOT_FOUND');
  }
  expect((await cancelByKey()).code).toBe('RATE_LIMIT_EXCEEDED');
});

test('a sub-account begins with the multiplier of its main account; each can be changed alone', async () => {
  const change = (account: string, limitClass: number) => {
    const path = `/api/admin/accounts/${account}`;
    return exchange.send('operator', 'PATCH', path, JSON.stringify({ limitClass }));
  };
  expect((await change(sub, 10)).status).toBe(200);
  const limit = async (headers: Record<string, string>) =>
    (await byKey(headers)).headers.get('X-RateLimit-Limit');
  expect(await limit(ofSub)).toBe(`${10 * READS_PER_MINUTE}`);
  expect(await limit(ofMain)).toBe(`${READS_PER_MINUTE}`);
  await change(main, 5);
  const opened = await carol.send('POST', '/api/accounts', { name: 'Second' });
  const second = await createKey(opened.data.account.accountId);
  expect(await limit(second)).toBe(`${5 * READS_PER_MINUTE}`);
  expect(await limit(ofSub)).toBe(`${10 * READS_PER_MINUTE}`);
});

test('a group has a bounded number of accounts', async () => {
  const create = (name: string) => carol.send('POST', '/api/accounts', { name });
  const count = async () => (await carol.send('GET', '/api/accounts')).data.accounts.length;
  for (let index = (await count()) - 1; index < MAX_SUB_ACCOUNTS; index++) {
    expect((await create(`bot ${index}`)).status).toBe(200);
  }
  const rejected = await create('one more');
  expect(rejected.status).toBe(400);
  expect(rejected.json.error.message).toContain(`${MAX_SUB_ACCOUNTS} open sub-accounts`);
  expect(await count()).toBe(MAX_SUB_ACCOUNTS + 1);
});
