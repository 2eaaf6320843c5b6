import { afterAll, afterEach, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

const FROZEN = { BUTTONWOOD_CLOCK: 'frozen', BUTTONWOOD_SEED: '7' };
const SYMBOL = 'BTC/USDT';
const ORDER = { symbol: SYMBOL, side: 'buy', type: 'limit', amount: 0.01 } as const;

const parent = temporaryDirectory();
let directories = 0;
let directory: string;
let exchange: ExchangeProcess | undefined;

afterEach(async () => {
  await exchange?.kill();
  exchange = undefined;
});
afterAll(() => parent.remove());

async function start(env: Record<string, string> = FROZEN, isNew = true) {
  if (isNew) directory = join(parent.path, `${directories++}`);
  exchange = await ExchangeProcess.start(directory, env);
  const { baseUrl } = exchange;
  const alice = new Client({ baseUrl, ...exchange.credential('alice') });
  const operator = new Client({ baseUrl, ...exchange.credential('operator') });
  return { exchange, alice, operator };
}

test('a restored sandbox continues as it did the first time, with its makers, history and users', async () => {
  // Without the makers' thirty days of trading, which take seconds.
  await (await start()).exchange.stop();
  const living = await start({ ...FROZEN, BUTTONWOOD_MAKERS: 'on' }, false);
  const { alice, operator, exchange } = living;
  await operator.setSandboxClock({ advanceMs: 30_000 });
  await alice.placeOrder({ ...ORDER, price: 90_000, clientOrderId: 'before' });
  await operator.changeMakers({ symbol: SYMBOL, spread: 3 });
  const created = await operator.createCheckpoint({ name: 'moment' });
  const before = await operator.getState();
  const play = async () => {
    await alice.placeOrder({ ...ORDER, price: 200_000, clientOrderId: 'after' });
    await operator.setSandboxClock({ advanceMs: 3_600_000 });
    const { fills } = await alice.getFills({});
    const { candles } = await alice.getCandles({ symbol: SYMBOL, interval: '5m', limit: 20 });
    const { stateHash, logPosition } = await operator.getState();
    return { fills, candles, stateHash, logPosition };
  };
  const first = await play();
  expect(first.fills.length).toBeGreaterThan(0);
  for (let round = 0; round < 2; round++) {
    expect(await operator.restoreCheckpoint({ name: 'moment' })).toEqual(created);
    expect(await operator.getState()).toEqual(before);
    expect((await alice.getFills({})).fills).toEqual([]);
    expect((await operator.getMakers()).makers[0]).toMatchObject({ spread: 3 });
    expect(await play()).toEqual(first);
  }
  await exchange.stop();
  expect(await runForTest(['verify'], { BUTTONWOOD_DATA: directory })).toMatchObject({
    exitCode: 0,
  });
}, 120_000);

test('orders in flight are executed before it, rejected, or executed after it', async () => {
  const { alice, operator, exchange } = await start();
  await operator.createCheckpoint({ name: 'empty' });
  const key = exchange.credential('alice');
  let isOver = false;
  const answers: { status: number; id: string }[] = [];
  const send = async (client: number) => {
    for (let sent = 0; !isOver; sent++) {
      const id = `${client}-${sent}`;
      const body = JSON.stringify({ ...ORDER, price: 45_000, clientOrderId: id });
      const { status, json } = await exchange.send(key, 'POST', '/api/orders', body);
      answers.push({ status, id });
      if (status !== 200) expect(json.error.code).toBe('OVERLOADED');
      await alice.cancelOrders({ all: 'true' }).catch(() => {});
    }
  };
  const clients = [1, 2, 3, 4].map(send);
  for (let round = 0; round < 5; round++) {
    await Bun.sleep(50);
    await operator.restoreCheckpoint({ name: 'empty' });
  }
  await Bun.sleep(50);
  isOver = true;
  await Promise.all(clients);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(5);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  // An order that was rejected is not there.
  const rejected = new Set(answers.filter(({ status }) => status !== 200).map(({ id }) => id));
  const { orders } = await alice.listOrders({ limit: 1000 });
  expect(orders.filter(({ clientOrderId }) => rejected.has(clientOrderId!))).toEqual([]);
  expect((await operator.getState()).assets.every(({ balances }) => balances)).toBe(true);
}, 60_000);

test('a request whose body arrives after it is rejected, and not left without an answer', async () => {
  const { operator, exchange } = await start();
  await operator.createCheckpoint({ name: 'half' });
  const body = JSON.stringify({ ...ORDER, price: 45_000 });
  const { apiKey, apiSecret } = exchange.credential('alice');
  const answer = Promise.withResolvers<string>();
  const { hostname, port } = new URL(exchange.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('data', (data) => answer.resolve(`${data}`));
  socket.write(
    `POST /api/orders HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${apiKey}\r\nX-API-Secret: ${apiSecret}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await Bun.sleep(200);
  await operator.restoreCheckpoint({ name: 'half' });
  socket.write(body.slice(10));
  expect(await Promise.race([answer.promise, Bun.sleep(5_000)])).toContain('OVERLOADED');
  socket.destroy();
  const { orders } = await new Client({ ...exchange, apiKey, apiSecret }).listOrders({});
  expect(orders).toEqual([]);
}, 60_000);

test('a sandbox with the time of the machine keeps it', async () => {
  const { operator, exchange } = await start({});
  await operator.createCheckpoint({ name: 'now' });
  await Bun.sleep(1_500);
  await operator.restoreCheckpoint({ name: 'now' });
  const { timestamp } = await operator.getTime();
  expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(1_000);
  // A stop waits for a return that has begun.
  const returning = operator.restoreCheckpoint({ name: 'now' }).catch(() => {});
  await Bun.sleep(20);
  expect((await exchange.stop()).exitCode).toBe(0);
  await returning;
}, 60_000);

test('streams are closed with the code of a restart, and can be opened again', async () => {
  const { operator, exchange } = await start();
  await operator.createCheckpoint({ name: 'open' });
  const url = `${exchange.baseUrl.replace('http', 'ws')}/ws`;
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
  await operator.restoreCheckpoint({ name: 'open' });
  const code = closed.then((event) => event.code);
  expect(await Promise.race([code, Bun.sleep(5_000)])).toBe(1012);
  const again = new WebSocket(url);
  await new Promise((resolve) => again.addEventListener('open', resolve));
  again.close();
}, 60_000);

test('a restoration that the end of the process interrupted is completed by the next start', async () => {
  const { alice, operator, exchange } = await start();
  await alice.placeOrder({ ...ORDER, price: 45_000 });
  await operator.createCheckpoint({ name: 'one-order' });
  const { stateHash } = await operator.getState();
  await alice.placeOrder({ ...ORDER, price: 46_000 });
  await exchange.kill();
  // A process that ends in the middle of a restore leaves this file.
  writeFileSync(join(directory, 'restoring'), 'one-order');
  const again = await start(FROZEN, false);
  expect(existsSync(join(directory, 'restoring'))).toBe(false);
  expect((await again.operator.getState()).stateHash).toBe(stateHash);
}, 60_000);

test('checkpoints are listed, replaced and deleted; unknown and bad names are rejected', async () => {
  const { alice, operator, exchange } = await start();
  await operator.createCheckpoint({ name: 'a' });
  await alice.placeOrder({ ...ORDER, price: 45_000 });
  const replaced = await operator.createCheckpoint({ name: 'a' });
  await operator.createCheckpoint({ name: 'b' });
  const { checkpoints } = await operator.listCheckpoints();
  expect(checkpoints.map(({ name, position }) => [name, position])).toEqual([
    ['a', replaced.position],
    ['b', replaced.position],
  ]);
  await operator.deleteCheckpoint({ name: 'b' });
  const key = exchange.credential('operator');
  for (const [path, name, status, code] of [
    ['/api/sandbox/restore', 'b', 404, 'NOT_FOUND'],
    ['/api/sandbox/restore', '../a', 400, 'INVALID_REQUEST'],
    ['/api/sandbox/checkpoints', '..', 400, 'INVALID_REQUEST'],
    ['/api/sandbox/checkpoints', 'x'.repeat(65), 400, 'INVALID_REQUEST'],
    ['/api/sandbox/checkpoints', '', 400, 'INVALID_REQUEST'],
  ] as const) {
    const answer = await exchange.send(key, 'POST', path, JSON.stringify({ name }));
    expect([path, name, answer.status, answer.json.error.code]).toEqual([path, name, status, code]);
  }
  const hidden = await exchange.send(key, 'DELETE', '/api/sandbox/checkpoints/..%2F..');
  expect(hidden.status).toBe(404);
  const trader = exchange.credential('alice');
  const denied = await exchange.send(trader, 'POST', '/api/sandbox/restore', '{"name":"a"}');
  expect(denied.status).toBe(403);
}, 60_000);

test('thirty restorations leave no threads and no files open', async () => {
  const { operator, exchange } = await start();
  await operator.createCheckpoint({ name: 'again' });
  const count = (name: string) =>
    [...new Bun.Glob('*').scanSync({ cwd: `/proc/${exchange.pid}/${name}`, onlyFiles: false })]
      .length;
  const restore = async (times: number) => {
    for (let time = 0; time < times; time++) await operator.restoreCheckpoint({ name: 'again' });
    await Bun.sleep(200);
    return { threads: count('task'), files: count('fd') };
  };
  const after = await restore(5);
  const later = await restore(25);
  expect(later.threads).toBeLessThan(after.threads + 10);
  expect(later.files).toBeLessThan(after.files + 10);
}, 120_000);
