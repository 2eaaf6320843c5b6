import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startExchange, type TestExchange } from '../../src/test-exchange/index.ts';
import { temporaryDirectory } from './exchange-process.ts';

/** startExchange with real processes, and a cache of its own. */

setDefaultTimeout(120_000);

const INDEX = join(import.meta.dir, '../../src/test-exchange/index.ts');
const directory = temporaryDirectory();
const cache = join(directory.path, 'cache');
const releases = join(cache, 'buttonwood/test-exchanges');
const before = {
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
  BUTTONWOOD_HMAC_KEYS: process.env.BUTTONWOOD_HMAC_KEYS,
};
const open: TestExchange[] = [];

beforeAll(() => {
  process.env.XDG_CACHE_HOME = cache;
  // A setting of another exchange, which must not apply.
  process.env.BUTTONWOOD_HMAC_KEYS = 'off';
});
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((exchange) => exchange.close()));
});
afterAll(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  directory.remove();
});

async function start(...options: Parameters<typeof startExchange>): Promise<TestExchange> {
  const exchange = await startExchange(...options);
  open.push(exchange);
  return exchange;
}

/** Runs a program that uses `startExchange`, until `end` or its own end. @returns What it printed, as JSON. */
async function runProgram(text: string, end: 'itself' | 'kill' = 'itself') {
  const path = join(directory.path, `program-${Math.random()}.ts`);
  writeFileSync(path, `import { startExchange } from ${JSON.stringify(INDEX)};\n${text}`);
  const child = Bun.spawn([process.execPath, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  if (end === 'kill') child.kill('SIGKILL');
  await child.exited;
  return JSON.parse(new TextDecoder().decode(value));
}

/** A server that does not notice the end of its launcher ends later, at its next output, which no one reads. */
const END_LIMIT_MS = 10_000;

/** Resolves once no server answers at the address. */
async function whenGone(baseUrl: string): Promise<void> {
  const until = Date.now() + END_LIMIT_MS;
  while (await fetch(baseUrl).then(Boolean, () => false)) {
    if (Date.now() > until) throw new Error('the exchange still answers');
    await Bun.sleep(10);
  }
}

test('gives addresses, keys and clients of an exchange of its own', async () => {
  const [exchange, other] = await Promise.all([start(), start()]);
  expect(exchange.baseUrl).toBe(`http://127.0.0.1:${exchange.port}`);
  expect(exchange.port).not.toBe(other.port);
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1, price: 100 } as const;
  await exchange.client.placeOrder(order);
  expect((await exchange.client.listOrders()).orders).toHaveLength(1);
  expect((await other.client.listOrders()).orders).toEqual([]);
  expect(Object.keys((await exchange.operator.listAccounts()).accounts)).not.toHaveLength(0);
  // There are no makers by default.
  const { bids, asks } = await exchange.client.getOrderbook({ symbol: 'BTC/USDT' });
  expect([bids.length, asks.length]).toEqual([1, 0]);
});

test('its HMAC keys trade in the Binance dialect', async () => {
  const exchange = await start();
  const account = await exchange.account({ funds: { USDT: 1234 } });
  for (const { apiKey, apiSecret } of [exchange.keys.bob.binance, account.binance]) {
    const query = `timestamp=${(await exchange.clock.now()).getTime()}`;
    const signature = createHmac('sha256', apiSecret).update(query).digest('hex');
    const response = await fetch(
      `${exchange.binanceUrl}/api/v3/account?${query}&signature=${signature}`,
      { headers: { 'X-MBX-APIKEY': apiKey } },
    );
    expect(response.status).toBe(200);
  }
});

test('opens accounts with the funds that a test gives them', async () => {
  const exchange = await start();
  const rich = await exchange.account({ funds: { USDT: '0.5', BTC: 3 } });
  const poor = await exchange.account();
  const { balances } = await rich.client.getBalances();
  expect(balances.map(({ asset, available }) => [asset, available])).toEqual([
    ['USDT', 0.5],
    ['BTC', 3],
  ]);
  expect((await poor.client.getBalances()).balances).toEqual([]);
  expect(poor.accountId).not.toBe(rich.accountId);
  await expect(exchange.account({ funds: { DOGE: 1 } })).rejects.toThrow('DOGE');
});

test('close ends the process and removes its data', async () => {
  const exchange = await start();
  expect(existsSync(exchange.dataDirectory)).toBe(true);
  await exchange.close();
  expect(existsSync(exchange.dataDirectory)).toBe(false);
  await expect(fetch(exchange.baseUrl)).rejects.toThrow();
  await exchange.close();
});

test('close fails if the exchange has ended by itself', async () => {
  const exchange = await startExchange();
  await exchange.operator.listAccounts();
  process.kill(findServer(exchange), 'SIGABRT');
  await whenGone(exchange.baseUrl);
  await expect(exchange.close()).rejects.toThrow(
    /ended during the test \(SIGABRT\):[\s\S]*Buttonwood sandbox/,
  );
  expect(existsSync(exchange.dataDirectory)).toBe(false);
});

/** Returns the process that has the data directory among its arguments. */
function findServer({ dataDirectory }: TestExchange): number {
  const isServer = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(dataDirectory);
    } catch {
      return false;
    }
  };
  return Number(readdirSync('/proc').find((name) => /^\d+$/.test(name) && isServer(name)));
}

