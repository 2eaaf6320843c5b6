import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { History } from '../src/history/history.ts';
import { below, type Random } from './random.ts';

/** A directory in memory if the system has one: no file outlives the run. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * The database files of history. SQLite writes real files, in a temporary directory. It runs as in a
 * node, with a write-ahead log that commits do not sync: a process that ends leaves both files
 * unchanged, a power loss removes any part of the log's end, and SQLite recovers from that.
 */
export class HistoryFiles {
  private readonly directory = mkdtempSync(join(PARENT, 'buttonwood-simulation-'));
  private generation = 0;
  private history: History | undefined;

  /** Opens the database, creating it if there is none. */
  async open(): Promise<History> {
    this.history = await History.open(`sqlite://${this.path}`);
    return this.history;
  }

  /** Stores the detectors' states as of the last batch: how old they are otherwise depends on when they were stored. */
  async settle(): Promise<void> {
    await this.history?.settle(true);
  }

  get path(): string {
    return join(this.directory, `${this.generation}.sqlite`);
  }

  /** Returns a path for a database to compare with this one. */
  get otherPath(): string {
    return join(this.directory, 'other.sqlite');
  }

  /** Applies the end of a process. @param power The randomness of a power loss, if there was one. */
  async crash(power?: Random): Promise<void> {
    const [from, history] = [this.path, this.history];
    this.history = undefined;
    this.generation++;
    if (existsSync(from)) copyFileSync(from, this.path);
    if (existsSync(`${from}-wal`)) {
      const wal = readFileSync(`${from}-wal`);
      const kept = power === undefined ? wal.length : below(wal.length + 1, power);
      writeFileSync(`${this.path}-wal`, wal.subarray(0, kept));
    }
    await history?.close();
    this.forget(from);
  }

  /** Called when a process has closed its history, before it ends. */
  closed(): void {
    this.history = undefined;
  }

  forget(path: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }

  async remove(): Promise<void> {
    await this.history?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
