import { afterEach, expect, test } from 'bun:test';
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENESIS, replay } from '../../archivist/recovery.ts';
import { Exchange } from '../../engine/exchange.ts';
import { parseUnits } from '../../engine/numbers/units.ts';
import { writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import { Side } from '../../engine/terms.ts';
import { FileLog } from '../../log/file-log.ts';
import { Progress } from '../../monitoring/progress.ts';
import { lockDirectory } from '../../storage/lock.ts';
import { runForTest } from '../../testing/test-cli.ts';
import { POISON, TestDirectory } from '../../testing/test-directory.ts';
import { limitOrder } from '../../testing/test-exchange.ts';
import { verify as verifyDirectory } from './verify.ts';

let directory: TestDirectory;
afterEach(() => directory.remove());

/** Runs verify, which must change nothing. */
async function verify() {
  const before = directory.contents();
  const plain = await runForTest(['verify', '--data', directory.path]);
  const json = await runForTest(['verify', '--json'], { BUTTONWOOD_DATA: directory.path });
  expect(directory.contents()).toEqual(before);
  expect(json.exitCode).toBe(plain.exitCode);
  return { ...plain, data: json.out === '' ? JSON.parse(json.error) : JSON.parse(json.out) };
}

test('reports the progress of reading and replaying the log', async () => {
  directory = await TestDirectory.create();
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  // Each call is late enough to print progress.
  let now = 0;
  const progress = new Progress(stream, () => {
    now += 1000;
    return now;
  });
  await verifyDirectory(directory.path, undefined, progress);
  progress.end();
  const lines = written.map((text) => text.replace('\r\x1b[K', '').replace(/, \d+ s$/, ''));
  const stage = (name: string) =>
    Array.from({ length: 12 }, (_, done) => {
      return `${name} the log, ${Math.floor((100 * done) / 11)} %, ${done} of 11 batches`;
    });
  expect(lines).toEqual([...stage('reading'), ...stage('replaying'), 'checking the state', '']);
});

test('an undamaged directory: totals are counted and balance, snapshots are equal', async () => {
  directory = await TestDirectory.create([4, 11]);
  const { exitCode, out, data } = await verify();
  expect(exitCode).toBe(0);
  const log = await FileLog.open({ storage: directory.storage, directory: directory.paths.log });
  const exchange = new Exchange();
  replay(log, { exchange, position: GENESIS });
  await log.close();
  const { state } = exchange;
  expect(data).toMatchObject({
    sound: true,
    problems: [],
    logPosition: 11,
    stateHash: new Bun.SHA256().update(writeSnapshot(exchange)).digest('hex'),
    batches: 11,
    commands: 11 + 30,
    accounts: 3,
    openOrders: state.orders.size,
    snapshots: [4, 11],
    skips: [],
    tornBytes: 0,
  });
  expect(state.orders.size).toBeGreaterThan(0);
  expect(data.assets.map(({ asset, sum }: { asset: string; sum: number }) => [asset, sum])).toEqual(
    [
      ['USDT', 0],
      ['BTC', 0],
    ],
  );
  expect(state.ledger.fees[0]).toBeGreaterThan(0n);
  expect(out).toContain('replays from its start, and the books balance');
  expect(out).toContain(data.stateHash);
  expect(out).toMatch(/Equal snapshots +batch 4, batch 11/);
});

test('amounts keep all their digits', async () => {
  directory = await TestDirectory.create();
  const { out } = await runForTest(['verify', '--data', directory.path, '--json']);
  const usdt = out.match(
    /"USDT","available":([^,]+),"held":([^,]+),"fees":([^,]+),"external":([^,]+),/,
  );
  const units = usdt!.slice(1).map((text) => BigInt(parseUnits(text, 10)));
  expect(units[0]).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(units.reduce((sum, each) => sum + each)).toBe(0n);
});

test('without snapshots, as in a backup of the log alone', async () => {
  directory = await TestDirectory.create();
  rmSync(directory.paths.snapshots, { recursive: true });
  expect((await verify()).data).toMatchObject({ sound: true, snapshots: [] });
});

test('a partly written last batch is reported, not removed', async () => {
  directory = await TestDirectory.create();
  const sizeBytes = readFileSync(directory.segment).length;
  await directory.append(3000, [limitOrder(1, Side.buy, 1000, 100)]);
  rmSync(join(directory.paths.log, 'acknowledged'));
  truncateSync(directory.segment, sizeBytes + 20);
  const { exitCode, out, data } = await verify();
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({ sound: true, logPosition: 11, tornBytes: 20 });
  expect(out).toContain(
    'The last 20 bytes of the log are part of a batch that was never acknowledged',
  );
});

test('a torn batch that was acknowledged is damage', async () => {
  directory = await TestDirectory.create();
  truncateSync(directory.segment, readFileSync(directory.segment).length - 1);
  const { exitCode, error, data } = await verify();
  expect(exitCode).toBe(1);
  expect(data.error.code).toBe('UNSOUND');
  expect(error).toContain('batch 11 was acknowledged');
});

test('a flipped bit in the log is reported with its position', async () => {
  directory = await TestDirectory.create();
  const bytes = readFileSync(directory.segment);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(directory.segment, bytes);
  const { exitCode, error } = await verify();
  expect(exitCode).toBe(1);
  expect(error).toMatch(/damaged at byte \d+ of 0+1\.log/);
});

test('a snapshot whose state differs from the replayed one', async () => {
  directory = await TestDirectory.create([4]);
  const { position, state } = directory.snapshots.read(4);
  const changed = state.slice();
  changed[20]! ^= 1;
  await directory.snapshots.write(position, changed);
  const { exitCode, out, data } = await verify();
  expect(exitCode).toBe(1);
  expect(data).toMatchObject({ sound: false, logPosition: 11, snapshots: [] });
  expect(out).toContain('- The snapshot of batch 4 differs from the replayed state.');
});

test('a damaged snapshot, one of another log, and one beyond the end', async () => {
  directory = await TestDirectory.create([4]);
  const { position, state } = directory.snapshots.read(4);
  const hash = position.hash.slice();
  hash[0]! ^= 1;
  await directory.snapshots.write({ sequence: 5, hash }, state);
  appendFileSync(join(directory.paths.snapshots, `${'4'.padStart(16, '0')}.snapshot`), 'x');
  const { exitCode, data } = await verify();
  expect(exitCode).toBe(1);
  expect(data.problems).toHaveLength(2);
  expect(data.problems.join()).toMatch(/4\.snapshot is damaged.*of batch 5 belongs to another log/);
  await directory.snapshots.write({ sequence: 12, hash }, state);
  expect((await verify()).data.problems.join()).toContain(
    'of batch 12 is after the end of the log',
  );
});

test('a command that breaks an invariant: exit code 1, and how to skip it', async () => {
  directory = await TestDirectory.create([11]);
  await directory.append(3000, [limitOrder(1, Side.buy, 1000, 100), POISON]);
  const { exitCode, out, data } = await verify();
  expect(exitCode).toBe(1);
  expect(data).toMatchObject({ sound: false, logPosition: 11, stateHash: null, snapshots: [11] });
  expect(out).toContain('buttonwood skip --data DIR --sequence 12 --index 1');
});

test('fails while the directory is in use, with advice', async () => {
  directory = await TestDirectory.create();
  const lock = lockDirectory(directory.path);
  const { exitCode, error } = await runForTest(['verify', '--data', directory.path]);
  lock.release();
  expect(exitCode).toBe(1);
  expect(error).toContain('A node is running in');
  expect((await verify()).exitCode).toBe(0);
});

test('rejects a directory without a log and leaves it unchanged', async () => {
  directory = await TestDirectory.create();
  rmSync(directory.paths.log, { recursive: true });
  const { exitCode, error } = await runForTest(['verify', '--data', directory.paths.snapshots]);
  expect(exitCode).toBe(1);
  expect(error).toContain('No exchange in');
  expect(directory.contents()).toEqual({});
});

test('an unreadable directory is reported without a stack trace', async () => {
  directory = await TestDirectory.create();
  rmSync(directory.paths.log, { recursive: true });
  writeFileSync(directory.paths.log, '');
  const { exitCode, error } = await verify();
  expect(exitCode).toBe(1);
  expect(error).toStartWith('buttonwood: ENOTDIR');
});