test('the exchange ends with its launcher, and the next start removes what is left', async () => {
  const text = `const { baseUrl, dataDirectory } = await startExchange();
    console.log(JSON.stringify({ baseUrl, dataDirectory }));
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const { baseUrl, dataDirectory } = await runProgram(text, 'kill');
  await whenGone(baseUrl);
  // Another process of this machine may remove it first.
  const exchange = await start();
  while (existsSync(dataDirectory)) await Bun.sleep(10);
  expect(existsSync(exchange.dataDirectory)).toBe(true);
});

test('a program that does not close its exchange ends all the same', async () => {
  const text = `const { baseUrl } = await startExchange();
    console.log(JSON.stringify({ baseUrl }));`;
  const { baseUrl } = await runProgram(text);
  await whenGone(baseUrl);
});

test('starts at the same time share one warm copy', async () => {
  const seed = 77;
  await start();
  const [release] = readdirSync(releases);
  const copies = () => readdirSync(join(releases, release!));
  const known = copies();
  const exchanges = await Promise.all([1, 2, 3].map(() => start({ seed })));
  for (const { client } of exchanges) expect((await client.listOrders()).orders).toEqual([]);
  const added = copies().filter((name) => !known.includes(name));
  expect(added).toEqual([expect.stringMatching(/^data-[0-9a-f]{32}$/)]);
  // Keys come from the copy.
  expect((await start({ seed })).keys).toEqual(exchanges[0]!.keys);
});

test.each(['log/00000000000000000001.log', 'main.js'])('a damaged %s is replaced', async (file) => {
  await start();
  const damaged = [...new Bun.Glob(`*/*/${file}`).scanSync(releases)];
  expect(damaged).not.toEqual([]);
  for (const path of damaged) writeFileSync(join(releases, path), 'damaged');
  expect((await (await start()).client.listOrders()).orders).toEqual([]);
  await start();
  const [path] = new Bun.Glob(`*/*/${file}`).scanSync(releases);
  expect(readFileSync(join(releases, path!), 'utf8')).not.toBe('damaged');
});

/** Creates directories whose files were used one after the other, `everySeconds` apart, the first one now. */
function createOld(folder: string, names: readonly string[], everySeconds: number): void {
  names.forEach((name, index) => {
    mkdirSync(join(folder, name), { recursive: true });
    const usedAt = Date.now() / 1000 - index * everySeconds;
    utimesSync(join(folder, name), usedAt, usedAt);
  });
}

test('releases and copies that are no longer used are removed', async () => {
  const otherCache = join(directory.path, 'other');
  const folder = join(otherCache, 'buttonwood/test-exchanges');
  createOld(folder, ['a', 'b', 'c', 'd', 'e', 'f'], 140);
  process.env.XDG_CACHE_HOME = otherCache;
  try {
    await start();
    // The newest four with this one, and those of the last ten minutes.
    const releasesLeft = readdirSync(folder).filter((name) => name.length === 1);
    expect(releasesLeft.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const release = join(folder, readdirSync(folder).find((name) => name.length > 1)!);
    createOld(release, ['data-a', 'data-b', 'data-c', 'data-d', 'data-e', 'data-f'], 1);
    await start();
    const copies = readdirSync(release).filter((name) => name.length < 9);
    expect(copies.sort()).toEqual(
      ['data-a', 'data-b', 'data-c', 'data-d', 'data-e', 'server'].sort(),
    );
  } finally {
    process.env.XDG_CACHE_HOME = cache;
  }
});

test('a cache that cannot be written only costs time', async () => {
  const file = join(directory.path, 'file');
  writeFileSync(file, '');
  process.env.XDG_CACHE_HOME = file;
  try {
    expect((await (await start()).client.listOrders()).orders).toEqual([]);
  } finally {
    process.env.XDG_CACHE_HOME = cache;
  }
});

test('errors name what is wrong, and leave nothing behind', async () => {
  await start();
  const count = () =>
    readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`)).length;
  const countBefore = count();
  const [release] = readdirSync(releases);
  const copies = () => readdirSync(join(releases, release!));
  const copiesBefore = copies();
  await expect(startExchange({ seed: -1 })).rejects.toThrow(
    /--seed must be a whole number from 0 to 4294967295, not "-1"/,
  );
  await expect(startExchange({ settings: { makrs: 'on' } })).rejects.toThrow('--makrs');
  await expect(startExchange({ settings: { port: '3000' } })).rejects.toThrow(
    'A test exchange chooses the setting port itself.',
  );
  expect(count()).toBe(countBefore);
  expect(copies()).toEqual(copiesBefore);
});
