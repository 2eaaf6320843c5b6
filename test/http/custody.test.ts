import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { MAX_REMEMBERED, WITHDRAWAL_MEMORY_MS } from '../../src/engine/limits.ts';
import { Browser, PASSWORD, tokenIn } from './browser.ts';
import { NETWORK, type Signing, TestCustodian } from './custodian.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** Deposits and withdrawals over HTTP: the callbacks of the custodian, users and operators. */

const PAYMENT = {
  ...{ asset: 'BTC', network: 'bitcoin', transaction: 'tx', index: 0, address: 'bc1qown' },
  ...{ amount: 0.5, confirmations: 3, report: 1 },
};

let exchange: TestExchange;
let custodian: TestCustodian;
beforeAll(async () => {
  exchange = await TestExchange.open();
  custodian = await TestCustodian.open(exchange);
});
afterAll(() => exchange.close());

function operate(path: string, body: object, name = 'operator'): Promise<Answer> {
  return exchange.send(name, 'POST', `/api/admin${path}`, JSON.stringify(body));
}

function report(path: string, body: object, signing?: Signing): Promise<Answer> {
  return custodian.report(path, body, signing);
}

async function available(): Promise<number> {
  const { json } = await exchange.send('alice', 'GET', '/api/portfolio/balances');
  const balances: { asset: string; available: number }[] = json.data.balances;
  return balances.find(({ asset }) => asset === 'BTC')!.available;
}

describe('callbacks of the custodian', () => {
  test('give addresses and credit deposits once', async () => {
    const asked = { asset: 'BTC', network: 'bitcoin' };
    const ask = () =>
      exchange.send('alice', 'POST', '/api/deposit-addresses', JSON.stringify(asked));
    expect((await ask()).json.data).toEqual({ address: null });
    await report('/addresses', { ...asked, account: 'alice', address: 'bc1qown' });
    expect((await ask()).json.data.address.address).toBe('bc1qown');
    const before = await available();
    const early = await report('/deposits', { ...PAYMENT, confirmations: 1 });
    expect(early.json.data.deposit.status).toBe('confirming');
    const credited = await report('/deposits', { ...PAYMENT, report: 2 });
    expect(credited.json.data.deposit.status).toBe('credited');
    expect((await report('/deposits', { ...PAYMENT, report: 2 })).json.data.changed).toBe(false);
    const stale = await report('/deposits', { ...PAYMENT, reorganized: true });
    expect(stale.json.data.changed).toBe(false);
    expect(await available()).toBe(before + 0.5);
    const other = await report('/deposits', { ...PAYMENT, report: 3, amount: 5 });
    expect([other.status, other.json.error.code]).toEqual([409, 'DEPOSIT_CONFLICT']);
  });

  test('are rejected if they are forged, stale, altered or not whole', async () => {
    const body = { ...PAYMENT, transaction: 'forged' };
    const { privateKey: other } = generateKeyPairSync('ed25519');
    const codes = async (answer: Promise<Answer>) => {
      const { status, json } = await answer;
      return [status, json.error.code];
    };
    expect(await codes(report('/deposits', body, { key: other }))).toEqual([401, 'UNAUTHORIZED']);
    expect(await codes(report('/deposits', body, { signed: '{}' }))).toEqual([401, 'UNAUTHORIZED']);
    const late = report('/deposits', body, { timestamp: exchange.now - 5001 });
    expect(await codes(late)).toEqual([401, 'INVALID_REQUEST'].with(0, 400));
    const unsigned = exchange.send(
      'operator',
      'POST',
      '/api/custody/deposits',
      JSON.stringify(body),
    );
    expect(await codes(unsigned)).toEqual([401, 'UNAUTHORIZED']);
    const { transaction, ...half } = body;
    expect(await codes(report('/deposits', half))).toEqual([400, 'INVALID_REQUEST']);
    const { store } = exchange.replica.exchange.state.parts.custody;
    expect(store.findDeposit(0, transaction, 0)).toBeUndefined();
  });

  test('an operator decides on a deposit to an address of no account', async () => {
    const unknown = { ...PAYMENT, transaction: 'unknown', address: 'bc1qother' };
    const { deposit } = (await report('/deposits', unknown)).json.data;
    expect([deposit.status, deposit.account]).toEqual(['review', null]);
    const listed = await exchange.send('operator', 'GET', '/api/admin/deposits');
    expect(listed.json.data.deposits).toEqual([deposit]);
    const decision = { resolution: 'credit', account: 'alice' };
    const resolved = await operate(`/deposits/${deposit.id}/resolve`, decision);
    expect(resolved.json.data.deposit).toMatchObject({ status: 'credited', account: 'alice' });
    const again = await operate(`/deposits/${deposit.id}/resolve`, decision);
    expect(again.json.error.code).toBe('DEPOSIT_NOT_IN_REVIEW');
  });
});

