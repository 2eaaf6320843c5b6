import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runForTest } from '../../src/testing/test-cli.ts';
import { temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

/** Tests `buttonwood serve`: the exchange without features of the sandbox. */

setDefaultTimeout(60_000);

const parent = temporaryDirectory();
let directories = 0;
const newDirectory = () => join(parent.path, `${directories++}`);
let directory: string;
const running: MainProcess[] = [];
beforeEach(() => {
  directory = newDirectory();
});
afterEach(async () => {
  for (const process of running.splice(0)) await kill(process);
});
afterAll(() => parent.remove());

async function kill(process: MainProcess): Promise<void> {
  process.signal('SIGKILL');
  await process.ended();
}

function begin(command: string, env: Record<string, string> = {}, ...flags: string[]): MainProcess {
  const all = { BUTTONWOOD_DATA: directory, ...env };
  const process = MainProcess.start([command, ...flags], all);
  running.push(process);
  return process;
}

const inDirectory = (name: string) => join(directory, name);
const operatorFile = () => JSON.parse(readFileSync(inDirectory('operator.json'), 'utf8'));

async function get(baseUrl: string, path: string, credential?: Record<string, string>) {
  const headers: Record<string, string> =
    credential === undefined
      ? {}
      : { Authorization: `Bearer ${credential.apiKey}`, 'X-API-Secret': credential.apiSecret! };
  const response = await fetch(baseUrl + path, { headers });
  return { status: response.status, text: await response.text() };
}

describe('a running exchange', () => {
  const begun = newDirectory();
  let exchange: MainProcess;
  beforeAll(async () => {
    exchange = MainProcess.start(['serve'], { BUTTONWOOD_DATA: begun });
    await exchange.serving();
  });
  afterAll(() => kill(exchange));
  beforeEach(() => {
    directory = begun;
  });

  test('rate limits are the documented ones', async () => {
    const baseUrl = await exchange.serving();
    const response = await fetch(`${baseUrl}/api/markets`);
    expect(response.headers.get('X-RateLimit-Limit')).toBe('100');
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('99');
  });

  test('starts with an operator and nothing else', async () => {
    const baseUrl = await exchange.serving();
    expect(existsSync(inDirectory('sandbox.json'))).toBe(false);
    expect(statSync(inDirectory('operator.json')).mode & 0o777).toBe(0o600);
    const file = operatorFile();
    expect(file).toMatchObject({
      baseUrl,
      accounts: [{ name: 'operator', permissions: ['operate'] }],
    });
    // The secret is only in the file, not in the output or a log.
    expect(exchange.output).not.toContain(file.accounts[0].apiSecret);
    const [operator] = file.accounts;
    const data = async (path: string) =>
      JSON.parse((await get(baseUrl, path, operator)).text).data as unknown;
    expect(await data('/api/markets')).toEqual({ markets: [] });
    expect(await data('/api/prices')).toEqual({ prices: [] });
    expect(await data('/api/admin/assets')).toEqual({ assets: [] });
    expect(await data('/api/admin/accounts')).toMatchObject({
      accounts: [{ accountId: 'operator' }],
    });
    for (const name of ['alice', 'bob']) {
      expect((await get(baseUrl, `/api/admin/accounts/${name}`, operator)).status).toBe(404);
    }
    const page = await get(baseUrl, '/');
    expect(page.text).not.toContain('sandbox');
  });

  test('a real exchange has no faucet', async () => {
    const baseUrl = await exchange.serving();
    const env = { BUTTONWOOD_DATA: directory, BUTTONWOOD_URL: baseUrl };
    for (const words of [
      ['faucet', 'operator', 'BTC'],
      ['account', 'erin'],
    ]) {
      const { exitCode, error } = await runForTest(['sandbox', ...words], env);
      expect(exitCode).toBe(1);
      expect(error).toContain('not a sandbox');
    }
  });
});

test('it prints one JSON object per line', async () => {
  const process = begin('serve', { BUTTONWOOD_NODE: 'one' });
  await process.serving();
  await process.stop();
  const lines = process.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { time, level } of lines) {
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
    expect(level).toBe('info');
  }
  expect(lines[0]).toMatchObject({ message: 'starting', node: 'one', log: 'file' });
  expect(lines.at(-1).message).toBe('stopped');
});

test('behind a proxy without a public URL it warns at the start about what will not work', async () => {
  const process = begin('serve', { BUTTONWOOD_TRUSTED_PROXIES: '127.0.0.1' });
  await process.serving();
  const lines = process.output.trimEnd().split('\n');
  const warned = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
  expect(warned).toHaveLength(1);
  expect(warned[0].message).toContain('BUTTONWOOD_PUBLIC_URL is not');
});

