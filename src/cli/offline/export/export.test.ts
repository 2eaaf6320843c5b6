import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Command } from '../../../engine/command.ts';
import type { TradeEvent } from '../../../engine/event.ts';
import { Exchange } from '../../../engine/exchange.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { Side } from '../../../engine/terms.ts';
import { FileLog } from '../../../log/file-log.ts';
import { eventsIn, openRecording } from '../../../sandbox/recorded/recording.ts';
import { findZipMember } from '../../../sandbox/recorded/zip.ts';
import { DiskStorage } from '../../../storage/disk-storage.ts';
import { below, seededRandom } from '../../../storage/seeded-random.ts';
import { playRecording } from '../../../testing/play-recording.ts';
import { runForTest } from '../../../testing/test-cli.ts';
import { appendBatch, GENESIS_COMMANDS, limitOrder } from '../../../testing/test-exchange.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 5, 23, 59);
const SEED = 20_260_105;
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-export-'));
const data = join(directory, 'data');
const out = join(directory, 'out');
const trades: TradeEvent[] = [];

/** Trades on three days, with a day without trades between them, and one trade on a day that is not over. */
beforeAll(async () => {
  const storage = new DiskStorage(false);
  await storage.makeDirectory(join(data, 'log'));
  const log = await FileLog.open({ storage, directory: join(data, 'log') });
  const exchange = new Exchange();
  const apply = async (time: number, commands: readonly Command[]) => {
    await appendBatch(log, time, commands);
    for (const command of commands) {
      exchange.apply(command, time);
      for (const event of exchange.events) if (event.kind === 'trade') trades.push(event);
    }
  };
  await apply(START, GENESIS_COMMANDS);
  const random = seededRandom(SEED);
  let time = START;
  for (let n = 0; n < 400; n++) {
    const side = below(2, random) === 0 ? Side.buy : Side.sell;
    const price = 1000 + below(9, random);
    const orders = [0, 1, 2].map(() => limitOrder(1, side, price, 1 + below(50, random)));
    await apply(time, [
      ...orders,
      limitOrder(2, side === Side.buy ? Side.sell : Side.buy, price, 60),
    ]);
    time += below(900, random);
    if (n === 200) time += 2 * DAY_MS;
    if (n === 398) time += DAY_MS;
  }
  await log.close();
  const argv = [
    'export',
    '--data',
    data,
    '--to',
    out,
    '--interval',
    '1m',
    '--interval',
    '1h',
    '--l3',
  ];
  const { exitCode, error } = await runForTest(argv);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
});
afterAll(() => rmSync(directory, { recursive: true }));

function folder(kind: string): string {
  return join(out, 'data/spot/daily', kind);
}

/** Returns the rows of all files of a folder, and checks each file: its checksum, its name and its zip archive. */
function readFolder(kind: string): { name: string; rows: string[][] }[] {
  const names = readdirSync(folder(kind)).sort();
  const zips = names.filter((name) => name.endsWith('.zip'));
  expect(names.sort()).toEqual(zips.flatMap((name) => [name, `${name}.CHECKSUM`]).sort());
  return zips.map((name) => {
    const path = join(folder(kind), name);
    const bytes = readFileSync(path);
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    expect(readFileSync(`${path}.CHECKSUM`, 'utf8')).toBe(`${sha256}  ${name}\n`);
    const fd = openSync(path, 'r');
    const member = findZipMember(fd, statSync(path).size);
    closeSync(fd);
    expect(member.name).toBe(name.replace('.zip', '.csv'));
    const end = member.start + member.compressedBytes;
    const text = inflateRawSync(bytes.subarray(member.start, end)).toString();
    expect([text.length, crc32(text)]).toEqual([member.bytes, member.crc32]);
    return {
      name,
      rows: text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',')),
    };
  });
}

const finished = () => {
  const lastDay = trades.at(-1)!.time - (trades.at(-1)!.time % DAY_MS);
  return trades.filter(({ time }) => time < lastDay);
};

test('trades have the columns of Binance, and every trade of a complete day is there once', () => {
  const rows = readFolder('trades/BTCUSDT').flatMap((file) => file.rows.filter((row) => row[0]));
  expect(finished().length).toBeGreaterThan(300);
  expect(rows).toEqual(
    finished().map(({ id, price, amount, cost, time, takerSide }) => [
      `${id}`,
      exactText(price, 2),
      exactText(amount, 8),
      exactText(cost, 10),
      `${time * 1000}`,
      takerSide === Side.sell ? 'True' : 'False',
      'True',
    ]),
  );
});

/** Returns a decimal without trailing zeros. */
function exactText(units: number | bigint, decimals: number): string {
  const digits = `${units}`.padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return text.replace(/\.?0+$/, '');
}

test('files are named after the market and the day', () => {
  const names = readFolder('trades/BTCUSDT').map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual([
    'BTCUSDT-trades-2026-01-05.zip',
    'BTCUSDT-trades-2026-01-06.zip',
  ]);
  const [first] = readFolder('klines/BTCUSDT/1m');
  expect(first!.name).toBe('BTCUSDT-1m-2026-01-05.zip');
});

