import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Permission } from '../../src/engine/terms.ts';
import { Browser, PASSWORD, tokenIn } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Users belong to main accounts, and one of a sub-account never acts for the group. */

let exchange: TestExchange;
let carol: Browser;
/** A user of the sub-account, which no invitation makes any more. */
let eve: Browser;
let main: string;
let sub: string;
let second: string;
beforeAll(async () => {
  exchange = await TestExchange.open();
  carol = await Browser.signedUp(exchange);
  main = (await carol.get()).data.profile.accountId;
  const credit = { account: main, asset: 'USDT', amount: 1000, reference: 'c', reason: 'test' };
  await exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(credit));
  const open = async (name: string) =>
    (await carol.send('POST', '/api/accounts', { name })).data.account.accountId;
  sub = await open('Grid bot');
  second = await open('Trend bot');
  for (const to of [sub, second]) await transfer(carol, { to, amount: 100 });
  const email = 'eve@example.com';
  await exchange.services.users.invite(sub, email, Permission.read | Permission.trade);
  eve = new Browser(exchange);
  await eve.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
  await eve.post('/sign-in', { email, password: PASSWORD });
});
afterAll(() => exchange.close());

const transfer = (browser: Browser, body: object) =>
  browser.send('POST', '/api/transfers', { asset: 'USDT', amount: 1, ...body });

test('an operator cannot invite a user to a sub-account', async () => {
  const send = (method: string, account: string, body?: string) =>
    exchange.send('operator', method, `/api/admin/accounts/${account}/users`, body);
  const invitation = JSON.stringify({ email: 'finn@example.com', permissions: ['read'] });
  const sent = exchange.mails.length;
  const rejected = await send('POST', sub, invitation);
  expect([rejected.status, rejected.json.error]).toEqual([
    400,
    {
      code: 'INVALID_REQUEST',
      message: `Users belong to main accounts. Invite the user to the main account ${main}, which gives access to its sub-accounts.`,
      details: { field: 'account', rule: 'mainAccount' },
    },
  ]);
  expect(exchange.mails).toHaveLength(sent);
  const emails = (await send('GET', sub)).data.users.map(({ email }: { email: string }) => email);
  expect(emails).toEqual(['eve@example.com']);
  expect((await send('POST', main, invitation)).status).toBe(200);
});

test('a user of a sub-account sees only this account', async () => {
  expect((await eve.get()).data.profile.accountId).toBe(sub);
  const { accounts } = (await eve.send('GET', '/api/accounts')).data;
  expect(accounts.map(({ accountId }: { accountId: string }) => accountId)).toEqual([sub]);
  for (const account of [main, second]) {
    const headers = { 'X-Account': account };
    const answer = await eve.send('GET', '/api/portfolio/balances', undefined, headers);
    expect([answer.status, answer.details.rule]).toEqual([403, 'ownAccount']);
  }
  const { transfers } = (await eve.send('GET', '/api/transfers')).data;
  expect(transfers.map(({ to }: { to: string }) => to)).toEqual([sub]);
});

test('a user of a sub-account downloads only its reports', async () => {
  const terms = { kind: 'ledger', format: 'csv', from: '2020-01-01T00:00:00.000Z' };
  const download = async (owner: Browser, account: string) => {
    const headers = { 'X-Account': account };
    const { reportId } = (await owner.send('POST', '/api/reports', terms, headers)).data;
    return eve.send('GET', `/api/reports/${reportId}/file`);
  };
  expect((await download(eve, sub)).text).toStartWith('time,id,asset');
  for (const account of [main, second]) {
    expect((await download(carol, account)).code).toBe('NOT_FOUND');
  }
});

test('a user of a sub-account moves only its money', async () => {
  for (const from of [main, second]) {
    const answer = await transfer(eve, { from, to: sub });
    expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND']);
  }
  expect((await transfer(eve, { to: main })).status).toBe(200);
  expect((await transfer(eve, { from: sub, to: second })).status).toBe(200);
});

test('a user of a sub-account opens, renames and closes none', async () => {
  const answers = [await eve.send('POST', '/api/accounts', { name: 'Third' })];
  for (const body of [{ name: 'Mine' }, { closed: true }]) {
    answers.push(await eve.send('PATCH', `/api/accounts/${second}`, body));
    answers.push(await eve.send('PATCH', `/api/accounts/${sub}`, body));
  }
  for (const { status, code, details } of answers) {
    expect([status, code, details.rule]).toEqual([400, 'INVALID_REQUEST', 'mainAccount']);
  }
  const { accounts } = (await carol.send('GET', '/api/accounts')).data;
  const shown = accounts.map(({ name, closed }: Record<string, unknown>) => [name, closed]);
  expect(shown).toEqual([
    [null, false],
    ['Grid bot', false],
    ['Trend bot', false],
  ]);
});
