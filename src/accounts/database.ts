import { closeSync, openSync } from 'node:fs';
import { SQL } from 'bun';

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

/** The database of people, and all that knows which one it is. */
export class Database implements Queries {
  /** What runs on SQLite's one connection: a transaction there must hold nothing of others. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly sql: SQL,
    private readonly hasOneConnection: boolean,
  ) {}

  /** @param url `sqlite://PATH`, made if need be, `sqlite://:memory:` or `postgres://…` */
  static async open(url: string): Promise<Database> {
    const isSqlite = url.startsWith('sqlite:');
    if (isSqlite) createForOwner(url);
    const database = new Database(new SQL(url), isSqlite);
    if (isSqlite) for (const pragma of PRAGMAS) await database.run(pragma);
    return database;
  }

  query(text: string, ...values: Value[]): Promise<Row[]> {
    return this.inTurn(() => this.on(this.sql).query(text, ...values));
  }

  run(text: string, ...values: Value[]): Promise<number> {
    return this.inTurn(() => this.on(this.sql).run(text, ...values));
  }

  /** Does all of `work` or, where it throws, nothing of it. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.inTurn(() => this.sql.begin((sql) => work(this.on(sql))) as Promise<Result>);
  }

  async close(): Promise<void> {
    await this.last;
    await this.sql.close();
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.hasOneConnection) return work();
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }

  private on(sql: Pick<SQL, 'unsafe'>): Queries {
    // To SQLite `$2` is a name, numbered where it first stands; `?2` is the second value.
    const own = (text: string) =>
      this.hasOneConnection
        ? text.replaceAll('$', '?').replace('NUMBERED PRIMARY KEY', SQLITE_NUMBERED)
        : text.replace('NUMBERED', POSTGRES_NUMBERED);
    return {
      query: async (text, ...values) => [...(await sql.unsafe(own(text), values))],
      run: async (text, ...values) => (await sql.unsafe(own(text), values)).count,
    };
  }
}

/** Nobody else on this machine may read it; SQLite gives its other files the same mode. */
function createForOwner(url: string): void {
  const path = url.replace(/^sqlite:(\/\/)?/, '');
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
}
