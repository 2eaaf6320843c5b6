import { constants, Database as Sqlite } from 'bun:sqlite';
import { existsSync, statSync } from 'node:fs';
import { CHECKSUM, check } from '../database/checksum.ts';
import type { Queries, Row, Table, Value } from '../database/database.ts';
import { FIRST_KEPT_VERSION } from '../database/schema.ts';
import { type HistoryDamagedError, toDamage } from '../errors.ts';
import { alertsTable, detectorsTable } from '../tables/surveillance.ts';
import { readKeptSince, TIME_COLUMNS } from '../writer/trimming.ts';
import { type Position, readPosition } from '../writer/writer.ts';
import { RowSum } from './expected-rows.ts';

/** Maximum findings that SQLite reports for a damaged file. */
const MAX_FINDINGS = 5;

/** A history file opened read-only, while no node has it open. */
export class StoredRows implements Queries {
  readonly hasUncheckedRows = false;

  private constructor(private readonly sqlite: Sqlite) {}

  /** @throws SQLiteError */
  static open(path: string): StoredRows {
    const wal = `${path}-wal`;
    // A write-ahead log left by a crash is part of the database. Without one the file can be opened as immutable.
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

  /** Returns whether an earlier release wrote it, so that a node will rebuild it. */
  isFromEarlierRelease(): boolean {
    const row = this.sqlite
      .query<{ version: number }, []>('SELECT version FROM schema_version')
      .get();
    return row !== null && row.version < FIRST_KEPT_VERSION;
  }

  /** @throws HistoryDamagedError, SQLiteError */
  position(): Promise<Position> {
    return readPosition(this);
  }

  /** Returns the problems that SQLite finds: damaged pages, and indexes that lack rows. */
  findings(): string[] {
    const rows = this.sqlite
      .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_FINDINGS})`)
      .all();
    return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
  }

  /** Returns the time from which orders, fills and entries are kept. @throws HistoryDamagedError, SQLiteError */
  keptSince(): Promise<number> {
    return readKeptSince(this);
  }

  /**
   * Reads all rows of a table and sums those that are kept: earlier ones may be deleted or not.
   * @param keptSince Milliseconds since 1970.
   * @throws HistoryDamagedError if a row differs from the written one
   */
  sumTable(table: Table<never>, keptSince = 0): RowSum {
    const sum = new RowSum();
    const time = TIME_COLUMNS.get(table.name);
    for (const row of this.sqlite.query<Row, []>(`SELECT * FROM ${table.name}`).iterate()) {
      check(table, row, false);
      if (time === undefined || Number(row[time]) >= keptSince) sum.add(Number(row[CHECKSUM]));
    }
    return sum;
  }

  /**
   * Reads the alerts of surveillance and the states of its detectors, which depend on the release that wrote them.
   * @throws HistoryDamagedError if a row differs from the written one
   */
  checkSurveillance(): void {
    for (const table of [alertsTable, detectorsTable]) this.sumTable(table);
  }

  close(): void {
    this.sqlite.close();
  }
}

/** Runs `work` on a history. @returns the damage that it found, or undefined */
export async function findDamage(
  work: () => void | Promise<void>,
): Promise<HistoryDamagedError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const damage = toDamage(error);
    if (damage === undefined) throw error;
    return damage;
  }
}
