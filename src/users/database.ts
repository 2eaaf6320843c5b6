import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { SQL } from 'bun';
import { retry } from '../monitoring/retry.ts';
import { keepPrivate } from '../storage/private-file.ts';
import { DatabaseDownError, DatabaseRefusedError, UsersUnreadableError } from './errors.ts';

export type Value = number | string;
/** PostgreSQL returns 64-bit integers as text: read them with Number. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Statements that SQLite and PostgreSQL both support, with `$1` for the first value. A column `NUMBERED` gets
 * automatically increasing integers; `BYTEWISE` after an expression compares it byte by byte, whatever the locale.
 */
export interface Queries {
  query(text: string, ...values: Value[]): Promise<Row[]>;
  /** Returns the number of changed rows. */
  run(text: string, ...values: Value[]): Promise<number>;
}

/**
 * Commits are synced, so that an old password cannot return after a power failure. Temporary tables stay in
 * memory, because there may be no free file descriptor.
 */
const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA busy_timeout = 5000',
  'PRAGMA temp_store = MEMORY',
];

const SQLITE_NUMBERED = 'INTEGER PRIMARY KEY AUTOINCREMENT';
const POSTGRES_NUMBERED = 'BIGINT GENERATED ALWAYS AS IDENTITY';

/** First bytes of every SQLite database. */
const SQLITE_HEADER = 'SQLite format 3\0';

/** A broken connection may never report an error, so queries time out. */
const QUERY_TIMEOUT_MS = 3000;
/** Another node may be migrating. */
const MIGRATION_TIMEOUT_MS = 60_000;
const CONNECT_SECONDS = 2;
/** Commits wait for the disk, and for a synchronous standby, whatever the server's or role's default. */
const SYNCED = { synchronous_commit: 'on' };
/** After a failure queries fail at once for this long, instead of waiting for another timeout. */
const PAUSE_MS = 250;
/** PostgreSQL aborts one of two transactions in a deadlock. It has changed nothing and is run again. */
const MAX_ATTEMPTS = 5;
const MIGRATION_LOCK = 0x62757474;

/**
 * The user database, on SQLite or PostgreSQL. If PostgreSQL does not respond, queries throw DatabaseDownError
 * and the next one opens new connections.
 */
export class Database implements Queries {
  /** SQLite has one connection, so queries run one after the other: a transaction must not include others. */
  private last: Promise<unknown> = Promise.resolve();
  private pausedUntil = 0;

  private constructor(
    private readonly url: string,
    /** Whether it is SQLite. PostgreSQL is shared by the nodes of a cluster. */
    readonly isSqlite: boolean,
    private sql = connect(url, isSqlite),
  ) {}

  /**
   * @param url `sqlite://PATH`, created if missing, `sqlite://:memory:` or `postgres://…`
   * @throws DatabaseDownError, DatabaseRefusedError, UsersUnreadableError
   */
  static async open(url: string): Promise<Database> {
    if (url.startsWith('sqlite:')) return Database.openFile(url);
    const database = new Database(url, false);
    await database.checkConnection();
    return database;
  }

  private static async openFile(url: string): Promise<Database> {
    const path = url.replace(/^sqlite:(\/\/)?/, '');
    let database: Database | undefined;
    try {
      if (path !== ':memory:') keepPrivate(path);
      database = new Database(url, true);
      for (const pragma of PRAGMAS) await database.run(pragma);
      return database;
    } catch (error) {
      await database?.close();
      throw new UsersUnreadableError(path, (error as Error).message, error);
    }
  }

  /** @throws DatabaseDownError, like every query */
  query(text: string, ...values: Value[]): Promise<Row[]> {
    const run = (sql: Pick<SQL, 'unsafe'>) => this.on(sql).query(text, ...values);
    return this.execute((sql) => (this.isSqlite ? run(sql) : this.begin(sql, run)), false);
  }

  run(text: string, ...values: Value[]): Promise<number> {
    return this.execute((sql) => this.on(sql).run(text, ...values), true);
  }

  /** Runs `work` in a transaction, which is rolled back if it throws. May run it again after a deadlock. */
  transaction<Result>(
    work: (queries: Queries) => Promise<Result>,
    timeoutMs = QUERY_TIMEOUT_MS,
  ): Promise<Result> {
    const run = (each: Pick<SQL, 'unsafe'>) => work(this.on(each));
    return retry(() => this.execute((sql) => this.begin(sql, run), true, timeoutMs), {
      every: 0,
      maxAttempts: MAX_ATTEMPTS,
      isTransient: isDeadlock,
    });
  }

