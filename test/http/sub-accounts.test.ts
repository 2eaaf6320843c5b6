import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CommandKind } from '../../src/engine/command.ts';
import { Browser, PASSWORD } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Sub-accounts and transfers between accounts over HTTP, also as an attacker. */

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

let exchange: TestExchange;
let carol: Browser;
let dora: Browser;
/** The account ids of carol and of her sub-account. */
let main: string;
let sub: string;
beforeAll(async () => {
  exchange = await TestExchange.open();
  carol = await Browser.signedUp(exchange, 'carol@example.com');
  dora = await Browser.signedUp(exchange, 'dora@example.com');
  main = (await carol.get()).data.profile.accountId;
  const credit = { account: main, asset: 'USDT', amount: 1000, reference: 'c', reason: 'test' };
  await exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(credit));
  const { data } = await carol.send('POST', '/api/accounts', { name: 'Grid bot' });
  sub = data.account.accountId;
});
afterAll(() => exchange.close());

const transfer = (browser: Browser, body: object, selected?: string) =>
  browser.send('POST', '/api/transfers', { asset: 'USDT', amount: 1, ...body }, select(selected));

function select(account: string | undefined): Record<string, string> {
  return account === undefined ? {} : { 'X-Account': account };
}

async function available(browser: Browser, account?: string): Promise<number> {
  const { data } = await browser.send('GET', '/api/portfolio/balances', undefined, select(account));
  return data.balances.find(({ asset }: { asset: string }) => asset === 'USDT')?.available ?? 0;
}

test('a sub-account has a name, and is opened once', async () => {
  const again = await carol.send('POST', '/api/accounts', { name: 'Grid bot' });
  expect(again.data).toMatchObject({ created: false, account: { accountId: sub } });
  await carol.send('PATCH', `/api/accounts/${sub}`, { name: 'Trend bot' });
  const { accounts } = (await carol.send('GET', '/api/accounts')).data;
  const shown = accounts.map(({ accountId, name, isMain }: Record<string, unknown>) => [
    ...[accountId, name, isMain],
  ]);
  expect(shown).toEqual([
    [main, null, true],
    [sub, 'Trend bot', false],
  ]);
  const renamed = await dora.send('PATCH', `/api/accounts/${sub}`, { name: 'mine' });
  expect([renamed.status, renamed.code]).toEqual([404, 'NOT_FOUND']);
});

test('accounts are listed with their balances, and to operators with their main account', async () => {
  const { accounts } = (await carol.send('GET', '/api/accounts')).data;
  const usdt = { asset: 'USDT', total: 1000, available: 1000, held: 0 };
  expect(accounts.map(({ balances }: { balances: object[] }) => balances)).toEqual([[usdt], []]);
  for (const [search, ids] of [
    ['TREND', [sub]],
    [sub.slice(4), [sub]],
    [main, [main, sub]],
    ['no such name', []],
  ] as const) {
    const answer = await exchange.send('operator', 'GET', `/api/admin/accounts?search=${search}`);
    const found = answer.data.accounts;
    expect(found.map(({ accountId }: { accountId: string }) => accountId)).toEqual([...ids]);
    for (const each of found) {
      const isSub = each.accountId === sub;
      expect([each.main, each.name]).toEqual(isSub ? [main, 'Trend bot'] : [null, null]);
    }
  }
});

test('the audit and the timeline of operators name the accounts that entries concern', async () => {
  await exchange.send('operator', 'PATCH', `/api/admin/accounts/${sub}`, '{"limitClass":2}');
  await transfer(carol, { to: sub, clientId: 'named' });
  await transfer(carol, { from: sub, to: main, clientId: 'back' });
  const operator = { accountId: 'operator', main: null, name: null, ownerName: null };
  const first = { accountId: main, main: null, name: null, ownerName: 'Carol' };
  const second = { accountId: sub, main, name: 'Trend bot', ownerName: 'Carol' };
  const audit = await exchange.send('operator', 'GET', '/api/admin/audit?limit=3');
  expect(audit.data.entries.map(({ accounts }: { accounts: object[] }) => accounts)).toEqual([
    [first, second],
    [first, second],
    [operator, second],
  ]);
  const path = `/api/admin/accounts/${sub}/timeline?limit=3`;
  const { names, entries } = (await exchange.send('operator', 'GET', path)).data;
  expect(names).toEqual([first, second]);
  expect(entries.map(({ command }: { command: object }) => command)).toEqual(audit.data.entries);
});

