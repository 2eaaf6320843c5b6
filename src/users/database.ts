import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { SQL } from 'bun';
import { keepPrivate } from '../storage/private-file.ts';
import { DatabaseDownError, DatabaseRefusedError, UsersUnreadableError } from './errors.ts';

export type Value = number | string;
/** Whole numbers come as text from PostgreSQL: read them with Number. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Statements that SQLite and PostgreSQL both take, with `$1` for the first value. A column `NUMBERED`
 * gets whole numbers by itself, each above all before.
 */
export interface Queries {
  query(text: string, ...values: Value[]): Promise<Row[]>;
  /** @returns How many rows it changed. */
  run(text: string, ...values: Value[]): Promise<number>;
}

/**
 * A person's password must not come back after a power cut: each commit is synced. What is temporary is no
 * file, for which connections may have left no descriptor.
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

/** What is not answered within this is not waited for: its connection may never say that it is cut. */
const ANSWER_MS = 3000;
/** Another node may be at it. */
const MIGRATION_MS = 60_000;
const CONNECT_SECONDS = 2;
/** A commit waits for the disk, and for a synchronous standby's, whatever the server or the role has set. */
const SYNCED = { synchronous_commit: 'on' };
/** After a failure nothing is asked for so long, so that whoever comes meanwhile is told at once. */
const PAUSE_MS = 250;
/** PostgreSQL ends one of two transactions that wait for each other; it has done nothing, and is done again. */
const MAX_TRIES = 5;
const MIGRATION_LOCK = 0x62757474;

/**
 * The database of people, and all that knows which one it is. Of PostgreSQL that cannot be asked it says so
 * (DatabaseDownError) and tries again with connections of its own when it is asked next.
 */
export class Database implements Queries {
  /** What runs on SQLite's one connection: a transaction there must hold nothing of others. */
  private last: Promise<unknown> = Promise.resolve();
  private pausedUntil = 0;

  private constructor(
    private readonly url: string,
    /** SQLite; else it is PostgreSQL, which other nodes share. */
    readonly isOwn: boolean,
    private sql = connect(url, isOwn),
  ) {}

  /**
   * @param url `sqlite://PATH`, made if need be, `sqlite://:memory:` or `postgres://…`
   * @throws DatabaseDownError, DatabaseRefusedError, UsersUnreadableError
   */
  static async open(url: string): Promise<Database> {
    if (url.startsWith('sqlite:')) return Database.openFile(url);
    const database = new Database(url, false);
    await database.greet();
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

  /** @throws DatabaseDownError, as all that asks it */
  query(text: string, ...values: Value[]): Promise<Row[]> {
    const ask = (sql: Pick<SQL, 'unsafe'>) => this.on(sql).query(text, ...values);
    return this.ask((sql) => (this.isOwn ? ask(sql) : this.begin(sql, ask)), false);
  }

  run(text: string, ...values: Value[]): Promise<number> {
    return this.ask((sql) => this.on(sql).run(text, ...values), true);
  }

  /** Does all of `work` or, where it throws, nothing of it; perhaps more than once, until it is done. */
  async transaction<Result>(
    work: (queries: Queries) => Promise<Result>,
    withinMs = ANSWER_MS,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        const begun = (each: Pick<SQL, 'unsafe'>) => work(this.on(each));
        return await this.ask((sql) => this.begin(sql, begun), true, withinMs);
      } catch (error) {
        if (!isOvertaken(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** A transaction which no other of its kind runs beside, on any node. */
  exclusively<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.transaction(async (queries) => {
      if (!this.isOwn) await queries.query('SELECT pg_advisory_xact_lock($1)', MIGRATION_LOCK);
      return work(queries);
    }, MIGRATION_MS);
  }

  async close(): Promise<void> {
    await this.last;
    await this.sql.close();
  }

  private async greet(): Promise<void> {
    try {
      await this.query('SELECT 1');
    } catch (error) {
      await this.sql.close();
      throw error instanceof DatabaseDownError ? error : new DatabaseRefusedError(error as Error);
    }
  }

  /**
   * A standby refuses to begin what may write: it is not to be read either, for what it knows of who has signed
   * out may be old.
   */
  private begin<Result>(
    sql: SQL,
    work: (sql: Pick<SQL, 'unsafe'>) => Promise<Result>,
  ): Promise<Result> {
    return (this.isOwn ? sql.begin(work) : sql.begin('READ WRITE', work)) as Promise<Result>;
  }

  private ask<Result>(
    work: (sql: SQL) => Promise<Result>,
    writes: boolean,
    withinMs = ANSWER_MS,
  ): Promise<Result> {
    if (!this.isOwn) return this.askServer(work, writes, withinMs);
    const result = this.last.then(() => work(this.sql));
    this.last = result.catch(() => {});
    return result;
  }

  private async askServer<Result>(
    work: (sql: SQL) => Promise<Result>,
    writes: boolean,
    withinMs: number,
  ): Promise<Result> {
    if (performance.now() < this.pausedUntil) throw new DatabaseDownError();
    const { sql } = this;
    const answer = work(sql);
    try {
      return await inTime(answer, withinMs);
    } catch (error) {
      if (!isDown(error)) throw error;
      answer.catch(() => {});
      this.pausedUntil = performance.now() + PAUSE_MS;
      // A connection that hangs would be handed out again.
      if (this.sql === sql) {
        this.sql = connect(this.url, false);
        sql.close({ timeout: 0 }).catch(() => {});
      }
      throw new DatabaseDownError(error, writes && !isUnheard(error));
    }
  }

  private on(sql: Pick<SQL, 'unsafe'>): Queries {
    // To SQLite `$2` is a name, numbered where it first stands; `?2` is the second value.
    const own = (text: string) =>
      this.isOwn
        ? text.replaceAll('$', '?').replace('NUMBERED PRIMARY KEY', SQLITE_NUMBERED)
        : text.replace('NUMBERED', POSTGRES_NUMBERED);
    return {
      query: async (text, ...values) => [...(await sql.unsafe(own(text), values))],
      run: async (text, ...values) => (await sql.unsafe(own(text), values)).count,
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

async function inTime<Result>(answer: Promise<Result>, withinMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseDownError()), withinMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Of the connection (SQLSTATE classes 08 and 57P), of too many connections (53), of a standby (25006, 0A000 for what
 * begins to write), or of Bun's own client.
 */
function isDown(error: unknown): boolean {
  if (error instanceof DatabaseDownError) return true;
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return /^ERR_POSTGRES_CONNECTION/.test(code) || /^(08|53|57P|25006|0A000)/.test(String(errno));
}

/** It took no connection, or is a standby: nothing was done. */
function isUnheard(error: unknown): boolean {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  return (
    code === 'ERR_POSTGRES_CONNECTION_REFUSED' || /^(53|57P03|25006|0A000)/.test(String(errno))
  );
}

/** Two transactions were in each other's way, and this one was ended. */
function isOvertaken(error: unknown): boolean {
  const { errno } = error as { errno?: string };
  return errno === '40P01' || errno === '40001';
}