describe('a user', () => {
  test('withdraws with a confirmation, and waits after a new device', async () => {
    const browser = await Browser.signedUp(exchange);
    const account = [...exchange.replica.exchange.state.accounts].at(-1)!.id;
    const credit = { account, asset: 'BTC', amount: 3, reference: 'w', reason: 'test' };
    await operate('/transfers', credit);
    const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qtheirs' };
    const post = (path: string, body: object) => browser.send('POST', path, body);
    const denied = await post('/api/withdrawal-addresses', place);
    expect(denied.status).not.toBe(200);
    const password = PASSWORD;
    const added = await post('/api/withdrawal-addresses', { ...place, password });
    const { id: addressId } = added.json.data.address;
    const request = { addressId, amount: 0.2, clientId: 'one', password };
    const first = await post('/api/withdrawals', request);
    expect(first.json.data).toMatchObject({ created: true, withdrawal: { status: 'delayed' } });
    const again = await post('/api/withdrawals', request);
    expect(again.json.data).toEqual({ ...first.json.data, created: false });
    const path = `/api/withdrawals/${first.json.data.withdrawal.id}`;
    const canceled = await browser.send('DELETE', path);
    expect(canceled.json.data.withdrawal.status).toBe('canceled');
    exchange.now += 60_000;
    const large = { addressId, amount: 1.5, password };
    const { withdrawal } = (await post('/api/withdrawals', large)).json.data;
    expect(withdrawal.status).toBe('awaiting_approval');
    const approve = () => operate(`/withdrawals/${withdrawal.id}/approve`, {});
    expect((await approve()).json.data.withdrawal.approvals).toHaveLength(1);
    expect((await approve()).json.error.code).toBe('APPROVAL_NOT_ALLOWED');
    const rejected = await operate(`/withdrawals/${withdrawal.id}/reject`, { reason: 'risk' });
    expect(rejected.json.data.withdrawal).toMatchObject({ status: 'rejected', reason: 'risk' });
    const small = { addressId, amount: 0.2, password };
    const sent = (await post('/api/withdrawals', small)).json.data.withdrawal;
    expect(sent.status).toBe('approved');
    const audit = await exchange.send(
      'operator',
      'GET',
      '/api/admin/audit?action=requestWithdrawal',
    );
    expect(audit.json.data.entries[0].details).toEqual({
      ...{ asset: 'BTC', network: 'bitcoin', address: 'bc1qtheirs', amount: 0.2 },
      ...{ clientId: null, isNewDevice: false },
    });
    const progress = { withdrawal: Number(sent.id), transaction: 'out' };
    await report('/withdrawals', { ...progress, status: 'broadcast', report: 1 });
    const done = await report('/withdrawals', { ...progress, status: 'confirmed', report: 2 });
    expect(done.json.data.withdrawal).toMatchObject({ status: 'confirmed', transaction: 'out' });
    const list = async () => (await browser.send('GET', '/api/withdrawals')).json.data.withdrawals;
    const before = await list();
    const history = async (filter: string) => {
      const path = `/api/admin/withdrawals/history?${filter}`;
      return (await exchange.send('operator', 'GET', path)).json.data.withdrawals;
    };
    expect(before.map(({ status }: { status: string }) => status)).toEqual([
      ...['confirmed', 'rejected', 'canceled'],
    ]);
    exchange.now += WITHDRAWAL_MEMORY_MS;
    await operate('/transfers', { ...credit, reference: 'later' });
    expect(exchange.state.parts.custody.store.withdrawals.size).toBe(0);
    expect(await list()).toEqual(before);
    expect(await history(`account=${account}`)).toEqual(before);
    expect(await history('withdrawalStatus=rejected')).toEqual(
      before.filter((each: { status: string }) => each.status === 'rejected'),
    );
    const book = `/api/admin/accounts/${account}/withdrawal-addresses`;
    const { addresses } = (await exchange.send('operator', 'GET', book)).json.data;
    expect(addresses).toEqual([expect.objectContaining({ id: addressId, address: 'bc1qtheirs' })]);
  });
});

