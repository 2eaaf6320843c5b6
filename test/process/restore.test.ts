import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runForTest } from '../../src/testing/test-cli.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** Tests the backup and restore of docs/operating/backup-and-restore.md for an exchange with its log in files. */

setDefaultTimeout(60_000);

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
const copy = () => join(parent.path, 'copy');

async function start(): Promise<ExchangeProcess> {
  running = await ExchangeProcess.start(data());
  return running;
}

/** Places an order. @returns Its id, or that of the existing order with the same client id. */
async function buy(exchange: ExchangeProcess, clientOrderId: string): Promise<number> {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
  const body = JSON.stringify({ ...order, clientOrderId });
  const alice = exchange.credential('alice');
  const { status, json } = await exchange.send(alice, 'POST', '/api/orders', body);
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(json)}`);
  return json.data.orderId;
}

async function kept(exchange: ExchangeProcess) {
  const alice = exchange.credential('alice');
  const get = async (path: string) => (await exchange.send(alice, 'GET', path)).json.data;
  return { orders: await get('/api/orders'), balances: await get('/api/balances') };
}

async function signIn({ baseUrl }: ExchangeProcess): Promise<number> {
  const { users } = JSON.parse(readFileSync(join(data(), 'sandbox.json'), 'utf8'));
  const { email, password } = users[0];
  const { status } = await fetch(`${baseUrl}/api/account/sign-in`, {
    method: 'POST',
    headers: { Origin: baseUrl, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return status;
}

/** Destroys the directory, restores it, verifies it and starts the exchange. */
async function putBack(): Promise<ExchangeProcess> {
  rmSync(data(), { recursive: true });
  cpSync(copy(), data(), { recursive: true });
  const verified = await runForTest(['verify', '--data', data(), '--json']);
  expect(verified).toMatchObject({ exitCode: 0, error: '' });
  expect(JSON.parse(verified.out)).toMatchObject({ sound: true });
  return start();
}

test('log, users and keys of a stopped exchange suffice: the rest is rebuilt', async () => {
  let exchange = await start();
  const ids = [];
  for (let index = 0; index < 20; index++) ids.push(await buy(exchange, `a-${index}`));
  const before = await kept(exchange);
  await exchange.stop();
  for (const name of ['log', 'accounts.sqlite', 'sandbox.json']) {
    cpSync(join(data(), name), join(copy(), name), { recursive: true });
  }
  expect(readdirSync(copy()).sort()).toEqual(['accounts.sqlite', 'log', 'sandbox.json']);

  exchange = await start();
  const late = await buy(exchange, 'late');
  await exchange.kill();
  exchange = await putBack();
  expect(await kept(exchange)).toEqual(before);
  expect(await signIn(exchange)).toBe(200);
  expect(await buy(exchange, 'a-3')).toBe(ids[3]!);
  // Orders after the copy are lost, and their ids are used again.
  expect(await buy(exchange, 'later')).toBe(late);
});

test('a snapshot of a running exchange has everything acknowledged before it', async () => {
  let exchange = await start();
  let sent = 0;
  const acknowledged = new Map<string, number>();
  let isOver = false;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const id = `b-${sent++}`;
      const orderId = await buy(exchange, id).catch(() => undefined);
      if (orderId !== undefined) acknowledged.set(id, orderId);
    }
  });
  while (acknowledged.size < 100) await Bun.sleep(5);
  // Simulates a file system snapshot, during which nothing changes.
  process.kill(exchange.pid, 'SIGSTOP');
  const before = new Map(acknowledged);
  cpSync(data(), copy(), { recursive: true });
  process.kill(exchange.pid, 'SIGCONT');
  while (acknowledged.size < before.size + 20) await Bun.sleep(5);
  await exchange.kill();
  isOver = true;
  await Promise.all(load);

  exchange = await putBack();
  const found = new Map<string, number>();
  for (const id of before.keys()) found.set(id, await buy(exchange, id));
  expect(found).toEqual(before);
  expect(await signIn(exchange)).toBe(200);
});
