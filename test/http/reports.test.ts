import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { NONE } from '../../src/engine/terms.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Reports over HTTP: who sees them, their files, and requests that are wrong. */

let exchange: TestExchange;
const FROM = '2020-01-01T00:00:00.000Z';
const ORDER = { symbol: 'BTC/USDT', type: 'limit', price: 50_000, amount: 0.01 };

beforeAll(async () => {
  exchange = await TestExchange.open();
  await exchange.addKey('viewer', 'alice', ['read']);
  await exchange.place('alice', { ...ORDER, side: 'buy', clientOrderId: '-2.3' });
  await exchange.place('bob', { ...ORDER, side: 'sell' });
  await exchange.place('alice', { ...ORDER, side: 'buy', price: 40_000, clientOrderId: 'rests' });
});
afterAll(() => exchange.close());

function post(name: string, body: object, path = '/api/reports') {
  return exchange.send(name, 'POST', path, JSON.stringify(body));
}

/** Creates a report and waits for it. */
async function make(name: string, body: object, path = '/api/reports') {
  const created = await post(name, body, path);
  expect(created.status).toBe(200);
  const { reportId } = created.data;
  const report = await exchange.send(name, 'GET', `${path}/${reportId}`);
  expect(report.data).toMatchObject({ reportId, status: 'done', error: null });
  const file = await exchange.send(name, 'GET', `${path}/${reportId}/file`);
  return { report: report.data, file };
}

