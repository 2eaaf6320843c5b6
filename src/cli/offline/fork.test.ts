import { afterEach, expect, spyOn, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyBatch, GENESIS, skipsAfter } from '../../archivist/recovery.ts';
import { SnapshotStore } from '../../archivist/snapshots/snapshots.ts';
import { dataPaths } from '../../config/data-paths.ts';
import { Exchange } from '../../engine/exchange.ts';
import { readSnapshot, writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import { LogFailedError } from '../../log/errors.ts';
import { FileLog } from '../../log/file-log.ts';
import { openSourceLog } from '../../log/source-log.ts';
import { lockDirectory } from '../../storage/lock.ts';
import { runForTest } from '../../testing/test-cli.ts';
import { POISON, TestDirectory } from '../../testing/test-directory.ts';
import { command, GENESIS_COMMANDS } from '../../testing/test-exchange.ts';
import { sha256 } from './verification.ts';

let source: TestDirectory;
const parent = mkdtempSync(join(tmpdir(), 'buttonwood-fork-'));
const target = join(parent, 'a', 'fork');
afterEach(() => {
  source.remove();
  rmSync(join(parent, 'a'), { recursive: true, force: true });
});

/** Runs a fork, which must not change the source. */
async function fork(...options: string[]) {
  const before = source.contents();
  const args = ['fork', '--data', source.path, '--to', target, ...options];
  const { exitCode, out, error } = await runForTest([...args, '--json']);
  expect(source.contents()).toEqual(before);
  return { exitCode, data: JSON.parse(out || error) };
}

/** Returns the message of a fork that fails and leaves nothing. */
async function refused(...options: string[]): Promise<[code: string, message: string]> {
  const before = existsSync(parent) ? readdirSync(parent, { recursive: true }).sort() : [];
  const { exitCode, data } = await fork(...options);
  expect(exitCode).not.toBe(0);
  expect(readdirSync(parent, { recursive: true }).sort()).toEqual(before);
  return [data.error.code, data.error.message];
}

async function verify(path: string) {
  const { out, error } = await runForTest(['verify', '--data', path, '--json']);
  return JSON.parse(out || error);
}

/** Returns the state hashes of the source after each batch, from an empty exchange. */
async function stateHashes(): Promise<string[]> {
  const log = await openSourceLog(source.storage, source.paths.log);
  const skips = skipsAfter(log, GENESIS);
  const exchange = new Exchange();
  return Array.from(log.read(0), (batch) => {
    applyBatch(exchange, batch, skips);
    return sha256(writeSnapshot(exchange));
  });
}

test('a fork at every position verifies, and has the state of the source there', async () => {
  source = await TestDirectory.create([4, 11]);
  const hashes = await stateHashes();
  for (const [index, stateHash] of hashes.entries()) {
    const position = index + 1;
    const { exitCode, data } = await fork('--at', `${position}`);
    expect(exitCode).toBe(0);
    const expected = { forkedAt: position, logPosition: position, stateHash };
    expect(data).toMatchObject({ ...expected, sourceStateHash: stateHash, wasSandbox: true });
    expect(await verify(target)).toMatchObject({
      sound: true,
      logPosition: position,
      stateHash,
      snapshots: [position],
    });
    expect(readdirSync(target).sort()).toEqual(['log', 'snapshots']);
    rmSync(target, { recursive: true });
  }
});

test('a moment is the last batch at or before a time; by default it is the end', async () => {
  source = await TestDirectory.create();
  const cases: [string[], number][] = [
    [[], 11],
    [['--at', new Date(1000).toISOString()], 1],
    [['--at', new Date(1999).toISOString()], 1],
    [['--at', new Date(2004).toISOString()], 6],
    [['--at', new Date(2009).toISOString()], 11],
  ];
  for (const [options, position] of cases) {
    expect((await fork(...options)).data.forkedAt).toBe(position);
    rmSync(target, { recursive: true });
  }
});

test('a moment that the log does not have is refused, and nothing is left', async () => {
  source = await TestDirectory.create();
  expect(await refused('--at', '12')).toEqual([
    'NO_SUCH_POSITION',
    `There is no batch 12 in ${source.path}: the log ends with batch 11, at 1970-01-01T00:00:02.009Z.`,
  ]);
  expect((await refused('--at', '9007199254740991'))[0]).toBe('NO_SUCH_POSITION');
  expect(await refused('--at', '1970-01-01T00:00:00.999Z')).toEqual([
    'NO_SUCH_POSITION',
    `The log in ${source.path} begins after 1970-01-01T00:00:00.999Z.`,
  ]);
  expect((await refused('--at', '1970-01-01T00:00:02.010Z'))[1]).toContain(
    'ends before that time, with batch 11',
  );
  expect((await refused('--at', '0'))[1]).toContain('--at must be a log position of at least 1');
});

test('a target that is not empty, in the source, a file, or in use is refused', async () => {
  source = await TestDirectory.create();
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'notes.txt'), 'x');
  expect(await refused()).toEqual([
    'NOT_EMPTY',
    `${target} is not empty (it has notes.txt). Name a directory that is new or empty. Nothing was changed.`,
  ]);
  rmSync(join(target, 'notes.txt'));
  const lock = lockDirectory(target);
  expect((await refused())[1]).toContain('A process is using');
  lock.release();
  rmSync(target, { recursive: true });
  symlinkSync(source.path, target);
  expect((await refused())[0]).toBe('INSIDE_SOURCE');
  expect((await refused('--to', join(target, 'inner')))[1]).toContain('given twice');
  rmSync(target);
  writeFileSync(target, 'x');
  expect((await refused())[0]).toBe('NOT_WRITABLE');
});

