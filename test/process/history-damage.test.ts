import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { freePort } from '../free-ports.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** Tests a damaged or missing `history.sqlite`: trading continues, unreadable pages fail, and history is rebuilt. */

setDefaultTimeout(120_000);

const parent = temporaryDirectory();
afterAll(() => parent.remove());
const sound = join(parent.path, 'sound');
let copies = 0;
let path: string;
let adminPort: number;

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };

function start(): Promise<ExchangeProcess> {
  adminPort = freePort();
  return ExchangeProcess.start(path, { BUTTONWOOD_ADMIN_PORT: `${adminPort}` });
}
const asAlice = (exchange: ExchangeProcess, method: string, target: string, body?: object) =>
  exchange.send(exchange.credential('alice'), method, target, body && JSON.stringify(body));
const readLedger = (exchange: ExchangeProcess) =>
  asAlice(exchange, 'GET', '/api/ledger?limit=1000');
const admin = async (target: string) =>
  (await fetch(`http://127.0.0.1:${adminPort}${target}`)).text();

beforeAll(async () => {
  path = sound;
  const exchange = await start();
  for (let n = 0; n < 20; n++) {
    const { json } = await asAlice(exchange, 'POST', '/api/orders', ORDER);
    await asAlice(exchange, 'DELETE', `/api/orders/${json.data.orderId}`);
  }
  await exchange.stop();
});

beforeEach(() => {
  path = join(parent.path, `copy-${copies++}`);
  cpSync(sound, path, { recursive: true });
});

/** Waits until the ledger is available. @returns It. */
async function ledgerAtLast(exchange: ExchangeProcess) {
  for (;;) {
    const { status, json } = await readLedger(exchange);
    if (status === 200) return json.data;
    expect([500, 503]).toContain(status);
    await Bun.sleep(50);
  }
}

test('a damaged row: that page is refused, orders continue, and history is rebuilt in the background', async () => {
  const { history } = dataPaths(path);
  const database = new Database(history);
  database.run('UPDATE entries SET amount = 1 WHERE id = (SELECT MAX(id) FROM entries)');
  database.close();
  const verified = await runForTest(['verify', '--data', path]);
  expect(verified.exitCode).toBe(1);
  expect(verified.out).toContain('is damaged');

  const exchange = await start();
  const { status, json } = await readLedger(exchange);
  expect([status, json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(json.error.message).toContain('rebuilt');
  expect((await asAlice(exchange, 'POST', '/api/orders', ORDER)).status).toBe(200);
  const ledger = await ledgerAtLast(exchange);
  // The first entry, two of each of 20 orders, and the hold of the newest order.
  expect(ledger.entries.length).toBeGreaterThan(41);
  expect(await admin('/metrics')).toMatch(/^buttonwood_history_damage_total [1-9]/m);
  expect(JSON.parse(await admin('/readyz'))).toEqual({ ready: true, reasons: [] });
  const { exitCode, output } = await exchange.stop();
  expect(exitCode).toBe(0);
  expect(output).toContain('damaged: a row of the table entries is not what was written');
  expect(output).toContain('History was rebuilt from the log');
  expect((await runForTest(['verify', '--data', path])).exitCode).toBe(0);
});

test('a file that is not a database: orders continue while it is rebuilt', async () => {
  const { history } = dataPaths(path);
  const bytes = readFileSync(history);
  bytes.fill(0x55, 0, 8192);
  writeFileSync(history, bytes);
  const exchange = await start();
  expect((await asAlice(exchange, 'POST', '/api/orders', ORDER)).status).toBe(200);
  await ledgerAtLast(exchange);
  expect((await exchange.stop()).exitCode).toBe(0);
  expect((await runForTest(['verify', '--data', path])).exitCode).toBe(0);
});

test('a missing page in the middle stops no process', async () => {
  const { history } = dataPaths(path);
  const bytes = readFileSync(history);
  // All pages except those of the schema and the first tables' roots.
  bytes.fill(0, 4 * 4096);
  writeFileSync(history, bytes);
  const exchange = await start();
  await ledgerAtLast(exchange);
  expect((await asAlice(exchange, 'POST', '/api/orders', ORDER)).status).toBe(200);
  expect((await exchange.stop()).exitCode).toBe(0);
  expect((await runForTest(['verify', '--data', path])).exitCode).toBe(0);
});

test('a missing history is rebuilt with the statistics of the last day', async () => {
  const { history, rebuiltHistory } = dataPaths(path);
  const before = new Database(history, { readonly: true });
  const count = before.query<{ n: number }, []>('SELECT COUNT(*) AS n FROM entries').get()!.n;
  before.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(history + suffix, { force: true });
  const exchange = await start();
  await ledgerAtLast(exchange);
  expect((await exchange.stop()).exitCode).toBe(0);
  const after = new Database(history, { readonly: true });
  expect(after.query<{ n: number }, []>('SELECT COUNT(*) AS n FROM entries').get()!.n).toBe(count);
  after.close();
  expect(existsSync(rebuiltHistory)).toBe(false);
});
