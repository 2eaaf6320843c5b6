import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { compareTrades } from './comparison.ts';
import { connectOperator, SYMBOL } from './market.ts';
import { parseRecording, readRecording } from './recording.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { AMOUNT_DECIMALS, formatUnits, parseUnits } from './units.ts';

const SAMPLE = join(import.meta.dir, 'sample-flow.txt');
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-replay-test-'));
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true });
});

/** Runs the command. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'replay.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, out, error };
}

/** Returns the report of a replay of the sample, without times. */
async function replaySample(...args: string[]) {
  const { exitCode, out, error } = await run(['--file', SAMPLE, '--json', ...args]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  const { seconds, ordersPerSecond, requestsPerSecond, ...report } = JSON.parse(out);
  expect(Math.min(seconds, ordersPerSecond, requestsPerSecond)).toBeGreaterThan(0);
  return report;
}

/** One recorded trade was with an order that is not in the sample, so it cannot be reproduced. */
const SEEDED = {
  orders: 16,
  seedOrders: 3,
  cancels: 5,
  refused: { MIN_NOTIONAL: 1 },
  tradesMade: 11,
  tradesRecorded: 12,
  matched: 11,
  matchedInOrder: 11,
  share: 11 / 12,
  booksBalance: true,
};

test('reproduces all possible trades in its own sandbox', async () => {
  expect(await replaySample()).toEqual(SEEDED);
});

test('leaves the order book of a running exchange empty', async () => {
  const { credentialsPath } = sandbox;
  expect(await replaySample('--credentials', credentialsPath)).toEqual(SEEDED);
  const { baseUrl } = connectOperator(credentialsPath, undefined);
  const again = ['--credentials', credentialsPath, '--url', `${baseUrl}/`];
  expect(await replaySample(...again, '--empty')).toEqual({
    ...SEEDED,
    seedOrders: 0,
    cancels: 6,
    tradesMade: 8,
    matched: 6,
    matchedInOrder: 6,
    share: 0.5,
  });
  const answer = await fetch(`${baseUrl}/api/prices?symbol=${SYMBOL}`);
  expect(((await answer.json()) as { data: { prices: unknown[] } }).data.prices).toMatchObject([
    { price: 249.95, bid: null, ask: null },
  ]);
});

test('prints a readable report', async () => {
  const { exitCode, out } = await run(['--file', SAMPLE]);
  expect(exitCode).toBe(0);
  expect(out).toContain('Orders sent      16, and 3 to seed the book\n');
  expect(out).toContain('Rejected         1 MIN_NOTIONAL\n');
  expect(out).toContain('Matched exactly  11 (91.7 %), 11 of them in the recorded order\n');
  expect(out).toContain('Books            balance\n');
});

test('explains invalid options and files', async () => {
  const xz = join(directory, 'flow.xz');
  writeFileSync(xz, '');
  expect(await run(['--file', xz], { PATH: '' })).toMatchObject({
    exitCode: 2,
    out: '',
    error: expect.stringContaining('apt install xz-utils'),
  });
  expect(await run(['--file', join(directory, 'none')])).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('Pass one with --file.'),
  });
  const empty = join(directory, 'empty');
  writeFileSync(empty, '');
  expect(await run(['--file', empty])).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('no trades'),
  });
  for (const args of [['--flie', SAMPLE], ['--url', 'http://127.0.0.1:3000'], ['more']]) {
    expect(await run(args)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('examples/replay/replay.ts [options]'),
    });
  }
});

test('reads compressed recordings like plain ones', async () => {
  const plain = readFileSync(SAMPLE);
  const events = await readRecording(SAMPLE);
  // 50 lines less three order_changed and the second order_book.
  expect(events).toHaveLength(46);
  for (const [name, bytes] of [
    ['flow.gz', gzipSync(plain)],
    ['flow.zst', zstdCompressSync(plain)],
  ] as const) {
    writeFileSync(join(directory, name), bytes);
    expect(await readRecording(join(directory, name))).toEqual(events);
  }
});

test('a trade recorded as a double is rounded to the decimal that was meant', () => {
  const line = '1430438450384 trade {"price": 236.61000000000001, "amount": 2.1138293799999999}';
  expect(parseRecording(line)).toEqual([{ kind: 'trade', price: 23661n, amount: 211382938n }]);
});

test.each([
  '1 order_created {"id":1,"order_type":2,"price":"1","amount":"1"}',
  '1 order_created {"id":1,"order_type":0,"price":"1.001","amount":"1"}',
  '1 order_created {"id":1,"order_type":0,"price":"-1","amount":"1"}',
  '1 trade {"price":1}',
  '1 trade {',
  '1 order_moved {}',
  'order_created {}',
])('rejects %p with its line number', (line) => {
  expect(() => parseRecording(`1 order_changed {}\n${line}\n`)).toThrow('Line 2 is invalid: ');
});

test('an executed trade matches one recorded trade, and order is counted separately', () => {
  const trades = (...prices: number[]) =>
    prices.map((price) => ({ price: BigInt(price), amount: 1n }));
  const compare = (executed: number[], recorded: number[]) =>
    compareTrades(trades(...executed), trades(...recorded));
  expect(compare([1, 2, 3], [1, 2, 3])).toEqual({ matched: 3, matchedInOrder: 3 });
  expect(compare([1], [1, 1])).toEqual({ matched: 1, matchedInOrder: 1 });
  expect(compare([1, 1, 4], [1, 1])).toEqual({ matched: 2, matchedInOrder: 2 });
  expect(compare([3, 1, 2], [1, 2, 3])).toEqual({ matched: 3, matchedInOrder: 2 });
  expect(compare([], [1])).toEqual({ matched: 0, matchedInOrder: 0 });
  expect(compareTrades([{ price: 1n, amount: 2n }], [{ price: 1n, amount: 3n }]).matched).toBe(0);
});

test('converts between units and decimals exactly', () => {
  expect(parseUnits('123456789012.12345678', AMOUNT_DECIMALS)).toBe(12345678901212345678n);
  expect(parseUnits('2.5000000000', AMOUNT_DECIMALS)).toBe(250000000n);
  expect(formatUnits(5n, AMOUNT_DECIMALS)).toBe('0.00000005');
  expect(formatUnits(12345678901212345678n, AMOUNT_DECIMALS)).toBe('123456789012.12345678');
});
