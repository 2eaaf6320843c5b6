import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CommandKind } from '../../src/engine/command.ts';
import { NETWORK } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Tests announcements, and the incidents of the status page. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const send = (method: string, path: string, body?: object, by = 'operator') =>
  exchange.send(by, method, path, body === undefined ? undefined : JSON.stringify(body));
const announce = (body: object, by?: string) => send('POST', '/api/admin/announcements', body, by);
const listed = async () =>
  (await send('GET', '/api/status', undefined, 'alice')).data.announcements;

test('an announcement is shown to everyone until it is withdrawn', async () => {
  const long = 'x'.repeat(100);
  const until = new Date(exchange.now + 60_000).toISOString();
  const timestamp = new Date(exchange.now).toISOString();
  const made = await announce({ severity: 'warning', title: long, text: 'More', until });
  const [first] = made.data.announcements;
  expect(first).toEqual({
    id: '1',
    severity: 'warning',
    title: long,
    text: 'More',
    timestamp,
    until,
  });
  await announce({ severity: 'info', title: 'News' });
  expect(await listed()).toMatchObject([
    { id: '2', severity: 'info', title: 'News', text: '', until: null },
    { id: '1' },
  ]);
  const withdrawn = await send('DELETE', '/api/admin/announcements/2');
  expect(withdrawn.data.announcements).toMatchObject([{ id: '1' }]);
  const again = await send('DELETE', '/api/admin/announcements/2');
  expect([again.status, again.json.error]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  exchange.now += 60_000;
  await exchange.replica.execute({ kind: CommandKind.tick });
  expect(await listed()).toEqual([]);
  const { entries } = (await send('GET', '/api/admin/audit?limit=3')).data;
  expect(entries).toMatchObject([
    { action: 'withdrawAnnouncement', details: { id: 2 } },
    { action: 'announce', details: { title: 'News', severity: 'info', until: null } },
    { action: 'announce', details: { title: long, severity: 'warning', until } },
  ]);
});

test('support and market operators announce, others do not', async () => {
  const body = { severity: 'info', title: 'News' };
  await exchange.addKey('supporter', 'bob', ['support']);
  await exchange.addKey('auditor', 'bob', ['audit']);
  expect((await announce(body, 'supporter')).status).toBe(200);
  for (const by of ['auditor', 'alice']) {
    const { status, json } = await announce(body, by);
    expect([status, json.error.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
  }
  await send(
    'DELETE',
    `/api/admin/announcements/${(await listed())[0].id}`,
    undefined,
    'supporter',
  );
});

test.each([
  [{ severity: 'high', title: 'x' }, 'severity'],
  [{ severity: 'info', title: ' ' }, 'title'],
  [{ severity: 'info', title: 'x'.repeat(101) }, 'title'],
  [{ severity: 'info', title: 'two\nlines' }, 'title'],
  [{ severity: 'info', title: 'x', text: 'x'.repeat(501) }, 'text'],
  [{ severity: 'info', title: 'x', until: '2020-01-01T00:00:00Z' }, undefined],
] as const)('%j is rejected', async (body, field) => {
  const { status, json } = await announce(body);
  expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  if (field !== undefined) expect(json.error.details.field).toBe(field);
  expect(await listed()).toEqual([]);
});

test('the status history has incidents with their reasons, days and response times', async () => {
  const suspend = (rules: object) => send('POST', '/api/admin/networks', { ...NETWORK, ...rules });
  await suspend({});
  await suspend({ deposits: false });
  exchange.now += 60_000;
  await suspend({ withdrawals: false });
  exchange.now += 30_000;
  await suspend({});
  const start = new Date(exchange.now).toISOString();
  const reason = `Prices of the reference feed are wrong, and ${'very '.repeat(20)}late`;
  await send('POST', '/api/admin/trading-status', { status: 'halted', reason });
  exchange.now += 120_000;
  const end = new Date(exchange.now).toISOString();
  await send('POST', '/api/admin/trading-status', { status: 'trading', reason: 'back' });
  await send('PATCH', '/api/admin/markets', { symbol: 'BTC/USDT', status: 'cancel_only' });
  const { data } = await send('GET', '/api/status/history', undefined, 'alice');
  expect(data.incidents).toEqual([
    {
      cause: 'market',
      symbol: 'BTC/USDT',
      status: 'cancel_only',
      reason: null,
      from: end,
      to: null,
    },
    { cause: 'halt', symbol: null, status: 'halted', reason, from: start, to: end },
  ]);
  expect(data.days).toHaveLength(90);
  const sum = (field: string) =>
    data.days.reduce((total: number, day: Record<string, number>) => total + day[field]!, 0);
  expect(sum('restrictedSeconds')).toBe(120);
  expect([sum('depositsSuspendedSeconds'), sum('withdrawalsSuspendedSeconds')]).toEqual([60, 30]);
  const created = exchange.state.accounts[0]!.createdAt;
  expect(data.recordedSince).toBe(new Date(created).toISOString());
  expect(data.responseTimes.medianMs.length).toBe(data.responseTimes.p99Ms.length);
});
