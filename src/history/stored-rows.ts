import { constants, Database as Sqlite } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { CHECKSUM, check } from './checksum.ts';
import type { Queries, Row, Table, Value } from './database.ts';
import { damageOf, type HistoryDamagedError } from './errors.ts';
import { RowSum } from './expected-rows.ts';
import { FIRST_CHECKED_VERSION } from './schema.ts';
import { type Position, readPosition } from './writer.ts';

/** How many findings SQLite reports of a damaged file. */
const FINDINGS = 5;

/** A history in a file that is only read, and never changed: no node has it open. */
export class StoredRows implements Queries {
  readonly hasUncheckedRows = false;

  private constructor(private readonly sqlite: Sqlite) {}

  /** @throws SQLiteError */
  static open(path: string): StoredRows {
    const wal = `${path}-wal`;
    // Whatever a crash left in the log of the database is a part of it; without one, nothing needs to be written.
    if (existsSync(wal) && statSync(wal).size > 0) {
      return new StoredRows(new Sqlite(path, { readonly: true }));
    }
    const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
    const url = `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`;
    return new StoredRows(new Sqlite(url, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  }

  async query(text: string, ...values: Value[]): Promise<Row[]> {
    return this.sqlite.query<Row, Value[]>(text).all(...values);
  }

  /** Whether a release without checksums wrote it. */
  isUnchecked(): boolean {
    const row = this.sqlite
      .query<{ version: number }, []>('SELECT version FROM schema_version')
      .get();
    return row !== null && row.version < FIRST_CHECKED_VERSION;
  }

  /** @throws HistoryDamagedError, SQLiteError */
  position(): Promise<Position> {
    return readPosition(this);
  }

  /** What SQLite finds wrong with the file: pages, and indexes that lack rows. */
  findings(): string[] {
    const rows = this.sqlite
      .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${FINDINGS})`)
      .all();
    return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
  }

  /**
   * Reads all rows of a table.
   * @throws HistoryDamagedError where one is not what was written.
   */
  sumOf(table: Table<never>): RowSum {
    const sum = new RowSum();
    for (const row of this.sqlite.query<Row, []>(`SELECT * FROM ${table.name}`).iterate()) {
      check(table, row, false);
      sum.add(Number(row[CHECKSUM]));
    }
    return sum;
  }

  close(): void {
    this.sqlite.close();
  }
}

/** Does something with a history; where it turns out to be damaged, gives that. */
export async function findDamage(
  work: () => void | Promise<void>,
): Promise<HistoryDamagedError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const damage = damageOf(error);
    if (damage === undefined) throw error;
    return damage;
  }
}
