/**
 * npm run bench:recovery [-- --commands N] [--open N]
 *
 * Measures a start: replaying a log (reading, hashing, decoding, applying), and loading a snapshot of
 * many open orders into a usable exchange. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GENESIS, replay } from '../src/archivist/recovery.ts';
import { SnapshotStore } from '../src/archivist/snapshots/snapshots.ts';
import type { Command } from '../src/engine/command.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { ByteWriter } from '../src/engine/numbers/bytes.ts';
import { readSnapshot, writeSnapshot } from '../src/engine/snapshot/snapshot.ts';
import { encodeCommand } from '../src/log/codec.ts';
import { FileLog } from '../src/log/file-log.ts';
import { DiskStorage } from '../src/storage/disk-storage.ts';
import type { StorageFile } from '../src/storage/storage.ts';
import { BATCH, commandTime, Traders } from './engine/mix.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '2000000' },
    open: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '3' },
  },
});
const RUNS = Number(values.runs);

/** Writes the log to replay without syncs, because durability is not measured. */
class UnsyncedStorage extends DiskStorage {
  override create(path: string): StorageFile {
    const file = super.create(path);
    file.sync = async () => {};
    return file;
  }
}

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-recovery-'));
try {
  const commands = await writeLog(Number(values.commands));
  const replays: number[] = [];
  for (let run = 0; run < RUNS; run++) replays.push(await replaySeconds());
  const snapshot = await measureSnapshot(Number(values.open));
  console.log(
    JSON.stringify({
      commands,
      commandsPerSecond: Math.round(commands / median(replays)),
      ...snapshot,
    }),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Writes a log of the engine bench's mix, in batches of 64. @returns The number of commands. */
async function writeLog(count: number): Promise<number> {
  const log = await FileLog.open({
    storage: new UnsyncedStorage(),
    directory: join(directory, 'log'),
  });
  const traders = new Traders({ accounts: 1_000, markets: 4, openOrders: 50_000 });
  const writer = new ByteWriter();
  let written = 0;
  const append = async (commands: readonly Command[]): Promise<void> => {
    for (let start = 0; start < commands.length; start += BATCH) {
      const batch = commands.slice(start, start + BATCH);
      writer.reset();
      for (const command of batch) encodeCommand(writer, command);
      await log.append(commandTime(written), batch.length, writer.bytes());
      written += batch.length;
    }
  };
  await append(traders.opening());
  while (written < count) await append(traders.next(100_000));
  await log.close();
  return written;
}

async function replaySeconds(): Promise<number> {
  const log = await FileLog.open({ storage: new DiskStorage(), directory: join(directory, 'log') });
  Bun.gc(true);
  const start = performance.now();
  replay(log, { exchange: new Exchange(), position: GENESIS });
  const seconds = (performance.now() - start) / 1000;
  await log.close();
  return seconds;
}

async function measureSnapshot(openOrders: number) {
  const traders = new Traders({ accounts: 1_000, markets: 4, openOrders });
  traders.opening();
  const storage = new DiskStorage();
  await storage.makeDirectory(join(directory, 'snapshots'));
  const snapshots = new SnapshotStore(storage, join(directory, 'snapshots'));
  const writeStart = performance.now();
  await snapshots.write({ sequence: 1, hash: new Uint8Array(32) }, writeSnapshot(traders.exchange));
  const snapshotWriteMs = Math.round(performance.now() - writeStart);
  const loads: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    Bun.gc(true);
    const start = performance.now();
    const exchange = readSnapshot(snapshots.read(1).state);
    loads.push(performance.now() - start);
    if (exchange.state.digest !== traders.exchange.state.digest) throw new Error('They differ.');
  }
  return {
    openOrders,
    snapshotLoadMs: Math.round(median(loads)),
    firstSnapshotLoadMs: Math.round(loads[0]!),
    snapshotWriteMs,
  };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
