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

/** Memory where there is such a place: nothing here is to outlive the run. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * History's database. SQLite writes real files, in a directory of the simulation's own. It runs as in a
 * node, with a write-ahead log that commits do not sync: a process that ends leaves both files as they
 * are, the power takes any part of the log's end with it, and SQLite itself recovers from that.
 */
export class HistoryFiles {
  private readonly directory = mkdtempSync(join(PARENT, 'buttonwood-simulation-'));
  private generation = 0;
  private history: History | undefined;

  /** Opens what is there, made if nothing is. */
  async open(): Promise<History> {
    this.history = await History.open(`sqlite://${this.path}`);
    return this.history;
  }

  get path(): string {
    return join(this.directory, `${this.generation}.sqlite`);
  }

  /** A path for a database that is to be compared with this one. */
  get otherPath(): string {
    return join(this.directory, 'other.sqlite');
  }

  /** The process has ended. @param power Given where the power went too. */
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

  /** The process has ended and had closed its history. */
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