test.each([
  ['1m', 60_000],
  ['1h', 3_600_000],
])('candles of %s have no gap and the sums of their trades', (interval, width) => {
  const rows = readFolder(`klines/BTCUSDT/${interval}`).flatMap((file) => file.rows);
  const first = trades[0]!.time - (trades[0]!.time % width);
  const last = trades.at(-1)!.time - (trades.at(-1)!.time % DAY_MS);
  expect(rows.length).toBe((last - first) / width);
  let close = trades[0]!.price;
  for (const [index, row] of rows.entries()) {
    const start = first + index * width;
    const own = trades.filter(({ time }) => time >= start && time < start + width);
    const prices = own.length === 0 ? [close] : own.map(({ price }) => price);
    close = prices.at(-1)!;
    const add = (units: readonly (number | bigint)[]) =>
      units.reduce<bigint>((a, b) => a + BigInt(b), 0n);
    const bought = own.filter(({ takerSide }) => takerSide === Side.buy);
    expect(row).toEqual([
      `${start * 1000}`,
      ...[prices[0]!, Math.max(...prices), Math.min(...prices), close].map((price) =>
        exactText(price, 2),
      ),
      exactText(add(own.map(({ amount }) => amount)), 8),
      `${(start + width) * 1000 - 1}`,
      exactText(add(own.map(({ cost }) => cost)), 10),
      `${own.length}`,
      exactText(add(bought.map(({ amount }) => amount)), 8),
      exactText(add(bought.map(({ cost }) => cost)), 10),
      '0',
    ]);
  }
});

test('a sandbox reads the aggregated trades and the candles as recorded markets', async () => {
  const spool = join(directory, 'spool');
  const listDays = (kind: string) =>
    readdirSync(folder(kind))
      .sort()
      .filter((name) => name.endsWith('.zip'))
      .map((name) => join(folder(kind), name))
      .filter((path) => statSync(path).size > 0);
  const paths = listDays('aggTrades/BTCUSDT').filter((path) => readRows(path) > 0);
  const events = [...eventsIn(await openRecording(paths, spool))];
  const amounts = new Map<string, bigint>();
  for (const { price, time, takerSide, amount, takerOrderId } of finished()) {
    const key = `${time} ${takerOrderId} ${price} ${takerSide}`;
    amounts.set(key, (amounts.get(key) ?? 0n) + BigInt(amount));
  }
  const shown = events.map((event) => ('amount' in event ? event : expect.unreachable('no trade')));
  expect(shown.length).toBe(amounts.size);
  expect(shown.map(({ time }) => time)).toEqual(
    [...amounts.keys()].map((key) => Number(key.split(' ')[0])),
  );
  rmSync(spool, { recursive: true, force: true });
  const candles = await openRecording(listDays('klines/BTCUSDT/1h'), spool);
  expect([...eventsIn(candles)].length).toBeGreaterThan(5);
});

test('a sandbox plays the orders of all days and has the same trades', async () => {
  const paths = readFolder('l3/BTCUSDT').map(({ name }) => join(folder('l3/BTCUSDT'), name));
  expect(paths.length).toBeGreaterThan(1);
  // A market of its own, because that of the sandbox has a minimum notional.
  const named = paths.map((path) => `AAA/BBB=${path}`);
  const recording = await openRecording(named, join(directory, 'spool-l3'));
  const { priceDecimals, amountDecimals } = recording.markets[0]!;
  const terms = ({ price, amount, takerSide }: TradeEvent, prices: number, amounts: number) => [
    formatUnits(price, prices),
    formatUnits(amount, amounts),
    takerSide,
  ];
  expect(
    playRecording(recording).map((trade) => terms(trade, priceDecimals, amountDecimals)),
  ).toEqual(finished().map((trade) => terms(trade, 2, 8)));
});

/** Returns the size of the file in an archive. */
function readRows(path: string): number {
  const fd = openSync(path, 'r');
  const { bytes } = findZipMember(fd, statSync(path).size);
  closeSync(fd);
  return bytes;
}

test('files that exist are kept, and missing ones are the same as before', async () => {
  const path = join(folder('trades/BTCUSDT'), 'BTCUSDT-trades-2026-01-06.zip');
  const before = readFileSync(path);
  const kept = join(folder('trades/BTCUSDT'), 'BTCUSDT-trades-2026-01-05.zip');
  const { mtimeMs } = statSync(kept);
  rmSync(path);
  const argv = [
    'export',
    '--data',
    data,
    '--to',
    out,
    '--interval',
    '1m',
    '--interval',
    '1h',
    '--l3',
  ];
  expect((await runForTest(argv)).exitCode).toBe(0);
  expect(readFileSync(path)).toEqual(before);
  expect(statSync(kept).mtimeMs).toBe(mtimeMs);
});

test('a market that does not exist is an error', async () => {
  const argv = ['export', '--data', data, '--to', join(directory, 'other'), '--symbol', 'ETH/USDT'];
  const { exitCode, error } = await runForTest(argv);
  expect([exitCode, error]).toEqual([1, expect.stringContaining('There is no market ETH/USDT')]);
});