describe('files', () => {
  test('a ledger has opening and closing balances, and the hash that its report names', async () => {
    const { report, file } = await make('viewer', { kind: 'ledger', format: 'csv', from: FROM });
    expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(file.headers.get('Content-Disposition')).toStartWith(
      'attachment; filename="alice-ledger-',
    );
    expect(file.headers.get('Cache-Control')).toBe('no-store');
    expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const sha256 = new Bun.CryptoHasher('sha256').update(file.text).digest('hex');
    expect(report).toMatchObject({ sha256, bytes: file.text.length, account: 'alice' });
    const lines = file.text.split('\r\n');
    expect(lines[0]).toBe('time,id,asset,type,amount,available,reference');
    expect(lines.filter((line) => line.includes(',opening_balance,0,0,')).length).toBeGreaterThan(
      1,
    );
    expect(lines.some((line) => /,BTC,fee,-0\.\d+,/.test(line))).toBe(true);
    const { balances } = (await exchange.send('alice', 'GET', '/api/portfolio/balances')).data;
    for (const { asset, total, available } of balances) {
      expect(lines).toContainEqual(
        expect.stringContaining(`,${asset},closing_balance,${total},${available},`),
      );
    }
  });

  test('texts that spreadsheets would run are guarded, and negative numbers are not', async () => {
    const { file } = await make('alice', { kind: 'orders', format: 'csv', from: FROM });
    expect(file.text).toContain(`,"'-2.3",BTC/USDT,buy,limit,`);
    expect(file.text).toContain(',rests,BTC/USDT,buy,limit,GTC,open,');
    const json = await make('alice', { kind: 'orders', format: 'json', from: FROM });
    expect(json.file.headers.get('Content-Type')).toBe('application/json');
    expect(JSON.parse(json.file.text).orders[0]).toMatchObject({
      clientOrderId: '-2.3',
      price: 50_000,
    });
  });

  test('a statement is a page that needs nothing else and cannot run anything', async () => {
    const { file } = await make('alice', { kind: 'statement', format: 'html', from: FROM });
    expect(file.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(file.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(file.headers.get('Content-Security-Policy')).toContain('sandbox');
    expect(file.text).not.toMatch(/<script|https?:\/\/|src=|href=/);
    for (const text of ['Opening balance', 'Changes by type', 'Trading by market', '@page']) {
      expect(file.text).toContain(text);
    }
    const json = await make('alice', { kind: 'statement', format: 'json', from: FROM });
    const { balances, fillCount } = JSON.parse(json.file.text);
    expect(fillCount).toBe(1);
    for (const { opening, closing, types } of balances) {
      const moved = types
        .filter(({ type }: { type: string }) => type !== 'hold' && type !== 'release')
        .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
      expect(opening.total + moved).toBeCloseTo(closing.total, 8);
    }
  });

  test('deposits and withdrawals have what moved, and texts of others are guarded', async () => {
    const custodian = await TestCustodian.open(exchange);
    const place = { asset: 'BTC', network: 'bitcoin' };
    await custodian.report('/addresses', { ...place, account: 'alice', address: 'bc1qown' });
    for (const [transaction, confirmations] of [
      ['seen', 0],
      ['paid', 3],
      ['lost', 3],
    ]) {
      const payment = { ...place, transaction, index: 0, address: 'bc1qown', amount: 0.25 };
      await custodian.report('/deposits', { ...payment, confirmations, report: 1 });
    }
    const lost = { ...place, transaction: 'lost', index: 0, address: 'bc1qown', amount: 0.25 };
    const left = { ...lost, confirmations: 0, reorganized: true, report: 2 };
    const { deposit } = (await custodian.report('/deposits', left)).json.data;
    await post('operator', { resolution: 'debit' }, `/api/admin/deposits/${deposit.id}/resolve`);
    const terms = { format: 'csv', from: FROM };
    const deposits = await make('viewer', { ...terms, kind: 'deposits' });
    expect(deposits.file.text.split('\r\n').slice(0, 4)).toEqual([
      'createdAt,depositId,asset,network,address,memo,transaction,index,status,confirmations,amount,credited,held,creditedAt,updatedAt',
      expect.stringContaining(',BTC,bitcoin,bc1qown,,seen,0,seen,0,0.25,0,0,,'),
      expect.stringContaining(',BTC,bitcoin,bc1qown,,paid,0,credited,3,0.25,0.25,0,20'),
      expect.stringContaining(',BTC,bitcoin,bc1qown,,lost,0,debited,0,0.25,0,0,20'),
    ]);
    const { replica } = exchange;
    const { accountsById, assetsByName } = replica.exchange.state;
    const { index } = accountsById.get('alice')!;
    const amount = 10 ** assetsByName.get('BTC')!.decimals / 100;
    const user = { account: index, key: NONE };
    const added = await replica.execute({
      ...{ kind: CommandKind.addWithdrawalAddress, ...user, network: 0 },
      ...{ address: 'bc1qtheirs', memo: '' },
    });
    const { entry } = added as Extract<typeof added, { kind: 'withdrawalAddress' }>;
    const requested = await replica.execute({
      ...{ kind: CommandKind.requestWithdrawal, ...user, addressId: entry.id },
      ...{ amount, clientId: '+1', isNewDevice: false },
    });
    const { withdrawal } = requested as Extract<typeof requested, { kind: 'withdrawal' }>;
    const reason = '=HYPERLINK("https://example.org")';
    await replica.execute({
      ...{ kind: CommandKind.acknowledgeInstruction, ...SYSTEM_ACTOR },
      instruction: withdrawal.instruction,
    });
    const failed = { withdrawal: withdrawal.id, status: 'failed', reason, report: 1 };
    expect((await custodian.report('/withdrawals', failed)).status).toBe(200);
    const withdrawals = await make('viewer', { ...terms, kind: 'withdrawals' });
    expect(withdrawals.file.text).toContain(
      `,"'+1",BTC,bitcoin,bc1qtheirs,,,failed,0.01,0.0001,0,"'=HYPERLINK(""https://example.org"")",`,
    );
    const listed = await make('alice', { kind: 'withdrawals', format: 'json', from: FROM });
    const { totals, withdrawals: rows } = JSON.parse(listed.file.text);
    expect(totals).toEqual([{ asset: 'BTC', withdrawals: 1, paid: 0 }]);
    expect(rows[0]).toMatchObject({ reason, clientId: '+1', status: 'failed' });
  });

  test('a period ends before its end', async () => {
    const to = new Date(exchange.now).toISOString();
    const { file } = await make('alice', { kind: 'fills', format: 'json', from: FROM, to });
    expect(JSON.parse(file.text).fills).toEqual([]);
    const whole = await make('alice', { kind: 'fills', format: 'json', from: FROM });
    expect(JSON.parse(whole.file.text).fills).toHaveLength(1);
  });

  test('HEAD has the length of the file', async () => {
    const { report } = await make('alice', { kind: 'fills', format: 'csv', from: FROM });
    const head = await exchange.send('alice', 'HEAD', `/api/reports/${report.reportId}/file`);
    expect(head.headers.get('Content-Length')).toBe(`${report.bytes}`);
  });
});

describe('access', () => {
  test('an account sees its own reports, and operators see all', async () => {
    const { report } = await make('alice', { kind: 'fills', format: 'csv', from: FROM });
    const path = `/api/reports/${report.reportId}`;
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/file'],
      ['DELETE', ''],
    ] as const) {
      const answer = await exchange.send('bob', method, `${path}${suffix}`);
      expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND']);
    }
    const own = await exchange.send('bob', 'GET', '/api/reports');
    expect(own.data.reports).toEqual([]);
    const all = await exchange.send('operator', 'GET', '/api/admin/reports?account=alice');
    expect(all.data.reports.map(({ reportId }: { reportId: string }) => reportId)).toContain(
      report.reportId,
    );
    const denied = await exchange.send('alice', 'GET', '/api/admin/reports');
    expect(denied.status).toBe(403);
  });

  test('an operator makes reports about any account', async () => {
    const body = { account: 'bob', kind: 'ledger', format: 'json', from: FROM };
    const { report, file } = await make('operator', body, '/api/admin/reports');
    expect(report.account).toBe('bob');
    expect(JSON.parse(file.text)).toMatchObject({ kind: 'ledger', account: 'bob' });
    const unknown = await post('operator', { ...body, account: 'nobody' }, '/api/admin/reports');
    expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('a removed report has neither record nor file', async () => {
    const { report } = await make('alice', { kind: 'fills', format: 'csv', from: FROM });
    const path = `/api/reports/${report.reportId}`;
    expect((await exchange.send('alice', 'DELETE', path)).data.reportId).toBe(report.reportId);
    expect((await exchange.send('alice', 'GET', path)).status).toBe(404);
    expect((await exchange.send('alice', 'GET', `${path}/file`)).status).toBe(404);
    const names = readdirSync(exchange.reportDirectory);
    expect(names.filter((name) => name.startsWith(report.reportId))).toEqual([]);
  });

  test.each(['..%2F..%2Fetc%2Fpasswd', '%00', 'x'.repeat(300), '../admin'])(
    'an id that is a path finds nothing: %s',
    async (id) => {
      const answer = await exchange.send('alice', 'GET', `/api/reports/${id}/file`);
      expect(answer.status).toBe(404);
    },
  );
});

describe('the exchange', () => {
  const PATH = '/api/admin/reports';
  const readRows = async (kind: string) => {
    const { report, file } = await make('operator', { kind, format: 'json', from: FROM }, PATH);
    expect(report.account).toBeNull();
    return JSON.parse(file.text).rows as Record<string, unknown>[];
  };

  test('revenue ends at the fee account of the ledger', async () => {
    const rows = await readRows('revenue');
    const { data } = await exchange.send('operator', 'GET', '/api/admin/state');
    const fees = data.assets.filter((asset: { fees: number }) => asset.fees !== 0);
    expect(fees.length).toBeGreaterThan(0);
    for (const { asset, fees: expected } of fees) {
      const closing = rows.find((row) => row.source === 'closing_balance' && row.asset === asset);
      expect(closing!.amount).toBe(expected);
    }
    expect(rows.filter(({ symbol }) => symbol === 'BTC/USDT').length).toBeGreaterThan(0);
  });

  test('volume, users and market quality show what happened', async () => {
    const [volume] = await readRows('volume');
    expect(volume).toMatchObject({ symbol: 'BTC/USDT', trades: 1, amount: 0.01, traders: 2 });
    const users = await readRows('users');
    expect(users.at(-1)).toMatchObject({ activeAccounts: 2, traders: 2, makers: 1 });
    const quality = await readRows('market_quality');
    for (const row of quality) expect(row).toMatchObject({ symbol: expect.any(String) });
  });

  test('a report about the exchange has no account, and others need one', async () => {
    const volume = { kind: 'volume', format: 'csv', from: FROM };
    for (const body of [
      { ...volume, account: 'bob' },
      { ...volume, kind: 'fills' },
    ]) {
      const answer = await post('operator', body, PATH);
      expect([answer.status, answer.json.error.details.field]).toEqual([400, 'account']);
    }
    expect((await post('operator', { ...volume, format: 'html' }, PATH)).status).toBe(400);
  });

  test('accounts cannot see reports about the exchange', async () => {
    const body = { kind: 'volume', format: 'csv', from: FROM };
    const { report, file } = await make('operator', body, PATH);
    expect(file.headers.get('Content-Disposition')).toStartWith(
      'attachment; filename="exchange-volume-',
    );
    const answer = await exchange.send('alice', 'GET', `/api/reports/${report.reportId}`);
    expect(answer.status).toBe(404);
    expect((await post('alice', body)).status).toBe(400);
    expect((await post('alice', body, PATH)).status).toBe(403);
  });
});

describe('wrong requests', () => {
  test.each([
    [{ format: 'csv', from: FROM }, 'kind'],
    [{ kind: 'orders', format: 'pdf', from: FROM }, 'format'],
    [{ kind: 'orders', format: 'html', from: FROM }, 'format'],
    [{ kind: 'statement', format: 'csv', from: FROM }, 'format'],
    [{ kind: 'fills', format: 'csv' }, 'from'],
    [
      { kind: 'fills', format: 'csv', from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      'from',
    ],
    [{ kind: 'fills', format: 'csv', from: '2200-01-01T00:00:00Z' }, 'from'],
    [{ kind: 'fills', format: 'csv', from: FROM, account: 'bob' }, 'account'],
  ])('%j is rejected for its %s', async (body, field) => {
    const answer = await post('alice', body);
    expect([answer.status, answer.json.error.details.field]).toEqual([400, field]);
  });
});