test('a request for approval names the account that it would change', async () => {
  const other = await TestExchange.open();
  const erin = await Browser.signedUp(other, 'erin@example.com');
  const opened = await erin.send('POST', '/api/accounts', { name: 'Grid bot' });
  await other.addKey('second', 'bob', ['operate']);
  const send = (name: string, method: string, path: string, body?: object) =>
    other.send(name, method, `/api/admin${path}`, body && JSON.stringify(body));
  const policy = { actions: ['rules'], limits: [], reason: 'two of us' };
  const { approval } = (await send('operator', 'POST', '/approval-policy', policy)).data;
  expect(approval.accounts).toEqual([]);
  await send('second', 'POST', `/approvals/${approval.id}/approve`, {});
  const { accountId } = opened.data.account;
  const tier = { feeTier: 'volume', reason: 'agreed' };
  const asked = (await send('operator', 'PATCH', `/accounts/${accountId}`, tier)).data.approval;
  const profile = (await erin.get()).data.profile;
  expect(asked.accounts).toEqual([
    { accountId, main: profile.accountId, name: 'Grid bot', ownerName: 'Carol' },
  ]);
  expect((await send('operator', 'GET', '/approvals')).data.pending).toEqual([asked]);
  await other.close();
});

describe('a session selects an account of its group', () => {
  test('for notifications', async () => {
    const path = '/api/account/notifications';
    const set = (mail: string[], account?: string) =>
      carol.send('PATCH', path, { mail }, select(account));
    await set(['order.filled']);
    expect((await set(['withdrawal.confirmed'], sub)).status).toBe(200);
    const mail = async (account?: string) =>
      (await carol.send('GET', path, undefined, select(account))).data.notifications.mail;
    expect(await mail()).toEqual(['order.filled']);
    expect(await mail(sub)).toEqual(['withdrawal.confirmed']);
  });

  test('for balances, orders and keys', async () => {
    await transfer(carol, { to: sub, amount: 500, clientId: 'fund' });
    expect([await available(carol), await available(carol, sub)]).toEqual([500, 500]);
    const placed = await carol.send('POST', '/api/orders', ORDER, select(sub));
    expect(placed.status).toBe(200);
    const list = (account?: string) =>
      carol.send('GET', '/api/orders?status=open', undefined, select(account));
    expect((await list(sub)).data.orders).toHaveLength(1);
    expect((await list()).data.orders).toEqual([]);
    const key = { label: 'bot', permissions: ['read', 'transfer'], password: PASSWORD };
    const made = await carol.send('POST', '/api/account/keys', key, select(sub));
    const { apiKey, apiSecret } = made.data;
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
    const asKey = (path: string, more = {}) =>
      exchange.send(undefined, 'GET', path, undefined, { ...headers, ...more });
    const group = (await asKey('/api/accounts')).data.accounts;
    expect(group.map(({ accountId }: { accountId: string }) => accountId)).toEqual([sub]);
    // A key never acts for another account, not even for that of its owner.
    expect((await asKey('/api/fees', select(main))).status).toBe(403);
    const post = (body: object) =>
      exchange.send(undefined, 'POST', '/api/transfers', JSON.stringify(body), headers);
    const back = { asset: 'USDT', amount: 1 };
    expect((await post({ ...back, from: main, to: sub })).code).toBe('NOT_FOUND');
    expect((await post({ ...back, to: main })).status).toBe(200);
  });

  test('and no other, whether or not it exists', async () => {
    const texts = [];
    for (const account of [sub, main, 'alice', 'nothing', 'x y']) {
      const answer = await dora.send('GET', '/api/portfolio/balances', undefined, select(account));
      expect(answer.status).toBe(403);
      texts.push(answer.json.error.message);
    }
    expect(new Set(texts).size).toBe(1);
  });

  test('and downloads the reports of the group by a link, which selects none', async () => {
    const terms = { kind: 'ledger', format: 'csv', from: '2020-01-01T00:00:00.000Z' };
    const { reportId } = (await carol.send('POST', '/api/reports', terms, select(sub))).data;
    const file = (browser: Browser, account?: string) =>
      browser.send('GET', `/api/reports/${reportId}/file`, undefined, select(account));
    const downloaded = await file(carol);
    expect(downloaded.text).toStartWith('time,id,asset');
    expect((await file(carol, sub)).text).toBe(downloaded.text);
    const foreign = await file(dora);
    expect(foreign.status).toBe(404);
    // A key of the main account has only the reports of its own.
    const key = { label: 'reader', permissions: ['read'], password: PASSWORD };
    const { apiKey, apiSecret } = (await carol.send('POST', '/api/account/keys', key)).data;
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
    const path = `/api/reports/${reportId}/file`;
    const byKey = await exchange.send(undefined, 'GET', path, undefined, headers);
    expect([byKey.status, byKey.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('but acts as an operator with its main account', async () => {
    const answer = await carol.send('GET', '/api/admin/accounts', undefined, select(sub));
    expect(answer.code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});

describe('transfers', () => {
  test('to another user need the password, and name an account or an email', async () => {
    const { accountId } = (await dora.get()).data.profile;
    expect((await transfer(carol, { to: accountId })).status).not.toBe(200);
    const before = await available(dora);
    const proof = { password: PASSWORD, clientId: 'to-dora' };
    expect((await transfer(carol, { to: accountId, ...proof })).data.created).toBe(true);
    expect((await transfer(carol, { to: 'Dora@Example.com', ...proof })).data.created).toBe(false);
    expect(await available(dora)).toBe(before + 1);
    const other = await transfer(carol, { to: accountId, ...proof, amount: 2 });
    expect([other.status, other.code]).toEqual([409, 'DUPLICATE_REFERENCE']);
    const [received] = (await dora.send('GET', '/api/transfers')).data.transfers;
    expect(received).toMatchObject({ from: main, to: accountId, amount: 1, clientId: null });
  });

  test('reveal nothing about users before the password', async () => {
    const unknown = await transfer(carol, { to: 'nobody@example.com' });
    const known = await transfer(carol, { to: 'dora@example.com' });
    expect([unknown.status, unknown.code]).toEqual([known.status, known.code]);
  });

  test.each([
    ['an account of others', { from: 'alice', to: 'bob' }, 'NOT_FOUND'],
    ['itself', { to: 'SELF' }, 'INVALID_REQUEST'],
    ['too many decimals', { to: 'SUB', amount: 0.00000000001 }, 'INVALID_AMOUNT'],
    ['nothing', { to: 'SUB', amount: 0 }, 'INVALID_AMOUNT'],
    ['less than nothing', { to: 'SUB', amount: -5 }, 'INVALID_AMOUNT'],
    ['more than it has', { to: 'SUB', amount: 100000 }, 'INSUFFICIENT_BALANCE'],
    ['an unknown asset', { to: 'SUB', asset: 'NONE' }, 'NOT_FOUND'],
  ])('reject %s', async (_, body, code) => {
    const to = { SELF: main, SUB: sub }[body.to] ?? body.to;
    expect((await transfer(carol, { ...body, to })).code).toBe(code);
  });

  test('of frozen accounts are rejected, and those to them', async () => {
    const freeze = (frozen: boolean) =>
      exchange.send(
        ...(['operator', 'PATCH', `/api/admin/accounts/${sub}`] as const),
        JSON.stringify({ frozen, reason: 'test' }),
      );
    expect((await transfer(carol, { to: sub })).status).toBe(200);
    await freeze(true);
    expect((await transfer(carol, { to: sub })).code).toBe('INVALID_REQUEST');
    expect((await transfer(carol, { from: sub, to: main })).code).toBe('ACCOUNT_FROZEN');
    await freeze(false);
    expect((await transfer(carol, { from: sub, to: main })).status).toBe(200);
  });

  test('are listed to the accounts that they concern, those of a group to its main account', async () => {
    const opened = await carol.send('POST', '/api/accounts', { name: 'Second' });
    const second = opened.data.account.accountId;
    const terms = { from: sub, to: second, clientId: 'between' };
    const moved = (await transfer(carol, terms)).data.transfer;
    const newest = async (browser: Browser, account?: string) => {
      const path = '/api/transfers';
      const { data } = await browser.send('GET', path, undefined, select(account));
      return data.transfers[0];
    };
    expect(await newest(carol)).toEqual(moved);
    expect(await newest(carol, sub)).toEqual({ ...moved, clientId: 'between' });
    expect(await newest(carol, second)).toEqual({ ...moved, clientId: null });
    expect((await newest(dora)).id).not.toBe(moved.id);
  });

  test('are listed in pages, whatever time has passed', async () => {
    const list = async (query: string, account?: string) => {
      const path = `/api/transfers?${query}`;
      const { status, data } = await carol.send('GET', path, undefined, select(account));
      expect(status).toBe(200);
      return data;
    };
    await transfer(carol, { to: sub, clientId: 'remembered' });
    const whole = await list('sort=asc');
    expect(whole.transfers.at(-1).clientId).toBe('remembered');
    expect(whole.transfers.length).toBeGreaterThan(3);
    exchange.now += 26 * 3_600_000;
    await exchange.replica.execute({ kind: CommandKind.tick });
    const later = await list('sort=asc');
    const forgotten = whole.transfers.map((each: object) => ({ ...each, clientId: null }));
    expect(later).toEqual({ transfers: forgotten, nextCursor: null });
    for (const sort of ['asc', 'desc']) {
      const { transfers } = await list(`sort=${sort}`);
      const paged: unknown[] = [];
      for (let cursor = ''; paged.length === 0 || cursor !== ''; ) {
        const page = await list(`sort=${sort}&limit=1${cursor}`);
        expect(page.transfers).toHaveLength(1);
        paged.push(...page.transfers);
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
      }
      expect(paged).toEqual(transfers);
    }
    const own = (await list('', sub)).transfers;
    expect(own.every(({ from, to }: Record<string, string>) => [from, to].includes(sub))).toBe(
      true,
    );
    const { nextCursor } = await list('limit=1');
    const foreign = await dora.send('GET', `/api/transfers?cursor=${nextCursor}`);
    expect([foreign.status, foreign.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  test('are entries of both ledgers', async () => {
    const ledger = async (account?: string) => {
      const { data } = await carol.send('GET', '/api/ledger', undefined, select(account));
      return data.entries[0];
    };
    const { data } = await transfer(carol, { to: sub, amount: 3 });
    const entry = { type: 'internal_transfer', reference: data.transfer.id };
    expect(await ledger()).toMatchObject({ ...entry, amount: -3 });
    expect(await ledger(sub)).toMatchObject({ ...entry, amount: 3 });
  });
});
