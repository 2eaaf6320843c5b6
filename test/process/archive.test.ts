import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runForTest } from '../../src/testing/test-cli.ts';
import { describeWherePossible } from '../describe-where-possible.ts';
import { freePort } from '../free-ports.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** The whole of docs/operating/retention.md with real processes: a directory, and a server of object storage. */

setDefaultTimeout(120_000);

const BUCKET = 'exchange-log';
const ORDERS = 900;
const WAIT_MS = 60_000;

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
const archive = () => join(parent.path, 'archive');
const history = () => join(data(), 'history.sqlite');

async function start(env: Record<string, string>): Promise<ExchangeProcess> {
  running = await ExchangeProcess.start(data(), { ...env, BUTTONWOOD_KEEP_LOG: '0MB' });
  return running;
}

async function stop(): Promise<string> {
  const { exitCode, output } = await running!.stop();
  running = undefined;
  expect(exitCode).toBe(0);
  return output;
}

async function buy(price: number): Promise<void> {
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price };
  const alice = running!.credential('alice');
  const { status } = await running!.send(alice, 'POST', '/api/orders', JSON.stringify(order));
  expect(status).toBe(200);
}

async function cancelAll(): Promise<void> {
  const alice = running!.credential('alice');
  expect((await running!.send(alice, 'DELETE', '/api/orders?symbol=BTC/USDT')).status).toBe(200);
}

async function read(path: string, name = 'operator') {
  return (await running!.send(running!.credential(name), 'GET', path)).json;
}

/** Repeats a read until it is as expected, and returns it. */
async function until<T>(ask: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const found = await ask();
    if (isDone(found)) return found;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(found)}`);
    await Bun.sleep(200);
  }
}

const state = async () => (await read('/api/admin/state')).data;

/** Trades until the log has several segments, and takes the two snapshots that a start keeps. */
async function fillLog(env: Record<string, string>): Promise<void> {
  await start(env);
  for (let done = 0; done < ORDERS; done += 90) {
    for (let order = 0; order < 90; order++) await buy(40_000 + done + order);
    await cancelAll();
  }
  await stop();
  await start(env);
  await buy(39_000);
  await stop();
}

/** Tests moves, time travel, the rebuild of history and verification. @param damage Damages one object of a segment. */
async function checkArchive(
  env: Record<string, string>,
  damage: () => Promise<string>,
): Promise<void> {
  await fillLog(env);
  await start(env);
  const { position } = await until(
    async () => (await state()).archive,
    (found) => found.position > 0 && found.waitingBytes === 0 && found.error === null,
  );
  expect(position).toBeGreaterThan(ORDERS / 3);
  // The book after the tenth order, from the archive.
  const { data: early } = await until(
    () => read('/api/orderbook?symbol=BTC/USDT&at=50', 'alice'),
    ({ success }) => success,
  );
  expect(early.bids.length).toBeGreaterThan(10);
  expect(early.bids[0][0]).toBeLessThan(40_060);
  await stop();

  const before = await runForTest(['verify', '--data', data(), '--json'], env);
  expect(before.error).toBe('');
  const verified = JSON.parse(before.out);
  expect(verified).toMatchObject({ sound: true, historyPosition: verified.logPosition });

  rmSync(history());
  await start(env);
  const ended = await until(
    () => read('/api/orders?status=canceled&limit=1000', 'alice'),
    ({ success }) => success,
  );
  expect(ended.data.orders.length).toBe(ORDERS);
  await stop();
  const rebuilt = await runForTest(['verify', '--data', data(), '--json'], env);
  expect(JSON.parse(rebuilt.out)).toMatchObject({ sound: true });

  const missing = await runForTest(['verify', '--data', data()]);
  expect(missing).toMatchObject({ exitCode: 1 });
  expect(missing.out).toContain('Set BUTTONWOOD_ARCHIVE');
  const restored = join(parent.path, 'restored');
  const done = await runForTest(['archive', 'restore', '--data', data(), '--to', restored], env);
  expect(done.exitCode).toBe(0);
  const whole = JSON.parse((await runForTest(['verify', '--data', restored, '--json'])).out);
  expect(whole).toMatchObject({ sound: true, logPosition: JSON.parse(rebuilt.out).logPosition });

  const args = ['--data', data(), '--json'];
  expect((await runForTest(['archive', 'verify', ...args], env)).exitCode).toBe(0);
  const name = await damage();
  const found = await runForTest(['archive', 'verify', ...args], env);
  expect(found.exitCode).toBe(1);
  const { problems } = JSON.parse(found.out);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
  expect((await runForTest(['verify', '--data', data()], env)).out).toContain(name);
}

test('a directory: segments move, and every reader reads them', async () => {
  mkdirSync(archive());
  await checkArchive({ BUTTONWOOD_ARCHIVE: `file://${archive()}` }, async () => {
    const name = readdirSync(archive()).find((each) => each.endsWith('.log.zst'))!;
    rmSync(join(archive(), name));
    return name;
  });
});

test('an archive that is down stops nothing; afterwards the segments move', async () => {
  const env = { BUTTONWOOD_ARCHIVE: `file://${archive()}` };
  await fillLog(env);
  await start(env);
  const down = await until(
    async () => (await state()).archive,
    (found) => found.error !== null,
  );
  expect(down).toMatchObject({ position: 0, url: env.BUTTONWOOD_ARCHIVE });
  expect(down.waitingBytes).toBeGreaterThan(0);
  expect(down.error).toContain('cannot be used');
  await buy(41_000);
  mkdirSync(`${archive()}.new`);
  renameSync(`${archive()}.new`, archive());
  const up = await until(
    async () => (await state()).archive,
    (found) => found.error === null && found.waitingBytes === 0,
  );
  expect(up.position).toBeGreaterThan(0);
  const output = await stop();
  expect(output).toContain('Old segments of the log cannot be moved to the archive');
  expect(output).toContain('works again');
});

const server = process.env.BUTTONWOOD_TEST_S3 ?? Bun.which('moto_server') ?? undefined;
const problem = server === undefined ? 'moto_server is missing' : undefined;

describeWherePossible('object storage', problem, 'pip install "moto[server,s3]"', () => {
  let storage: Bun.Subprocess | undefined;
  afterAll(() => storage?.kill());

  test('an S3 server: segments move, and every reader reads them', async () => {
    const endpoint = `http://127.0.0.1:${freePort()}`;
    const { port } = new URL(endpoint);
    storage = Bun.spawn([server!, '-p', port], { stdio: ['ignore', 'ignore', 'ignore'] });
    await until(
      () => fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' }).catch(() => undefined),
      (answer) => answer?.ok === true,
    );
    const client = new Bun.S3Client({
      bucket: BUCKET,
      endpoint,
      accessKeyId: 'test',
      secretAccessKey: 'secret',
    });
    const env = {
      BUTTONWOOD_ARCHIVE: `s3://${BUCKET}/production`,
      BUTTONWOOD_ARCHIVE_ENDPOINT: endpoint,
      BUTTONWOOD_ARCHIVE_CREDENTIALS: 'test:secret',
    };
    await checkArchive(env, async () => {
      const { contents } = await client.list({ prefix: 'production/' });
      const key = contents!.map((each) => each.key).find((each) => each.endsWith('.log.zst'))!;
      const bytes = await client.file(key).bytes();
      bytes[bytes.length >> 1]! ^= 1;
      await client.write(key, bytes);
      return key.replace('production/', '');
    });
  });
});