test('the Binance dialect is off unless it is set, and names the markets that it leaves out', async () => {
  const first = begin('serve');
  const baseUrl = await first.serving();
  expect((await get(baseUrl, '/binance/api/v3/ping')).status).toBe(404);
  const [operator] = operatorFile().accounts;
  const post = async (path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${operator.apiKey}`,
      'X-API-Secret': operator.apiSecret,
      'Content-Type': 'application/json',
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}/api/admin/${path}`, request);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  };
  await post('assets', { asset: 'USDT', name: 'Tether', decimals: 12 });
  await post('assets', { asset: 'PEPE', name: 'Pepe', decimals: 2 });
  const rules = { maxAmount: 1000, maxPrice: 1, minNotional: 1, makerFee: 0, takerFee: 0 };
  const steps = { tickSize: 0.0000000001, stepSize: 0.01 };
  await post('markets', { symbol: 'PEPE/USDT', ...steps, ...rules, referencePrice: 0.00001 });
  await first.stop();
  const second = begin('serve', { BUTTONWOOD_BINANCE: 'on' });
  const url = await second.serving();
  const logged = () => second.output.split('\n').filter((line) => line.startsWith('{'));
  await second.printed(/PEPE/);
  const messages = logged().map((line) => JSON.parse(line).message);
  expect(messages).toContain(
    `Bots for Binance's Spot API can use ${url}/binance, without these markets:`,
  );
  expect(messages).toContain('PEPE/USDT: prices have 10 decimals');
  const { text } = await get(url, '/binance/api/v3/exchangeInfo');
  expect(JSON.parse(text).symbols).toEqual([]);
});

test('a restart keeps the operator’s key and does not write it again', async () => {
  const first = begin('serve');
  await first.serving();
  const [operator] = operatorFile().accounts;
  await first.stop();
  rmSync(inDirectory('operator.json'));
  const baseUrl = await begin('serve').serving();
  expect(existsSync(inDirectory('operator.json'))).toBe(false);
  expect((await get(baseUrl, '/api/admin/state', operator)).status).toBe(200);
});

test('an unreadable operator.json is left unchanged, with a warning', async () => {
  const first = begin('serve');
  await first.serving();
  const [operator] = operatorFile().accounts;
  await first.stop();
  const damaged = '{"baseUrl":"http://127.0.0.1';
  writeFileSync(inDirectory('operator.json'), damaged);
  const second = begin('serve');
  const baseUrl = await second.serving();
  expect((await get(baseUrl, '/api/admin/state', operator)).status).toBe(200);
  await second.stop();
  expect(second.output).toContain('operator.json cannot be read. It was not changed');
  expect(second.output).not.toContain('new keys');
  expect(readFileSync(inDirectory('operator.json'), 'utf8')).toBe(damaged);
});

describe('it does not start', () => {
  test.each(['off', '10x'])('with BUTTONWOOD_RATE_LIMITS=%s', async (mode) => {
    const process = begin('serve', { BUTTONWOOD_RATE_LIMITS: mode });
    expect(await process.ended()).toBe(2);
    expect(process.output).toContain(`BUTTONWOOD_RATE_LIMITS=${mode} is only for the sandbox`);
    expect(existsSync(inDirectory('operator.json'))).toBe(false);
  });

  test.each([
    ['BUTTONWOOD_MAKERS', 'on'],
    ['BUTTONWOOD_MAKERS', 'off'],
    ['BUTTONWOOD_SEED', '7'],
  ])('with %s=%s', async (name, value) => {
    const process = begin('serve', { [name]: value });
    expect(await process.ended()).toBe(2);
    expect(process.output).toContain(`${name} is only for the sandbox`);
  });

  test('with --reset', async () => {
    const process = begin('serve', {}, '--reset');
    expect(await process.ended()).toBe(2);
    expect(process.output).toContain('--reset is only for the sandbox');
  });

  test.each([
    ['start', 'serve', 'a sandbox', 'sandbox.json'],
    ['serve', 'start', 'not a sandbox', 'operator.json'],
  ])('in a directory of %s: %s', async (before, after, is, file) => {
    const first = begin(before);
    await first.serving();
    await first.stop();
    const content = readFileSync(inDirectory(file), 'utf8');
    const second = begin(after);
    expect(await second.ended()).toBe(1);
    expect(second.output).toMatch(
      new RegExp(`buttonwood: .* is ${is}\\. Run \\\\?"buttonwood ${before}\\\\?"`),
    );
    // Nothing was changed, and the right command still starts it.
    expect(readFileSync(inDirectory(file), 'utf8')).toBe(content);
    const other = file === 'sandbox.json' ? 'operator.json' : 'sandbox.json';
    expect(existsSync(inDirectory(other))).toBe(false);
    await begin(before).serving();
  });
});

test('--reset of a sandbox deletes no other files', async () => {
  // A wrong directory must not cost an exchange.
  const first = begin('serve');
  await first.serving();
  await first.stop();
  const content = readFileSync(inDirectory('operator.json'), 'utf8');
  const second = begin('start', {}, '--reset');
  expect(await second.ended()).toBe(1);
  expect(readFileSync(inDirectory('operator.json'), 'utf8')).toBe(content);
  await begin('serve').serving();
});
