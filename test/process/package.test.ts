import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { installPackage } from './packed.ts';

/** Tests the package as published on npm: its exports on plain Node, and its command. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, '../..');
const directory = temporaryDirectory();
const modules = join(directory.path, 'node_modules');
let tarball: Buffer;
let exchange: ExchangeProcess;

beforeAll(async () => {
  tarball = await installPackage(directory.path);
  exchange = await ExchangeProcess.start(join(directory.path, 'data'));
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

/** Runs a command that must succeed. @returns Its output. */
async function run(cwd: string, ...command: string[]): Promise<string> {
  const { apiKey = '', apiSecret = '' } = exchange?.credential('alice') ?? {};
  const child = Bun.spawn(command, {
    cwd,
    env: {
      ...process.env,
      XDG_CACHE_HOME: join(directory.path, 'cache'),
      ...{ BASE: exchange?.baseUrl, KEY: apiKey, SECRET: apiSecret },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${output}${errors}`);
  return output;
}

/** Runs a program next to the installed package. @returns Its output. */
async function runModule(text: string, ...flags: string[]): Promise<string> {
  writeFileSync(join(directory.path, 'program.mjs'), text);
  return run(directory.path, 'node', ...flags, 'program.mjs');
}

/** Fails if TypeScript finds an error in the program. */
async function compile(program: string, ...flags: string[]): Promise<void> {
  writeFileSync(join(directory.path, 'program.ts'), program);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const always = ['--noEmit', '--strict', '--types', '', '--lib', 'ES2023,DOM'];
  await run(directory.path, 'node', tsc, ...always, ...flags, 'program.ts');
}

test('publint reports nothing', async () => {
  const bytes = new Uint8Array(tarball).buffer;
  const { messages } = await publint({ pack: { tarball: bytes }, strict: true });
  expect(messages).toEqual([]);
});

test('the types resolve wherever ES modules do', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball), {});
  expect(analysis.types).not.toBe(false);
  if (analysis.types === false) return;
  expect(Object.keys(analysis.entrypoints)).toContainValues(['./client', './ccxt', './testing']);
  // A package with only ES modules, as checked by `attw --profile esm-only`.
  const wrong = analysis.problems.filter(
    (problem) =>
      !('resolutionKind' in problem) ||
      problem.resolutionKind === 'node16-esm' ||
      problem.resolutionKind === 'bundler',
  );
  expect(wrong).toEqual([]);
});

test('a TypeScript program gets exact prices as strings', async () => {
  const program = `
    import { Client, OrderBook, Streams } from 'buttonwood/client';
    const ws = globalThis.WebSocket;
    const options = { baseUrl: 'http://127.0.0.1' };
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: '1', price: 2 } as const;
    const exact: string = (await new Client({ ...options, exactNumbers: true }).placeOrder(order)).amount;
    const double: number = (await new Client(options).placeOrder(order)).amount;
    // @ts-expect-error
    const wrong: number = (await new Client({ ...options, exactNumbers: true }).placeOrder(order)).amount;
    const streams = new Streams({ baseUrl: '', exactNumbers: true, WebSocket: ws });
    const leave = await streams.subscribe({ channel: 'candles', symbol: 'A/B', interval: '1m' }, ({ data }) => {
      const close: string | undefined = data?.close;
      console.log(close);
    });
    const book = new OrderBook<string>();
    await streams.subscribe({ channel: 'orderbook', symbol: 'A/B' }, (message) => book.apply(message));
    // @ts-expect-error
    await streams.subscribe({ channel: 'candles', symbol: 'A/B' }, () => {});
    leave();
    console.log(exact, double, wrong);`;
  await compile(program, '--module', 'nodenext');
  await compile(program, '--module', 'preserve', '--moduleResolution', 'bundler');
});

test('a TypeScript program gets the methods of CCXT', async () => {
  const program = `
    import { buttonwood } from 'buttonwood/ccxt';
    const symbol: string | undefined = (await new buttonwood().fetchOrder('1')).symbol;
    // @ts-expect-error
    const wrong: number = (await new buttonwood().fetchOrder('1')).symbol;
    console.log(symbol, wrong);`;
  // The types of CCXT itself have errors.
  await compile(program, '--module', 'nodenext', '--skipLibCheck');
});

test('the client runs on plain Node', async () => {
  const printed = await runModule(`
    import { Client } from 'buttonwood/client';
    const { BASE: baseUrl, KEY: apiKey, SECRET: apiSecret } = process.env;
    const client = new Client({ baseUrl, apiKey, apiSecret, exactNumbers: true });
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', price: '40000.10' };
    const { amount, price } = await client.placeOrder({ ...order, amount: '0.12345678' });
    const error = await client.getOrder({ id: '99' }).catch((thrown) => thrown);
    console.log(amount, price, error.code);`);
  expect(printed).toBe('0.12345678 40000.1 ORDER_NOT_FOUND\n');
});

test('the streams run on plain Node, which may need a WebSocket', async () => {
  const printed = await runModule(`
    import { OrderBook, Streams } from 'buttonwood/client';
    import { WebSocket } from 'ws';
    const streams = new Streams({ baseUrl: process.env.BASE, exactNumbers: true, WebSocket });
    const book = new OrderBook();
    const topic = { channel: 'orderbook', symbol: 'BTC/USDT' };
    await streams.subscribe(topic, (message) => book.apply(message));
    console.log(book.bids[0].join(' '));
    streams.close();`);
  expect(printed).toBe('40000.1 0.12345678\n');
});

test('the CCXT class runs on plain Node', async () => {
  const printed = await runModule(`
    import { buttonwood } from 'buttonwood/ccxt';
    const { BASE: api, KEY: apiKey, SECRET: secret } = process.env;
    const exchange = new buttonwood({ urls: { api }, apiKey, secret });
    const { id } = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.5, 41000);
    const best = (await exchange.watchOrderBook('BTC/USDT')).bids[0].join(' ');
    const { status } = await exchange.cancelOrder(id);
    console.log(best, status);
    await exchange.close();`);
  expect(printed).toBe('41000 0.5 canceled\n');
});

test('its command works', async () => {
  const command = join(modules, 'buttonwood/bin/buttonwood.mjs');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await run(directory.path, 'node', command, '--version')).toContain(version);
  const credentials = join(directory.path, 'data/sandbox.json');
  const printed = await run(
    directory.path,
    'node',
    command,
    'balances',
    'alice',
    '--credentials',
    credentials,
  );
  expect(printed).toContain('USDT');
});

test('a bot is tested on plain Node with node:test', async () => {
  const program = `
    import assert from 'node:assert/strict';
    import { after, before, test } from 'node:test';
    import { startExchange } from 'buttonwood/testing';
    let exchange;
    before(async () => { exchange = await startExchange(); });
    after(() => exchange.close());
    test('an order rests', async () => {
      const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1, price: 100 };
      assert.equal((await exchange.client.placeOrder(order)).status, 'open');
    });`;
  expect(await runModule(program, '--test', '--test-reporter=tap')).toContain('# pass 1');
});

test('a TypeScript program gets the types of its exchange', async () => {
  const program = `
    import { startExchange, type TestExchange } from 'buttonwood/testing';
    const exchange: TestExchange = await startExchange({ seed: 1 });
    const { status }: { status: string } = await exchange.client.getOrder({ id: '1' });
    // @ts-expect-error
    await startExchange({ sed: 1 });
    console.log(status, exchange.keys.alice.binance.apiSecret);
    await exchange.close();`;
  await compile(program, '--module', 'nodenext');
  await compile(program, '--module', 'preserve', '--moduleResolution', 'bundler');
});