describe('the lists and reports of what the engine has dropped', () => {
  const remembered = MAX_REMEMBERED.deposits;
  beforeAll(async () => {
    const place = { asset: 'BTC', network: 'bitcoin', account: 'alice', address: 'bc1qown' };
    await report('/addresses', place);
    MAX_REMEMBERED.deposits = 1;
  });
  afterAll(() => {
    MAX_REMEMBERED.deposits = remembered;
  });
  const payment = (transaction: string) => ({ ...PAYMENT, transaction, report: 9 });
  const list = async (query = '') =>
    (await exchange.send('alice', 'GET', `/api/deposits${query}`)).json.data;

  test('show and credit every payment once, from memory, waiting rows and stored rows', async () => {
    for (const transaction of ['a', 'b']) await report('/deposits', payment(transaction));
    await exchange.archive.flush();
    for (const transaction of ['c', 'd']) await report('/deposits', payment(transaction));
    const { store } = exchange.state.parts.custody;
    const isKnown = (transaction: string) => store.findDeposit(0, transaction, 0) !== undefined;
    expect(['a', 'b', 'd'].map(isKnown)).toEqual([false, false, true]);
    const before = await available();
    for (const transaction of ['a', 'b', 'c', 'd']) {
      const again = await report('/deposits', { ...payment(transaction), report: 10 });
      expect([transaction, again.json.data?.changed]).toEqual([transaction, false]);
      const other = await report('/deposits', { ...payment(transaction), amount: 0.7 });
      expect([transaction, other.json.error?.code]).toEqual([transaction, 'DEPOSIT_CONFLICT']);
    }
    expect(await available()).toBe(before);
    const all: { transaction: string }[] = [];
    for (let query = '?limit=2', next: string | null = ''; next !== null; ) {
      const page = await list(query);
      all.push(...page.deposits);
      next = page.nextCursor;
      query = `?limit=2&cursor=${next}`;
    }
    const names = all.map(({ transaction }) => transaction);
    expect(names.slice(0, 4)).toEqual(['d', 'c', 'b', 'a']);
    expect(new Set(names).size).toBe(names.length);
    expect(
      (await list('?sort=asc')).deposits.map((each: (typeof all)[0]) => each.transaction),
    ).toEqual(names.toReversed());
  });

  test('show operators the payments of all accounts, or those that match', async () => {
    type Payments = { transaction: string; account: string | null; status: string }[];
    const all = async (filter: string) => {
      const found: Payments = [];
      for (let cursor = '', next: string | null = ''; next !== null; cursor = `&cursor=${next}`) {
        const path = `/api/admin/deposits/history?limit=2${filter}${cursor}`;
        const { data } = (await exchange.send('operator', 'GET', path)).json;
        found.push(...data.deposits);
        next = data.nextCursor;
      }
      return found;
    };
    await report('/deposits', { ...payment('stray'), address: 'bc1qstray' });
    const every = await all('');
    const names = every.map(({ transaction }) => transaction);
    expect(names.slice(0, 5)).toEqual(['stray', 'd', 'c', 'b', 'a']);
    expect(new Set(names).size).toBe(names.length);
    expect(await all('&sort=asc')).toEqual(every.toReversed());
    const ofAlice = every.filter(({ account }) => account === 'alice');
    expect(await all('&account=alice')).toEqual(ofAlice);
    expect(await all('&depositStatus=review')).toEqual(
      every.filter(({ status }) => status === 'review'),
    );
    expect(await all('&asset=BTC&account=alice&depositStatus=credited')).toEqual(
      ofAlice.filter(({ status }) => status === 'credited'),
    );
    expect(await all('&asset=ETH')).toEqual([]);
    const unknown = await exchange.send('operator', 'GET', '/api/admin/deposits/history?asset=X');
    expect(unknown.json.error.code).toBe('NOT_FOUND');
    const trader = await exchange.send('alice', 'GET', '/api/admin/deposits/history');
    expect(trader.json.error.code).toBe('INSUFFICIENT_PERMISSIONS');
  });

  test('credit a payment that was reversed, dropped and is in the chain again', async () => {
    await report('/deposits', { ...payment('back'), confirmations: 0, reorganized: true });
    await report('/deposits', payment('later'));
    await report('/deposits', payment('latest'));
    const before = await available();
    // A report from before the reorganization that arrives late, and another amount.
    const late = await report('/deposits', payment('back'));
    expect([late.json.data.changed, late.json.data.deposit.status]).toEqual([false, 'reversed']);
    const other = await report('/deposits', { ...payment('back'), report: 10, amount: 0.7 });
    expect(other.json.error.code).toBe('DEPOSIT_CONFLICT');
    expect(await available()).toBe(before);
    const { deposit } = (await report('/deposits', { ...payment('back'), report: 10 })).json.data;
    expect([deposit.status, await available()]).toEqual(['credited', before + 0.5]);
    const again = await report('/deposits', { ...payment('back'), report: 11 });
    expect([again.json.data.deposit.id, await available()]).toEqual([deposit.id, before + 0.5]);
  });
});

