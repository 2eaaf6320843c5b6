import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { dataPaths } from '../../src/config/data-paths.ts';
import { segmentName } from '../../src/log/file-log.ts';
import type { Batch } from '../../src/log/log.ts';
import { openSourceLog } from '../../src/log/source-log.ts';
import { retry } from '../../src/monitoring/retry.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

/** Tests `buttonwood fork` and `capsule` with the real command line and running nodes. */

setDefaultTimeout(120_000);

const LIVING = { BUTTONWOOD_MAKERS: 'on', BUTTONWOOD_RATE_LIMITS: 'off' };
const parent = temporaryDirectory();
let directories = 0;
const newDirectory = () => join(parent.path, `${directories++}`);
const living = newDirectory();
const running: MainProcess[] = [];
let source: MainProcess;

beforeAll(async () => {
  source = MainProcess.start(['start'], { BUTTONWOOD_DATA: living, ...LIVING });
  await source.serving();
});
afterEach(async () => {
  for (const process of running.splice(0)) await kill(process);
});
afterAll(async () => {
  await kill(source);
  parent.remove();
});

async function kill(process: MainProcess): Promise<void> {
  process.signal('SIGKILL');
  await process.ended();
}

/** Starts a node that ends with the test. @returns Its address. */
async function serve(command: string, data: string, env: Record<string, string> = {}) {
  const process = MainProcess.start([command], { BUTTONWOOD_DATA: data, ...env });
  running.push(process);
  return process.serving();
}

/** Runs a command of a stopped node. @returns Its output and exit code. */
async function run(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const process = MainProcess.start(args, {});
  return { exitCode: await process.ended(), output: process.output };
}

/** Runs a command that must succeed. @returns Its output as JSON. */
async function json(...args: string[]) {
  const { exitCode, output } = await run(...args, '--json');
  // A slow command prints its progress before.
  const result = output.trim().split('\n').at(-1)!;
  expect([exitCode, result]).toEqual([0, expect.stringMatching(/^\{/)]);
  return JSON.parse(result);
}

function readKeys(data: string, file = 'sandbox.json'): Credential[] {
  return JSON.parse(readFileSync(join(data, file), 'utf8')).accounts;
}

/** Returns a client with the first key of that name in a file of credentials. Its orders wait while a node is busy. */
function makeClient(baseUrl: string, data: string, name: string, file = 'sandbox.json'): Client {
  const { apiKey, apiSecret } = readKeys(data, file).find((each) => each.name === name)!;
  return new Client({ baseUrl, apiKey, apiSecret, waitToPlace: true });
}

function placeOrder(client: Client, price: number, timeInForce: 'GTC' | 'IOC' = 'GTC') {
  const terms = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01 } as const;
  return client.placeOrder({ ...terms, price, timeInForce });
}

async function readLog(data: string): Promise<Batch[]> {
  const log = await openSourceLog(new DiskStorage(), dataPaths(data).log);
  return [...log.read(0)];
}

test('a fork of a living market trades on while its source does', async () => {
  const alice = makeClient(await source.serving(), living, 'alice');
  const order = await placeOrder(alice, 1000);
  const target = newDirectory();
  const forked = await json('fork', '--data', living, '--to', target);
  expect(forked).toMatchObject({ wasSandbox: true, stateHash: forked.sourceStateHash });
  // A part of the market's thirty days.
  expect(forked.logPosition).toBeGreaterThan(40_000);
  const before = await json('verify', '--data', target);
  expect(before).toMatchObject({ sound: true, stateHash: forked.stateHash });

  const baseUrl = await serve('start', target, LIVING);
  // The users' database is not copied, and with it the key of the secrets of HMAC keys.
  expect(running[0]!.output).toContain('HMAC keys do not work here');
  const [hmac, old] = [target, living].map((data) => readKeys(data).find(({ binance }) => binance));
  expect(hmac!.binance).not.toEqual(old!.binance);
  // The same key, and the order that alice had placed.
  const twin = makeClient(baseUrl, target, 'alice');
  const { orders } = await twin.listOrders({ status: 'open' });
  expect(orders.map(({ orderId }) => orderId)).toContain(order.orderId);
  await twin.cancelOrder({ id: order.orderId });
  const here = await placeOrder(alice, 1001);
  const there = await placeOrder(twin, 1002);
  const market = await retry(
    () => twin.placeOrder({ symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: 0.01 }),
    // Until the market makers quote again.
    { every: 100, until: performance.now() + 60_000 },
  );
  expect(market.status).toBe('filled');
  expect((await alice.getOrder({ id: order.orderId })).status).toBe('open');
  expect((await alice.getOrder({ id: here.orderId })).price).toBe(1001);
  expect((await twin.getOrder({ id: there.orderId })).price).toBe(1002);

  const { logPosition } = forked;
  const [ours, theirs] = [await readLog(living), await readLog(target)];
  expect(theirs.slice(0, logPosition)).toEqual(ours.slice(0, logPosition));
  expect(theirs[logPosition]).not.toEqual(ours[logPosition]!);
  await running.pop()!.stop();
  expect(await json('verify', '--data', target)).toMatchObject({ sound: true });
});

