import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Browser } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Sessions of users, which operators list and end. */

let exchange: TestExchange;
let carol: Browser;
let account: string;
const send = (method: string, path = '', by = 'operator') =>
  exchange.send(by, method, `/api/admin/accounts/${account}/sessions${path}`);

beforeAll(async () => {
  exchange = await TestExchange.open();
  carol = await Browser.signedUp(exchange, 'carol@example.com');
  account = (await carol.get()).data.profile.accountId;
});
afterAll(() => exchange.close());

test('operators list the sessions of an account, and support ends one at once', async () => {
  await exchange.addKey('auditor', 'bob', ['audit']);
  const { data } = await send('GET', '', 'auditor');
  expect(data.sessions).toMatchObject([{ email: 'carol@example.com' }]);
  const [{ id }] = data.sessions;
  expect((await send('DELETE', `/${id}`, 'auditor')).status).toBe(403);
  expect((await carol.get()).status).toBe(200);
  await exchange.addKey('support', 'bob', ['support']);
  const ended = await send('DELETE', `/${id}`, 'support');
  expect([ended.status, ended.data]).toEqual([200, { sessions: [] }]);
  expect((await carol.get()).status).toBe(401);
  expect((await send('DELETE', `/${id}`)).json.error.code).toBe('NOT_FOUND');
  const audit = await exchange.send('operator', 'GET', `/api/admin/audit/users?account=${account}`);
  expect(audit.data.entries[0]).toMatchObject({ action: 'sessions_ended' });
  expect(audit.data.entries[0].by).toStartWith('bwk_');
});

test('users see no sessions of others, and sessions of another account are not found', async () => {
  expect((await send('GET', '', 'alice')).status).toBe(403);
  const other = await Browser.signedUp(exchange, 'dave@example.com');
  const { sessions } = (await other.get('/sessions')).data;
  expect((await send('DELETE', `/${sessions[0].id}`)).status).toBe(404);
});
