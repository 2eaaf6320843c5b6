import { type SQLQueryBindings, Database as Sqlite, type Statement } from 'bun:sqlite';
import { keepPrivate } from '../../storage/private-file.ts';
import { HistoryUnreadableError } from '../errors.ts';
import { storedColumns, writeRow } from './checksum.ts';
import type { Database, Queries, Row, Statements, Table, Value } from './database.ts';
import { conflictClause } from './replacing.ts';

/** Fewer rows per statement cost more per row; more rows cost the same. */
const ROWS_PER_STATEMENT = 32;

/**
 * Settings for a few large transactions a second, read by the same process. Readers never wait for the writer. A commit is
 * not synced, because rows lost in a power cut are written again from the log. A page that changes often is copied into the
 * database once for many commits. Temporary tables and journals are in memory, so that they need no file descriptors.
 */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 16384;
  PRAGMA cache_size = -65536;
  PRAGMA busy_timeout = 5000;
  PRAGMA temp_store = MEMORY;
  PRAGMA cell_size_check = ON;
`;

/**
 * A connection to SQLite. It uses bun:sqlite, because Bun.SQL compiles a statement at every call, which doubles the cost of
 * a row.
 */
export class SqliteDatabase implements Database {
  readonly hasUncheckedRows = false;
  private readonly inserters = new Map<string, Inserter<never>>();

  private constructor(private readonly sqlite: Sqlite) {}

  /**
   * @param url `sqlite://PATH`, created if it does not exist, or `sqlite://:memory:`.
   * @throws HistoryUnreadableError
   */
  static open(url: string): SqliteDatabase {
    const path = url.replace(/^sqlite:(\/\/)?/, '');
    try {
      if (path !== ':memory:') keepPrivate(path);
      const sqlite = new Sqlite(path, { create: true, readwrite: true });
      sqlite.run(PRAGMAS);
      return new SqliteDatabase(sqlite);
    } catch (error) {
      throw new HistoryUnreadableError(path, error);
    }
  }

  async query(text: string, ...values: Value[]): Promise<Row[]> {
    return this.sqlite.query<Row, Value[]>(text).all(...values);
  }

  /** @returns the number of rows changed */
  async run(text: string, ...values: Value[]): Promise<number> {
    return this.sqlite.query(text).run(...values).changes;
  }

  async insert<Item>(table: Table<Item>, items: Iterable<Item>): Promise<void> {
    let inserter = this.inserters.get(table.name) as Inserter<Item> | undefined;
    if (inserter === undefined) {
      inserter = new Inserter(this.sqlite, table);
      this.inserters.set(table.name, inserter);
    }
    inserter.insert(items);
  }

  async transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    this.sqlite.run('BEGIN IMMEDIATE');
    try {
      const result = await work(this);
      this.sqlite.run('COMMIT');
      return result;
    } catch (error) {
      if (this.sqlite.inTransaction) this.sqlite.run('ROLLBACK');
      throw error;
    }
  }

  migration(work: (statements: Statements) => Promise<void>): Promise<void> {
    return this.transaction(work);
  }

  /** Only this process writes, and it waits in the meantime. */
  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return work(this);
  }

  async close(): Promise<void> {
    for (const inserter of this.inserters.values()) inserter.close();
    this.sqlite.close(true);
  }
}

/** The prepared statements that insert into one table, with their buffers. */
class Inserter<Item> {
  private readonly many: Statement;
  private readonly one: Statement;
  private readonly manyValues: Value[];
  private readonly oneValues: Value[];

  constructor(
    sqlite: Sqlite,
    private readonly table: Table<Item>,
  ) {
    this.many = sqlite.prepare(insertText(table, ROWS_PER_STATEMENT));
    this.one = sqlite.prepare(insertText(table, 1));
    this.manyValues = new Array<Value>(storedColumns(table).length * ROWS_PER_STATEMENT).fill(0);
    this.oneValues = new Array<Value>(storedColumns(table).length).fill(0);
  }

  insert(items: Iterable<Item>): void {
    const { table, manyValues, oneValues } = this;
    const width = oneValues.length;
    let filled = 0;
    for (const item of items) {
      writeRow(table, item, manyValues, filled * width);
      if (++filled < ROWS_PER_STATEMENT) continue;
      run(this.many, manyValues);
      filled = 0;
    }
    for (let row = 0; row < filled; row++) {
      for (let i = 0; i < width; i++) oneValues[i] = manyValues[row * width + i]!;
      run(this.one, oneValues);
    }
  }

  close(): void {
    this.many.finalize();
    this.one.finalize();
  }
}

/** Passes the values as one array, which bun:sqlite accepts although its types do not. */
function run(statement: Statement, values: Value[]): void {
  statement.run(values as unknown as SQLQueryBindings);
}

function insertText(table: Table<never>, rows: number): string {
  const columns = storedColumns(table);
  const row = `(${columns.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}${conflictClause(table)}`;
}
