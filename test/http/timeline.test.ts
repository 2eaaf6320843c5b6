import { afterAll, beforeAll, expect, test } from 'bun:test';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { Browser } from './browser.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** The timeline of a user, for operators. */

let exchange: TestExchange;
/** The account ids of carol and of her sub-account. */
let main: string;
let sub: string;

interface Entry {
  readonly logPosition: number;
  readonly kind: string;
  readonly command: { action: string; account: string | null; subject: string | null } | null;
  readonly deposit: { status: string; account: string } | null;
}

const operate = async (method: string, path: string, body?: object, by = 'operator') => {
  const answer = await exchange.send(by, method, `/api/admin${path}`, body && JSON.stringify(body));
  expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 200]);
  return answer.data;
};
const timeline = (query = '', id = main, by = 'operator') =>
  exchange.send(by, 'GET', `/api/admin/accounts/${id}/timeline${query}`);
const readNames = async (query: string, id = main) => {
  const { entries } = (await timeline(query, id)).data;
  return entries.map(
    ({ command, deposit }: Entry) => command?.action ?? `deposit ${deposit?.status}`,
  );
};

beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.addKey('second', 'bob', ['operate']);
  const carol = await Browser.signedUp(exchange, 'carol@example.com');
  main = (await carol.get()).data.profile.accountId;
  const { data } = await carol.send('POST', '/api/accounts', { name: 'Grid bot' });
  sub = data.account.accountId;
  await operate('POST', '/transfers', {
    ...{ account: main, asset: 'USDT', amount: 1000, reference: 'c', reason: 'test' },
  });
  await carol.send('POST', '/api/transfers', { from: main, to: sub, asset: 'USDT', amount: 10 });
  await operate('PATCH', `/accounts/${sub}`, { frozen: true, reason: 'ticket 1' });
  const note = await operate('POST', `/accounts/${main}/notes`, { text: 'Called back' });
  await operate('DELETE', `/accounts/${main}/notes/${note.note.id}`);
  await operate('PATCH', `/accounts/${main}`, { limitClass: 5 });
  const key = { permissions: ['read'], label: 'bot' };
  const made = await operate('POST', `/accounts/${sub}/keys`, key);
  await operate('DELETE', `/accounts/${sub}/keys/${made.key.apiKey}`);
  const custodian = await TestCustodian.open(exchange);
  const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qsub' };
  await custodian.report('/addresses', { ...place, account: sub });
  const payment = { ...place, transaction: 'tx', index: 0, amount: 0.5 };
  await custodian.report('/deposits', { ...payment, confirmations: 1, report: 1 });
  await custodian.report('/deposits', { ...payment, confirmations: 3, report: 2 });
});
afterAll(() => exchange.close());

test('a timeline has everything about a user, of whichever account it is asked', async () => {
  const expected = [
    ...['deposit credited', 'deposit confirming', 'assignAddress', 'revokeKey', 'createKey'],
    ...['setAccountLimitClass', 'removeNote', 'addNote', 'setAccountStatus', 'internalTransfer'],
    ...['transfer', 'createSubAccount'],
  ];
  for (const isStored of [false, true]) {
    if (isStored) await exchange.archive.flush();
    for (const id of [main, sub]) {
      const { accounts, entries, nextCursor } = (await timeline('', id)).data;
      expect(accounts).toEqual([main, sub]);
      expect(nextCursor).toBeNull();
      expect((await readNames('', id)).slice(0, expected.length)).toEqual(expected);
      const positions = entries.map(({ logPosition }: Entry) => logPosition);
      expect(positions).toEqual(positions.toSorted((a: number, b: number) => b - a));
      expect(entries[0].deposit).toMatchObject({ account: sub, amount: 0.5 });
      const frozen = entries[expected.indexOf('setAccountStatus')];
      expect(frozen).toMatchObject({
        kind: 'account',
        command: { account: 'operator', subject: sub, details: { reason: 'ticket 1' } },
      });
    }
  }
});