test('a key that withdraws is used from few addresses, and its withdrawals wait while it is new', async () => {
  const create = (addresses: string[], permissions = ['withdraw']) =>
    operate('/accounts/alice/keys', { permissions, addresses });
  for (const addresses of [['0.0.0.0/0'], ['10.0.0.0/8'], ['::/0', '10.0.0.1'], ['2001::/16']]) {
    const { json } = await create(addresses);
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'addresses' } });
  }
  expect((await create(['0.0.0.0/0'], ['read'])).status).toBe(200);
  await exchange.addKey('payer', 'alice', ['withdraw', 'read'], { addresses: ['127.0.0.0/16'] });
  await operate('/transfers', {
    ...{ account: 'alice', asset: 'BTC', amount: 1, reference: 'payer', reason: 'test' },
  });
  const post = async (path: string, body: object) =>
    (await exchange.send('payer', 'POST', path, JSON.stringify(body))).json.data;
  const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qbykey' };
  const { address } = await post('/api/withdrawal-addresses', place);
  const withdraw = () => post('/api/withdrawals', { addressId: address.id, amount: 0.01 });
  expect((await withdraw()).withdrawal.status).toBe('delayed');
  exchange.now += 60_000;
  expect((await withdraw()).withdrawal.status).toBe('approved');
});

test('operators who are signed in decide nothing without the permission and a confirmation', async () => {
  const email = 'auditor@example.com';
  await operate('/accounts/operator/users', { email, permissions: ['audit'] });
  const auditor = new Browser(exchange);
  await auditor.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
  await auditor.post('/sign-in', { email, password: PASSWORD });
  const payment = { ...PAYMENT, transaction: 'unclaimed', address: 'bc1qunknown' };
  const { deposit } = (await report('/deposits', payment)).json.data;
  expect(deposit.status).toBe('review');
  const attempts = [
    [`/deposits/${deposit.id}/resolve`, { resolution: 'credit', account: 'operator' }],
    ['/withdrawals/1/approve', {}],
    ['/withdrawals/1/reject', { reason: 'risk' }],
  ] as const;
  for (const [path, body] of attempts) {
    const { json } = await auditor.send('POST', `/api/admin${path}`, body);
    expect([path, json.error?.code]).toEqual([path, 'INSUFFICIENT_PERMISSIONS']);
  }
  await operate('/accounts/operator/users', { email, permissions: ['treasury'] });
  await auditor.post('/sign-in', { email, password: PASSWORD });
  const { networks } = (await exchange.send('alice', 'GET', '/api/networks')).json.data;
  const [network] = networks;
  const key = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
  const unconfirmed = [
    [`/deposits/${deposit.id}/resolve`, { resolution: 'credit', account: 'operator' }],
    ['/withdrawals/1/approve', {}],
    ['/networks', { ...network, dailyLimit: 0 }],
    [
      '/transfers',
      { account: 'operator', asset: 'BTC', amount: 1, reference: 'stolen', reason: 'none' },
    ],
  ] as const;
  const before = exchange.state.digest;
  for (const [path, body] of unconfirmed) {
    const { json } = await auditor.send('POST', `/api/admin${path}`, body);
    expect([path, json.error?.code]).toEqual([path, 'UNAUTHORIZED']);
  }
  expect(exchange.state.digest).toBe(before);
  const approve = { password: PASSWORD };
  const unknown = await auditor.send('POST', '/api/admin/withdrawals/999/approve', approve);
  expect(unknown.json.error.code).toBe('NOT_FOUND');
  const replaced = await auditor.send('POST', '/api/admin/custodian-key', { publicKey: key });
  expect(replaced.json.error.code).toBe('INSUFFICIENT_PERMISSIONS');
  const dismissed = await operate(`/deposits/${deposit.id}/resolve`, { resolution: 'dismiss' });
  expect(dismissed.json.data.deposit.status).toBe('dismissed');
});