test('a full disk is reported, and nothing is left', async () => {
  source = await TestDirectory.create();
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { syscall: 'write' });
  const spy = spyOn(FileLog.prototype, 'appendAll').mockRejectedValue(new LogFailedError(full));
  const [code, message] = await refused();
  spy.mockRestore();
  expect([code, message]).toEqual([
    'NOT_WRITABLE',
    `Cannot write the fork to ${target}: ENOSPC: no space left on device.`,
  ]);
});

test('an empty directory may be the target, also behind a link', async () => {
  source = await TestDirectory.create();
  mkdirSync(join(parent, 'a', 'empty'), { recursive: true });
  symlinkSync(join(parent, 'a', 'empty'), target);
  expect((await fork()).exitCode).toBe(0);
  expect((await verify(join(parent, 'a', 'empty'))).sound).toBe(true);
});

test('damage of the source is reported, and nothing is left', async () => {
  source = await TestDirectory.create();
  const bytes = readFileSync(source.segment);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(source.segment, bytes);
  const [code, message] = await refused();
  expect(code).toBe('UNSOUND');
  expect(message).toMatch(/damaged at byte \d+ of 0+1\.log/);
  truncateSync(source.segment, 0);
  expect((await refused())[0]).toBe('UNSOUND');
  rmSync(source.paths.log, { recursive: true });
  expect(await refused()).toEqual([
    'NO_DATA',
    `No log of an exchange in ${source.path}. Name its data directory with --data or BUTTONWOOD_DATA. The log of a cluster is not in files.`,
  ]);
});

test('the log of a cluster is refused with the reason', async () => {
  source = await TestDirectory.create();
  const env = { BUTTONWOOD_LOG: 'nats://localhost:4222' };
  const { exitCode, error } = await runForTest(['fork', '--to', target], env);
  expect(exitCode).toBe(2);
  expect(error).toContain(
    'The log of a cluster is trimmed, so it does not begin with the first batch',
  );
});

test('the node of the source may run', async () => {
  source = await TestDirectory.create();
  const lock = lockDirectory(source.path);
  const { data } = await fork();
  lock.release();
  expect(data.forkedAt).toBe(11);
});

test('an incomplete source is refused', async () => {
  source = await TestDirectory.create();
  for (const mark of [source.paths.beginning, source.paths.forking]) {
    writeFileSync(mark, '');
    expect((await refused())[0]).toBe('INCOMPLETE');
    rmSync(mark);
  }
});

test('a fork of a real exchange is a sandbox, with the same state otherwise', async () => {
  source = new TestDirectory();
  const [open, ...others] = GENESIS_COMMANDS;
  await source.append(1000, [{ ...open!, sandbox: false } as typeof open & {}, ...others]);
  await source.append(2000, [command(0), command(1)]);
  writeFileSync(source.paths.sandbox, '{}');
  const [, hash] = await stateHashes();
  const { data } = await fork();
  expect(data).toMatchObject({ wasSandbox: false, sourceStateHash: hash });
  expect(data.stateHash).not.toBe(hash);
  const store = new SnapshotStore(source.storage, dataPaths(target).snapshots);
  const forked = readSnapshot(store.read(2).state);
  expect(forked.state.sandbox).toBe(true);
  forked.state.sandbox = false;
  expect(sha256(writeSnapshot(forked))).toBe(hash!);
  expect(await verify(target)).toMatchObject({ sound: true, stateHash: data.stateHash });
  expect(readdirSync(target).sort()).toEqual(['log', 'snapshots']);
});

test('commands that were skipped later do not stop a fork', async () => {
  source = await TestDirectory.create();
  await source.append(3000, [command(30), POISON]);
  expect((await refused())[1]).toContain('Command 1 of batch 12 breaks an invariant');
  expect((await fork('--at', '11')).exitCode).toBe(0);
  rmSync(target, { recursive: true });
  const where = ['--data', source.path, '--sequence', '12', '--index', '1'];
  await runForTest(['skip', ...where, '--reason', 'test']);
  await source.append(5000, [command(31)]);
  const { data } = await fork('--at', '12');
  expect(data).toMatchObject({ forkedAt: 12, logPosition: 13, time: '1970-01-01T00:00:03.000Z' });
  expect(data.sourceStateHash).toBe((await stateHashes())[11]);
  expect(await verify(target)).toMatchObject({
    sound: true,
    logPosition: 13,
    skips: [{ sequence: 12, index: 1, reason: 'test' }],
  });
  rmSync(target, { recursive: true });
  // The record is a part of the fork already.
  expect((await fork()).data).toMatchObject({ forkedAt: 14, logPosition: 14 });
  rmSync(target, { recursive: true });
  // It concerns a command that the fork does not have.
  expect((await fork('--at', '11')).data).toMatchObject({ forkedAt: 11, logPosition: 11 });
});

test('the keys of a sandbox are copied, and what an interrupted fork left is replaced', async () => {
  source = await TestDirectory.create();
  const credentials = { baseUrl: 'http://localhost', accounts: [] };
  writeFileSync(source.paths.sandbox, JSON.stringify(credentials));
  mkdirSync(join(target, 'log'), { recursive: true });
  writeFileSync(join(target, 'log', 'rest'), 'x');
  writeFileSync(join(target, 'sandbox.json.part'), 'x');
  writeFileSync(join(target, 'forking'), '');
  expect((await fork()).exitCode).toBe(0);
  expect(readdirSync(target).sort()).toEqual(['log', 'sandbox.json', 'snapshots']);
  expect(JSON.parse(readFileSync(join(target, 'sandbox.json'), 'utf8'))).toEqual(credentials);
  expect((await verify(target)).sound).toBe(true);
});