test('pages of any size have each entry once, also within a batch', async () => {
  const all = (await timeline('?limit=1000')).data.entries;
  for (const limit of [1, 2, 3, 5]) {
    const found: Entry[] = [];
    for (let cursor = ''; ; ) {
      const { data } = await timeline(`?limit=${limit}${cursor}`);
      found.push(...data.entries);
      if (data.nextCursor === null) break;
      expect(data.entries).toHaveLength(limit);
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(found).toEqual(all);
  }
});

test('entries are filtered by kind', async () => {
  expect(await readNames('?timelineKind=keys')).toEqual(['revokeKey', 'createKey']);
  expect(await readNames('?timelineKind=notes')).toEqual(['removeNote', 'addNote']);
  expect(await readNames('?timelineKind=limits')).toEqual(['setAccountLimitClass']);
  expect(await readNames('?timelineKind=transfers')).toEqual(['internalTransfer', 'transfer']);
  expect(await readNames('?timelineKind=roles')).toEqual([]);
});

test('requests for approval and their decisions have the kind of the command that waits', async () => {
  const policy = { actions: ['rules'], limits: [], reason: 'two of us' };
  const asked = await operate('POST', '/approval-policy', policy);
  await operate('POST', `/approvals/${asked.approval.id}/approve`, {}, 'second');
  const tier = { feeTier: 'volume', reason: 'agreed' };
  const waiting = await operate('PATCH', `/accounts/${main}`, tier);
  await operate('POST', `/approvals/${waiting.approval.id}/approve`, {}, 'second');
  expect(await readNames('?timelineKind=fees')).toEqual([
    'approve',
    'requestApproval',
    'setAccountFeeTier',
  ]);
  // The operators have them in their own timelines.
  expect(await readNames('?timelineKind=fees', 'bob')).toContain('approve');
  expect(await readNames('?timelineKind=fees', 'operator')).toContain('approve');
});

test.each([
  ['?timelineKind=orders', 400, 'timelineKind'],
  ['?kind=keys', 400, 'kind'],
  ['?cursor=x', 400, 'cursor'],
  ['?limit=0', 400, 'limit'],
])('%s is rejected', async (query, status, field) => {
  const response = await timeline(query);
  expect([response.status, response.json.error.details.field]).toEqual([status, field]);
});

test('a cursor is only valid for its user and kind', async () => {
  const { nextCursor } = (await timeline('?limit=1')).data;
  expect((await timeline(`?limit=2&cursor=${nextCursor}`)).status).toBe(200);
  expect((await timeline(`?limit=2&cursor=${nextCursor}`, 'alice')).status).toBe(400);
  expect((await timeline(`?timelineKind=keys&cursor=${nextCursor}`)).status).toBe(400);
});

test('users see no timelines, and unknown accounts have none', async () => {
  expect((await timeline('', 'alice', 'alice')).status).toBe(403);
  expect((await timeline('', 'nobody-here')).json.error.code).toBe('NOT_FOUND');
});

test('the command line prints a timeline', async () => {
  const streams = new Streams(exchange.services, exchange.authorization);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  const server = listen(exchange.gateway, config, streams);
  const { apiKey, apiSecret } = await exchange.addKey('cli', 'operator', ['audit']);
  const env = {
    BUTTONWOOD_URL: `http://127.0.0.1:${server.port}`,
    BUTTONWOOD_API_KEY: apiKey,
    BUTTONWOOD_API_SECRET: apiSecret,
  };
  const run = async (...argv: string[]) =>
    (await runForTest(['account', 'timeline', sub, ...argv], env)).out.split('\n');
  const [headings, revoked, created, end] = await run('--kind', 'keys');
  expect(headings).toMatch(/^TIME +POSITION +KIND +ACTOR +ACTION +ACCOUNT +DETAILS$/);
  expect(revoked).toMatch(/ keys +operator +revokeKey +- +\{"apiKey":"bwk_/);
  expect(created).toMatch(new RegExp(` keys +operator +createKey +${sub} +\\{`));
  expect(end).toBeUndefined();
  const [, credited, ...rest] = await run('--limit', '1', '--kind', 'deposits');
  expect(credited).toMatch(new RegExp(` - +deposit \\d+: credited +${sub} +0.5 BTC, bitcoin$`));
  expect(rest.at(-1)).toBe('There are older entries. Use --limit to see more.');
  expect(await run('--kind', 'roles')).toEqual(['No entries yet.']);
  await server.stop();
});