test('a network has the median time of its deposits, and its rules can be sent back with it', async () => {
  await operate('/networks', { ...NETWORK, network: 'lightning' });
  await operate('/networks', { ...NETWORK, network: 'liquid' });
  const place = { asset: 'BTC', address: 'bc1qtimed' };
  for (const network of ['lightning', 'liquid']) {
    await report('/addresses', { ...place, network, account: 'alice' });
  }
  const pay = (network: string, transaction: string, confirmations: number) =>
    report('/deposits', {
      ...{ ...PAYMENT, ...place, network, transaction, confirmations },
      report: confirmations + 1,
    });
  for (const transaction of ['slow', 'median', 'fast']) await pay('lightning', transaction, 0);
  for (const transaction of ['one', 'two']) await pay('liquid', transaction, 3);
  for (const transaction of ['fast', 'median', 'slow']) {
    exchange.now += 60_000;
    await pay('lightning', transaction, 3);
  }
  // The times are computed once a minute.
  exchange.now += 60_000;
  const read = async () => {
    const { networks } = (await exchange.send('alice', 'GET', '/api/networks')).json.data;
    return (name: string) => networks.find(({ network }: { network: string }) => network === name);
  };
  let find = await read();
  // They are refreshed in the background.
  for (; find('lightning').typicalDepositMs === null; find = await read()) await Bun.sleep(5);
  expect(find('lightning').typicalDepositMs).toBe(120_000);
  expect(find('liquid').typicalDepositMs).toBeNull();
  const sent = await operate('/networks', { ...find('lightning'), confirmations: 4 });
  expect(sent.json.data).toEqual({
    network: { ...find('lightning'), confirmations: 4 },
    created: false,
  });
});

describe('the holdings of the custodian', () => {
  const place = { asset: 'BTC', network: 'bitcoin' };
  const readBitcoin = async () => {
    const { json } = await exchange.send('operator', 'GET', '/api/admin/state');
    return json.data.assets.find(({ asset }: { asset: string }) => asset === 'BTC');
  };

  test('are compared with what is owed', async () => {
    const { available, held, ...before } = await readBitcoin();
    expect(before).toMatchObject({ holdings: null, holdingsReportedAt: null, covered: null });
    expect(before.unreportedNetworks).toEqual(['bitcoin', 'lightning', 'liquid']);
    const liabilities = Number((available + held).toFixed(8));
    expect(before.liabilities).toBe(liabilities);
    const amount = Math.ceil(liabilities);
    const { json } = await report('/holdings', { ...place, amount, report: 2 });
    const reportedAt = new Date(exchange.now).toISOString();
    expect(json.data).toEqual({ holding: { ...place, amount, reportedAt }, changed: true });
    const covered = { liabilities, holdings: amount, covered: true };
    expect(await readBitcoin()).toMatchObject({ ...covered, holdingsReportedAt: reportedAt });
    const late = await report('/holdings', { ...place, amount: 1, report: 1 });
    expect(late.json.data).toEqual({ holding: { ...place, amount, reportedAt }, changed: false });
    await report('/holdings', { ...place, amount: 0.00000001, report: 3 });
    expect(await readBitcoin()).toMatchObject({ holdings: 0.00000001, covered: false });
  });

  test('are rejected without the signature of the custodian, and on networks that do not exist', async () => {
    const body = { ...place, amount: 1, report: 9 };
    const { privateKey: key } = generateKeyPairSync('ed25519');
    expect((await report('/holdings', body, { key })).status).toBe(401);
    const bare = await exchange.send(
      'operator',
      'POST',
      '/api/custody/holdings',
      JSON.stringify(body),
    );
    expect(bare.status).toBe(401);
    const unknown = await report('/holdings', { ...body, network: 'ton' });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'NOT_FOUND']);
    const negative = await report('/holdings', { ...body, amount: -1 });
    expect([negative.status, negative.json.error.code]).toEqual([400, 'INVALID_AMOUNT']);
    expect(await readBitcoin()).toMatchObject({ holdings: 0.00000001 });
  });
});