  /** Runs a transaction that excludes all others of its kind, on every node. */
  exclusively<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.transaction(async (queries) => {
      if (!this.isSqlite) await queries.query('SELECT pg_advisory_xact_lock($1)', MIGRATION_LOCK);
      return work(queries);
    }, MIGRATION_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    await this.last;
    await this.sql.close();
  }

  private async checkConnection(): Promise<void> {
    try {
      await this.query('SELECT 1');
    } catch (error) {
      await this.sql.close();
      throw error instanceof DatabaseDownError ? error : new DatabaseRefusedError(error as Error);
    }
  }

  /**
   * Begins a transaction that may write, even for reads: standbys reject it, and must not be read because they
   * may not know yet who has signed out.
   */
  private begin<Result>(
    sql: SQL,
    work: (sql: Pick<SQL, 'unsafe'>) => Promise<Result>,
  ): Promise<Result> {
    return (this.isSqlite ? sql.begin(work) : sql.begin('READ WRITE', work)) as Promise<Result>;
  }

  private execute<Result>(
    work: (sql: SQL) => Promise<Result>,
    writes: boolean,
    timeoutMs = QUERY_TIMEOUT_MS,
  ): Promise<Result> {
    if (!this.isSqlite) return this.executeOnServer(work, writes, timeoutMs);
    const result = this.last.then(() => work(this.sql));
    this.last = result.catch(() => {});
    return result;
  }

  private async executeOnServer<Result>(
    work: (sql: SQL) => Promise<Result>,
    writes: boolean,
    timeoutMs: number,
  ): Promise<Result> {
    if (performance.now() < this.pausedUntil) throw new DatabaseDownError();
    const { sql } = this;
    const result = work(sql);
    try {
      return await withTimeout(result, timeoutMs);
    } catch (error) {
      if (!isDown(error)) throw error;
      result.catch(() => {});
      this.pausedUntil = performance.now() + PAUSE_MS;
      // The pool would hand out a hanging connection again.
      if (this.sql === sql) {
        this.sql = connect(this.url, false);
        sql.close({ timeout: 0 }).catch(() => {});
      }
      throw new DatabaseDownError(error, writes && !hasDoneNothing(error));
    }
  }

  private on(sql: Pick<SQL, 'unsafe'>): Queries {
    // SQLite numbers names such as `$2` by first occurrence; `?2` is always the second value.
    const translate = (text: string) =>
      this.isSqlite
        ? text
            .replaceAll('$', '?')
            .replace('NUMBERED PRIMARY KEY', SQLITE_NUMBERED)
            .replaceAll('BYTEWISE', 'COLLATE BINARY')
        : text.replace('NUMBERED', POSTGRES_NUMBERED).replaceAll('BYTEWISE', 'COLLATE "C"');
    return {
      query: async (text, ...values) => [...(await sql.unsafe(translate(text), values))],
      run: async (text, ...values) => (await sql.unsafe(translate(text), values)).count,
    };
  }
}

/**
 * Checks that a file that is not empty begins as an SQLite database does. Creates and changes nothing.
 * @throws UsersUnreadableError
 */
export function checkUsersFile(path: string): void {
  if (!existsSync(path)) return;
  const header = Buffer.alloc(SQLITE_HEADER.length);
  try {
    const file = openSync(path, 'r');
    const length = readSync(file, header);
    closeSync(file);
    if (length === 0) return;
  } catch (error) {
    throw new UsersUnreadableError(path, (error as Error).message, error);
  }
  if (header.toString('latin1') === SQLITE_HEADER) return;
  throw new UsersUnreadableError(path, 'it is not an SQLite database');
}

function connect(url: string, isSqlite: boolean): SQL {
  if (isSqlite) return new SQL(url);
  return new SQL(url, { connectionTimeout: CONNECT_SECONDS, connection: SYNCED });
}

async function withTimeout<Result>(result: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseDownError()), timeoutMs);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns whether an error is about the connection (SQLSTATE classes 08 and 57P, or Bun's client), too many
 * connections (53), or a standby (25006, or 0A000 for a transaction that may write).
 */
function isDown(error: unknown): boolean {
  if (error instanceof DatabaseDownError) return true;
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return /^ERR_POSTGRES_CONNECTION/.test(code) || /^(08|53|57P|25006|0A000)/.test(String(errno));
}

/** Returns whether the statement was certainly not executed: no connection was made, or the server is a standby. */
function hasDoneNothing(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return (
    code === 'ERR_POSTGRES_CONNECTION_REFUSED' || /^(53|57P03|25006|0A000)/.test(String(errno))
  );
}

/** Returns whether the transaction was aborted because of a deadlock or a serialization conflict. */
function isDeadlock(error: unknown): boolean {
  const { errno } = error as { errno?: string };
  return errno === '40P01' || errno === '40001';
}
