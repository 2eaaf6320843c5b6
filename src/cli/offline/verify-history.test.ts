import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openFileArchive } from '../../archivist/file-archive.ts';
import { CommandKind } from '../../engine/command.ts';
import { toDamage } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { readBatches } from '../../log/reader.ts';
import { below, seededRandom } from '../../storage/seeded-random.ts';
import { runForTest } from '../../testing/test-cli.ts';
import { TestDirectory } from '../../testing/test-directory.ts';

/** `buttonwood verify` compares history with the log. */

setDefaultTimeout(60_000);

const FLIPS = 60;
const SEED = 3;

let directory: TestDirectory;
beforeEach(async () => {
  directory = await TestDirectory.create();
  await write();
});
afterEach(() => directory.remove());

/** Writes history as a node does. */
async function write(): Promise<void> {
  const { paths, storage, snapshots } = directory;
  const history = await History.open(`sqlite://${paths.history}`);
  const read = (sequence: number) => readBatches(storage, paths.log, { sequence }, 11);
  await openFileArchive({ log: { read }, snapshots, history, elapsedMs: () => 0 });
  await history.close();
}

/** Runs verify, which must change nothing. */
async function verify() {
  const before = directory.contents();
  const { out, exitCode } = await runForTest(['verify', '--data', directory.path, '--json']);
  expect(directory.contents()).toEqual(before);
  const data = JSON.parse(out);
  expect(exitCode).toBe(data.sound ? 0 : 1);
  return data;
}

function change(statement: string): void {
  const database = new Database(directory.paths.history);
  expect(database.run(statement).changes).toBeGreaterThan(0);
  database.close();
}

test('a history that matches the log is sound, even if it ends earlier', async () => {
  expect(await verify()).toMatchObject({ sound: true, historyPosition: 11 });
  const { out } = await runForTest(['verify', '--data', directory.path]);
  expect(out).toMatch(/History +equal up to batch 11/);
  await directory.append(9000, [{ kind: CommandKind.tick }]);
  expect(await verify()).toMatchObject({ sound: true, logPosition: 12, historyPosition: 11 });
  rmSync(directory.paths.history);
  expect(await verify()).toMatchObject({ sound: true, historyPosition: null });
});

test.each([
  [
    'a value changed',
    'UPDATE orders SET price = price + 1 WHERE id = (SELECT MIN(id) FROM orders)',
  ],
  ['a checksum changed', 'UPDATE entries SET checksum = checksum + 1 WHERE id = 5'],
  ['a row missing', 'DELETE FROM fills WHERE trade_id = 1 AND is_maker = 0'],
  [
    'a duplicate row',
    'INSERT INTO audit SELECT 99, sequence, command_index, time, account, key, action, details, outcome, rejection, checksum FROM audit LIMIT 1',
  ],
  ['a candle missing', 'DELETE FROM candles WHERE width = 60000'],
  ['the position changed', 'UPDATE position SET sequence = 10'],
  ['the position missing', 'DELETE FROM position'],
  ['a table missing', 'ALTER TABLE orders RENAME TO others'],
])('%s: reported, with advice', async (_, statement) => {
  const database = new Database(directory.paths.history);
  database.run(statement);
  database.close();
  const { sound, problems } = await verify();
  expect(sound).toBe(false);
  expect(problems[0]).toContain('is damaged');
  expect(problems[0]).toContain('delete history.sqlite');
});

test('a missing row is found even if the indexes lack it too', async () => {
  change('DELETE FROM orders WHERE id = (SELECT MAX(id) FROM orders)');
  const { problems } = await verify();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/the table orders has \d+ rows instead of \d+/);
});

test('a file that is not a database is found', async () => {
  writeFileSync(directory.paths.history, 'x'.repeat(5000));
  const { problems } = await verify();
  expect(problems[0]).toContain('is damaged');
});

/** Returns all rows, read through every index as pages do; undefined if a page is rejected as damaged. */
async function rowsByIndex(path: string): Promise<string | undefined> {
  let history: History | undefined;
  try {
    history = await History.open(`sqlite://${path}`);
    const all = { descending: false, limit: 10_000 };
    const found = [];
    for (const account of [0, 1, 2]) {
      found.push(await history.finalOrders({ account, ...all }));
      found.push(await history.fills({ account, ...all }));
    }
    found.push(await history.trades({ market: 0, ...all }));
    found.push(await history.minuteCandles(0, 0));
    found.push(await history.auditPage({ beforeId: 1e9, limit: 1000 }));
    return JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch (error) {
    if (toDamage(error) === undefined && (error as Error).name !== 'HistoryVersionError')
      throw error;
    return undefined;
  } finally {
    await history?.close();
  }
}

test(`every flipped bit that changes a result is found (seed ${SEED})`, async () => {
  const { history } = directory.paths;
  const right = await rowsByIndex(history);
  const whole = readFileSync(history);
  const random = seededRandom(SEED);
  let changed = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    const bytes = Uint8Array.from(whole);
    bytes[below(bytes.length, random)]! ^= 1 << below(8, random);
    const put = () => {
      for (const suffix of ['-wal', '-shm']) rmSync(history + suffix, { force: true });
      writeFileSync(history, bytes);
    };
    put();
    const isRight = (await rowsByIndex(history)) === right;
    put();
    const { sound } = await verify();
    if (!isRight) expect([flip, sound]).toEqual([flip, false]);
    if (!isRight) changed++;
  }
  expect(changed).toBeGreaterThan(0);
});
