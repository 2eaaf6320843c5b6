import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLog } from '../src/log/file-log.ts';
import { FRAME_OVERHEAD_BYTES } from '../src/log/frame.ts';
import { DiskStorage } from '../src/storage/disk-storage.ts';
import type { StorageFile } from '../src/storage/storage.ts';

// Measures the file log on a real disk, in rounds that alternate with bare writes and syncs of the same
// bytes, then reading. Prints one JSON line; times are in milliseconds if not stated otherwise.
const COMMANDS_PER_BATCH = 64;
const COMMAND_BYTES = 50;
const ROUNDS = 8;
const APPENDS_PER_ROUND = 250;
const READ_BATCHES = 30_000;
const READ_ROUNDS = 5;

/** Writes the log to read without syncs, because durability is not measured. */
class UnsyncedStorage extends DiskStorage {
  override create(path: string): StorageFile {
    const file = super.create(path);
    file.sync = async () => {};
    return file;
  }
}

const payload = new Uint8Array(COMMANDS_PER_BATCH * COMMAND_BYTES);
crypto.getRandomValues(payload);
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-log-'));

async function measureAppends() {
  const log = await FileLog.open({ storage: new DiskStorage(), directory: join(directory, 'log') });
  const bare = openSync(join(directory, 'bare'), 'w');
  const frame = new Uint8Array(payload.length + FRAME_OVERHEAD_BYTES).fill(1);
  const appends: number[] = [];
  const syncs: number[] = [];
  const append = () => log.append(Date.now(), COMMANDS_PER_BATCH, payload);
  const writeAndSync = () => {
    writeSync(bare, frame);
    return new Promise<void>((done, failed) => {
      fdatasync(bare, (error) => (error ? failed(error) : done()));
    });
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (let index = 0; index < APPENDS_PER_ROUND; index++) appends.push(await timed(append));
    for (let index = 0; index < APPENDS_PER_ROUND; index++) syncs.push(await timed(writeAndSync));
  }
  await log.close();
  closeSync(bare);
  return { appends, syncs };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Returns the times to open a log and to read all of it, each the median of several rounds. */
async function measureReading() {
  const path = join(directory, 'read');
  const log = await FileLog.open({ storage: new UnsyncedStorage(), directory: path });
  while (log.lastSequence < READ_BATCHES) await log.append(1, COMMANDS_PER_BATCH, payload);
  await log.close();
  const opens: number[] = [];
  const reads: number[] = [];
  for (let round = 0; round < READ_ROUNDS; round++) {
    let opened: FileLog | undefined;
    const open = async () => {
      opened = await FileLog.open({ storage: new DiskStorage(), directory: path });
    };
    opens.push(await timed(open));
    let commands = 0;
    const start = performance.now();
    for (const batch of opened!.read(0)) commands += batch.count;
    reads.push(performance.now() - start);
    if (commands !== READ_BATCHES * COMMANDS_PER_BATCH) throw new Error('Not all was read.');
    await opened!.close();
  }
  return { openMs: percentile(opens, 0.5), readMs: percentile(reads, 0.5) };
}

/** Returns the CPU time of an append without the disk, microseconds. */
async function measureCpu(): Promise<number> {
  const path = join(directory, 'cpu');
  const log = await FileLog.open({ storage: new UnsyncedStorage(), directory: path });
  const appends = 20_000;
  const start = process.cpuUsage();
  for (let index = 0; index < appends; index++) await log.append(1, COMMANDS_PER_BATCH, payload);
  const { user, system } = process.cpuUsage(start);
  await log.close();
  return (user + system) / appends;
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}

const perSecond = (times: number[]) =>
  (1000 * times.length) / times.reduce((sum, time) => sum + time, 0);

const rounded = (value: number) => Number(value.toPrecision(4));

try {
  const { appends, syncs } = await measureAppends();
  const appendCpuMicroseconds = await measureCpu();
  const { openMs, readMs } = await measureReading();
  const readBatchesPerSecond = (1000 * READ_BATCHES) / readMs;
  const result = {
    appendsPerSecond: perSecond(appends),
    commandsPerSecond: perSecond(appends) * COMMANDS_PER_BATCH,
    fdatasyncsPerSecond: perSecond(syncs),
    ratio: perSecond(appends) / perSecond(syncs),
    appendP50Ms: percentile(appends, 0.5),
    appendP99Ms: percentile(appends, 0.99),
    fdatasyncP50Ms: percentile(syncs, 0.5),
    fdatasyncP99Ms: percentile(syncs, 0.99),
    appendCpuMicroseconds,
    readBatchesPerSecond,
    readCommandsPerSecond: readBatchesPerSecond * COMMANDS_PER_BATCH,
    openMs,
  };
  const figures = Object.entries(result).map(([name, value]) => [name, rounded(value)]);
  console.log(JSON.stringify(Object.fromEntries(figures)));
} finally {
  rmSync(directory, { recursive: true });
}
