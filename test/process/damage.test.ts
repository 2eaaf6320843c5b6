import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { segmentName } from '../../src/log/segment.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

/** Tests a node and `verify` with damaged data directories: exit code, messages, and unchanged files. */

setDefaultTimeout(60_000);

const parent = temporaryDirectory();
afterAll(() => parent.remove());
const sound = join(parent.path, 'sound');
const foreign = join(parent.path, 'foreign');
/** A copy of `sound` after its first order. */
const earlier = join(parent.path, 'earlier');
let copies = 0;

/** An exchange with two orders and a snapshot after each. */
async function build(path: string, earlierPath?: string): Promise<void> {
  for (const price of [45_000, 46_000]) {
    const exchange = await ExchangeProcess.start(path);
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price };
    const body = JSON.stringify({ ...order, clientOrderId: `at-${price}` });
    await exchange.send(exchange.credential('alice'), 'POST', '/api/orders', body);
    await exchange.stop();
    if (price === 45_000 && earlierPath !== undefined)
      cpSync(path, earlierPath, { recursive: true });
  }
}

beforeAll(async () => {
  await Promise.all([build(sound, earlier), build(foreign)]);
});

/** A copy of the sound directory to damage. */
function copy() {
  const path = join(parent.path, `copy-${copies++}`);
  cpSync(sound, path, { recursive: true });
  const paths = dataPaths(path);
  const snapshots = readdirSync(paths.snapshots).sort();
  expect(snapshots).toHaveLength(2);
  return {
    path,
    history: paths.history,
    log: paths.log,
    marker: join(paths.log, 'acknowledged'),
    segment: join(paths.log, segmentName(1)),
    older: join(paths.snapshots, snapshots[0]!),
    newer: join(paths.snapshots, snapshots[1]!),
    snapshots: paths.snapshots,
  };
}

const flip = (path: string, offset: number) => {
  const bytes = readFileSync(path);
  bytes[offset]! ^= 0x10;
  writeFileSync(path, bytes);
};
const fileSize = (path: string) => readFileSync(path).length;
const readContents = (path: string) =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !file.name.startsWith('lock'))
      .map((file) => join(file.parentPath, file.name))
      .map((file) => [file, Bun.hash(readFileSync(file))]),
  );

/** Starts a node that must refuse and leave log and snapshots unchanged. @returns Its output. */
async function refusal({ path, log, snapshots }: ReturnType<typeof copy>): Promise<string> {
  const before = [readContents(log), readContents(snapshots)];
  delete before[0]![join(log, 'acknowledged')];
  const node = MainProcess.start(['start'], { BUTTONWOOD_DATA: path });
  expect(await node.ended()).toBe(1);
  const after = [readContents(log), readContents(snapshots)];
  delete after[0]![join(log, 'acknowledged')];
  expect(after).toEqual(before);
  expect(node.output).toMatch(/^buttonwood: [^\n]+\n$/);
  return node.output;
}

/** Starts a node that must have both orders. @returns Its output. */
async function started(path: string): Promise<string> {
  const exchange = await ExchangeProcess.start(path);
  const { json } = await exchange.send(exchange.credential('alice'), 'GET', '/api/orders');
  const prices = json.data.orders.map(({ price }: { price: number }) => price);
  const { exitCode, output } = await exchange.stop();
  expect(prices).toEqual([46_000, 45_000]);
  expect(exitCode).toBe(0);
  return output;
}

const verify = (path: string) => runForTest(['verify', '--data', path]);

test('a bit flipped in the log: start and verify refuse, naming the offset', async () => {
  const directory = copy();
  flip(directory.segment, fileSize(directory.segment) - 40);
  const output = await refusal(directory);
  const place = /damaged at byte \d+ of 0{19}1\.log: .* Copy the directory.* from a backup/;
  expect(output).toMatch(place);
  const { exitCode, error } = await verify(directory.path);
  expect(exitCode).toBe(1);
  expect(error).toContain(place.exec(output)![0]);
});

test('an acknowledged batch cut off: refused, and the rest is unchanged', async () => {
  const directory = copy();
  truncateSync(directory.segment, fileSize(directory.segment) - 1);
  expect(await refusal(directory)).toMatch(/batch \d+ was acknowledged, but the log ends here/);
  expect((await verify(directory.path)).exitCode).toBe(1);
});

test('the log is missing but its marker exists: refused', async () => {
  const directory = copy();
  rmSync(directory.segment);
  expect(await refusal(directory)).toMatch(/byte 0 of 0{19}1\.log: .*acknowledged/);
});

test('half of an unacknowledged batch: truncated, kept in a .broken file, and reported by verify', async () => {
  const directory = copy();
  const size = fileSize(directory.segment);
  const torn = readFileSync(directory.segment).subarray(80, 200);
  appendFileSync(directory.segment, torn);
  expect((await verify(directory.path)).out).toContain('The last 120 bytes of the log are part of');
  await started(directory.path);
  const broken = `${basename(directory.segment)}.${size}.broken`;
  expect(readFileSync(join(directory.log, broken))).toEqual(torn);
  expect(fileSize(directory.segment)).toBe(size);
});

test('a damaged or missing marker has no effect', async () => {
  const directory = copy();
  flip(directory.marker, 20);
  await started(directory.path);
  rmSync(directory.marker);
  await started(directory.path);
  expect(existsSync(directory.marker)).toBe(true);
});

test('damaged snapshots: an older one or the log is used, with a warning, and they are written again', async () => {
  const directory = copy();
  const words = (path: string) =>
    `${path} is damaged. Move it away; an older one or the log is used.`;
  flip(directory.newer, 1000);
  const { exitCode, out } = await verify(directory.path);
  expect(exitCode).toBe(1);
  expect(out).toContain(words(directory.newer));
  expect(await started(directory.path)).toContain(words(directory.newer));
  expect((await verify(directory.path)).exitCode).toBe(0);
  flip(directory.newer, 1000);
  flip(directory.older, 1000);
  const output = await started(directory.path);
  for (const path of [directory.newer, directory.older]) expect(output).toContain(words(path));
});

test('a log older than its snapshots: refused until they are moved away', async () => {
  const directory = copy();
  rmSync(directory.log, { recursive: true });
  cpSync(dataPaths(earlier).log, directory.log, { recursive: true });
  expect((await verify(directory.path)).out).toContain('is after the end of the log');
  const advice =
    /restore the one that belongs to them\. Otherwise move snapshots\/ and history\.sqlite away/;
  expect(await refusal(directory)).toMatch(advice);
  // Follow the message.
  renameSync(directory.snapshots, `${directory.path}/old-snapshots`);
  for (const suffix of ['', '-wal', '-shm']) rmSync(directory.history + suffix, { force: true });
  const exchange = await ExchangeProcess.start(directory.path);
  const { json } = await exchange.send(exchange.credential('alice'), 'GET', '/api/orders');
  expect(json.data.orders).toMatchObject([{ price: 45_000 }]);
  expect((await exchange.stop()).exitCode).toBe(0);
});

test('snapshots of another exchange: refused with instructions', async () => {
  const directory = copy();
  cpSync(dataPaths(foreign).snapshots, directory.snapshots, { recursive: true, force: true });
  expect(await refusal(directory)).toMatch(/does not belong to this log\. .*move snapshots\/ and/);
  expect((await verify(directory.path)).out).toContain('belongs to another log');
});

test('a history of another exchange: refused with instructions', async () => {
  const directory = copy();
  cpSync(dataPaths(foreign).history, directory.history);
  expect(await refusal(directory)).toMatch(/[Mm]ove .*history.*away/);
});
