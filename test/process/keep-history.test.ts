import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runForTest } from '../../src/testing/test-cli.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** The part of docs/operating/retention.md about history, with a real process and days that pass. */

setDefaultTimeout(120_000);

const DAY_MS = 86_400_000;
const WAIT_MS = 60_000;
const ENV = { BUTTONWOOD_KEEP_HISTORY: '31d', BUTTONWOOD_CLOCK: 'frozen' };

let parent: ReturnType<typeof temporaryDirectory>;
let running: ExchangeProcess | undefined;
beforeEach(() => {
  parent = temporaryDirectory();
});
afterEach(async () => {
  await running?.kill();
  parent.remove();
});

const data = () => join(parent.path, 'data');

async function start(): Promise<void> {
  running = await ExchangeProcess.start(data(), ENV);
}

async function stop(): Promise<void> {
  const { exitCode } = await running!.stop();
  running = undefined;
  expect(exitCode).toBe(0);
}

async function send(name: string, method: string, path: string, body?: object) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { json } = await running!.send(running!.credential(name), method, path, text);
  if (json.success !== true) throw new Error(`${path}: ${JSON.stringify(json)}`);
  return json.data;
}

/** Places an order far from the market and cancels it: an ended order, a hold and a release. */
async function endOrder(clientOrderId: string): Promise<void> {
  const terms = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 40_000 };
  await send('alice', 'POST', '/api/orders', { ...terms, clientOrderId });
  await send('alice', 'DELETE', '/api/orders?symbol=BTC/USDT');
}

/** Responses are cached until the account changes, so each request is another one. */
let limit = 100;

async function listEnded(): Promise<string[]> {
  const { orders } = await send('alice', 'GET', `/api/orders?status=canceled&limit=${limit++}`);
  return orders.map((order: { clientOrderId: string }) => order.clientOrderId);
}

async function until<T>(ask: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const found = await ask();
    if (isDone(found)) return found;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(found)}`);
    await Bun.sleep(200);
  }
}

async function verify() {
  const { out, error } = await runForTest(['verify', '--data', data(), '--json']);
  expect(error).toBe('');
  const verified = JSON.parse(out);
  expect(verified).toMatchObject({ sound: true, historyPosition: verified.logPosition });
  return verified;
}

test('old orders, fills and entries leave history, and everything says since when it is kept', async () => {
  await start();
  await endOrder('old');
  expect(await listEnded()).toEqual(['old']);
  const terms = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 41_000 };
  await send('bob', 'POST', '/api/orders', { ...terms, side: 'sell' });
  await send('alice', 'POST', '/api/orders', { ...terms, side: 'buy' });
  const { fills } = await send('alice', 'GET', '/api/fills');
  expect(fills).toHaveLength(1);
  for (let days = 0; days < 40; days += 4) {
    await send('operator', 'POST', '/api/sandbox/clock', { advanceMs: 4 * DAY_MS });
    await endOrder(`day-${days + 4}`);
  }
  const ended = await until(listEnded, (ids) => !ids.includes('day-8'));
  expect(ended.toReversed()).toEqual([12, 16, 20, 24, 28, 32, 36, 40].map((day) => `day-${day}`));
  expect((await send('alice', 'GET', `/api/fills?limit=${limit++}`)).fills).toEqual([]);
  // Candles stay.
  const { candles } = await send(
    'alice',
    'GET',
    '/api/candles?symbol=BTC/USDT&interval=1d&limit=60',
  );
  expect(candles.some(({ volume }: { volume: number }) => volume > 0)).toBe(true);

  const report = await send('alice', 'POST', '/api/reports', {
    kind: 'ledger',
    format: 'csv',
    from: '2000-01-01T00:00:00.000Z',
  });
  const { reports } = await until(
    () => send('alice', 'GET', '/api/reports'),
    (found) => found.reports[0].status === 'failed',
  );
  expect(reports[0].reportId).toBe(report.reportId);
  expect(reports[0].error).toMatch(
    /^Orders, fills and ledger entries from before \S+:00:00\.000Z are no longer kept\./,
  );
  const { points } = await send('alice', 'GET', '/api/portfolio/history?interval=1d&limit=100');
  expect(points.length).toBeGreaterThan(29);
  expect(points.length).toBeLessThan(34);
  await stop();
  const { historyKeptSince } = await verify();
  expect(reports[0].error).toContain(historyKeptSince);

  // A rebuilt history keeps no more.
  rmSync(join(data(), 'history.sqlite'));
  await start();
  await until(
    async () => listEnded().catch(() => []),
    (ids) => ids.length > 0,
  );
  expect((await listEnded()).includes('day-8')).toBe(false);
  await stop();
  expect((await verify()).historyKeptSince).toBe(historyKeptSince);
});
