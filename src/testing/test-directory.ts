import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyBatch } from '../archivist/recovery.ts';
import { SnapshotStore } from '../archivist/snapshots/snapshots.ts';
import { dataPaths } from '../config/data-paths.ts';
import { type Command, CommandKind } from '../engine/command.ts';
import { Exchange } from '../engine/exchange.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { FileLog } from '../log/file-log.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { appendBatch, command, GENESIS_COMMANDS } from './test-exchange.ts';

/** A command that breaks an invariant unless it is the first of the log. */
export const POISON: Command = { kind: CommandKind.open, version: 1, sandbox: true };

/** The data directory of a stopped node. */
export class TestDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'buttonwood-offline-'));
  readonly paths = dataPaths(this.path);
  readonly storage = new DiskStorage();
  readonly snapshots = new SnapshotStore(this.storage, this.paths.snapshots);
  private readonly exchange = new Exchange();

  /** Creates eleven batches of orders, trades and cancels, with snapshots after the given batches. */
  static async create(snapshotsAt: readonly number[] = []): Promise<TestDirectory> {
    const directory = new TestDirectory();
    mkdirSync(directory.paths.snapshots);
    await directory.append(1000, GENESIS_COMMANDS);
    for (let batch = 0; batch < 10; batch++) {
      const commands = [0, 1, 2].map((index) => command(batch * 3 + index));
      await directory.append(2000 + batch, commands, snapshotsAt);
    }
    return directory;
  }

  /** Appends and applies a batch, and takes a snapshot if it is one of the given batches. */
  async append(
    time: number,
    commands: readonly Command[],
    snapshotsAt: readonly number[] = [],
  ): Promise<void> {
    const log = await FileLog.open({ storage: this.storage, directory: this.paths.log });
    const batch = await appendBatch(log, time, commands);
    await log.close();
    if (commands.includes(POISON)) return;
    applyBatch(this.exchange, batch, new Set());
    if (!snapshotsAt.includes(batch.sequence)) return;
    await this.snapshots.write(batch, writeSnapshot(this.exchange));
  }

  get segment(): string {
    return join(this.paths.log, readdirSync(this.paths.log).find((name) => name.endsWith('.log'))!);
  }

  /** Returns the SHA-256 of each file except the lock. */
  contents(): Record<string, string> {
    const files = readdirSync(this.path, { recursive: true, withFileTypes: true });
    return Object.fromEntries(
      files
        .filter((file) => file.isFile() && !file.name.startsWith('lock'))
        .map((file) => join(file.parentPath, file.name))
        .map((path) => [path, new Bun.SHA256().update(readFileSync(path)).digest('hex')]),
    );
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