test('forks of a node under load are those of moments of its log', async () => {
  const alice = makeClient(await source.serving(), living, 'alice');
  let isOver = false;
  const load = (async () => {
    for (let n = 0; !isOver; n++) await placeOrder(alice, 100 + (n % 50), 'IOC');
  })();
  const positions: number[] = [];
  for (let n = 0; n < 2; n++) {
    const target = newDirectory();
    const { logPosition, stateHash } = await json('fork', '--data', living, '--to', target);
    expect(await json('verify', '--data', target)).toMatchObject({ sound: true, stateHash });
    const again = newDirectory();
    const same = await json('fork', '--data', living, '--at', `${logPosition}`, '--to', again);
    expect(same).toMatchObject({ logPosition, stateHash });
    positions.push(logPosition);
  }
  isOver = true;
  await load;
  expect(new Set(positions).size).toBe(2);
});

test('a fork that is killed leaves a directory that no start takes, and can be repeated', async () => {
  const target = newDirectory();
  const mark = dataPaths(target).forking;
  const forking = MainProcess.start(['fork', '--data', living, '--to', target], {});
  // Its log has begun.
  while (!existsSync(join(dataPaths(target).log, segmentName(1)))) await Bun.sleep(1);
  await kill(forking);
  expect(existsSync(mark)).toBe(true);
  const started = MainProcess.start(['start'], { BUTTONWOOD_DATA: target });
  running.push(started);
  const [line] = await started.printed(/.*(incomplete fork|sandbox at).*/);
  expect(line).toContain(`${target} is an incomplete fork`);
  expect(await started.ended()).toBe(1);
  const { exitCode, output } = await run('fork', '--data', target, '--to', newDirectory());
  expect([exitCode, output]).toEqual([1, expect.stringContaining('is incomplete')]);
  await json('fork', '--data', living, '--to', target);
  expect(existsSync(mark)).toBe(false);
  await serve('start', target);
});

test('a fork of a real exchange is a sandbox with accounts of its own', async () => {
  const data = newDirectory();
  const baseUrl = await serve('serve', data);
  const operator = makeClient(baseUrl, data, 'operator', 'operator.json');
  // The first asset is none of the sandbox's.
  await operator.createAsset({ asset: 'XYZ', name: 'Xyz', decimals: 4 });
  await operator.createAsset({ asset: 'USDT', name: 'Tether', decimals: 6 });
  await operator.createAccount({ accountId: 'dora' });
  const target = newDirectory();
  const { wasSandbox, stateHash, sourceStateHash } = await json(
    'fork',
    '--data',
    data,
    '--to',
    target,
  );
  expect(wasSandbox).toBe(false);
  expect(stateHash).not.toBe(sourceStateHash);
  expect((await run('serve', '--data', target)).output).toContain('is a sandbox');

  const forkUrl = await serve('start', target);
  const { balances } = await makeClient(forkUrl, target, 'alice').getBalances();
  expect(balances.map(({ asset, available }) => [asset, available])).toEqual([['USDT', 1_000_000]]);
  const { accounts } = await makeClient(forkUrl, target, 'operator').listAccounts();
  expect(accounts.map(({ accountId }) => accountId)).toEqual(['operator', 'dora', 'alice', 'bob']);
  // The operator's key of the source works too, and the source has none of the new accounts.
  const known = makeClient(forkUrl, data, 'operator', 'operator.json');
  expect((await known.listAccounts()).accounts).toHaveLength(4);
  expect((await operator.listAccounts()).accounts).toHaveLength(2);
});

test('a capsule of a running node is equal, and its reader may stop early', async () => {
  const file = join(parent.path, 'living.capsule');
  const written = await json('capsule', file, '--data', living);
  const { stateHash, batches } = written;
  expect(await json('capsule', 'run', file)).toMatchObject({ equal: true, stateHash, batches });
  const command = `"${process.execPath}" src/main.ts capsule show "${file}" | head -n 3`;
  const shown = MainProcess.spawn(['sh', '-c', command], {});
  expect(await shown.ended()).toBe(0);
  const lines = shown.output.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual([undefined, 'open', 'createAsset']);
});
