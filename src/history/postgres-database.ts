import { type ReservedSQL, SQL } from 'bun';
import { storedColumns, writeRow } from './checksum.ts';
import type { Database, Queries, Row, Statements, Table, Value } from './database.ts';
import { HistoryUnavailableError } from './errors.ts';
import { postgresError, refused } from './postgres-errors.ts';
import { replacing } from './replacing.ts';

/** Others may keep what they like in the same database: people are in `public`. */
const SCHEMA = 'history';
/** Of all advisory locks of the database, those of history: the second number says which. */
const LOCKS = 0x62_74_77_64;
const MIGRATION = 0;

const CONNECT_TIMEOUT_S = 5;
/** A question takes milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
/** A statement of a commit puts in this many rows at most, in some tenths of a second. */
const ROWS_PER_STATEMENT = 2000;
const COMMIT_TIMEOUT_MS = 60_000;
/** A process that was stopped, or is cut off, must not hold its lock for longer. */
const SILENCE_MS = 10_000;
const CONNECTIONS = 4;

type Runner = Pick<SQL, 'unsafe'>;

/**
 * A pool of connections to PostgreSQL. Whatever passes, such as a restart of the server or a cut in the way to
 * it, is a HistoryUnavailableError; the next call connects anew.
 */
export class PostgresDatabase implements Database {
  readonly hasUncheckedRows = true;
  private sql: SQL;
  private readonly columnTypes = new Map<string, Promise<string[]>>();

  constructor(
    private readonly url: string,
    private readonly connections = CONNECTIONS,
    private readonly onClose: () => void = () => {},
  ) {
    this.sql = this.connect();
  }

  query(text: string, ...values: Value[]): Promise<Row[]> {
    return this.within(ANSWER_TIMEOUT_MS, () => this.on(this.sql).query(text, ...values));
  }

  run(text: string, ...values: Value[]): Promise<number> {
    return this.within(ANSWER_TIMEOUT_MS, () => this.on(this.sql).run(text, ...values));
  }

  insert<Item>(table: Table<Item>, items: Iterable<Item>): Promise<void> {
    return this.within(COMMIT_TIMEOUT_MS, () => this.on(this.sql).insert(table, items));
  }

  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    return this.within(
      COMMIT_TIMEOUT_MS,
      () => this.sql.begin((sql) => work(this.on(sql))) as Promise<Result>,
    );
  }

  /** Takes as long as it takes: a large table may get an index. */
  migration(work: (statements: Statements) => Promise<void>): Promise<void> {
    const all = this.sql.begin(async (sql) => {
      const statements = this.on(sql);
      await statements.run('SET LOCAL statement_timeout = 0');
      await statements.query('SELECT pg_advisory_xact_lock($1, $2)', LOCKS, MIGRATION);
      const found = await statements.query(
        'SELECT nspname FROM pg_namespace WHERE nspname = $1',
        SCHEMA,
      );
      if (found.length === 0) await statements.run(`CREATE SCHEMA ${SCHEMA}`);
      await work(statements);
    });
    return this.within(Infinity, () => all).catch((error: unknown) => {
      throw refused(error, this.url);
    });
  }

  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.within(
      ANSWER_TIMEOUT_MS,
      () =>
        this.sql.begin('isolation level repeatable read read only', (sql) =>
          work(this.on(sql)),
        ) as Promise<Result>,
    );
  }

  /** A session of its own that the caller keeps; `onClose` is told when it ends. */
  reserve(): Promise<Session> {
    return this.within(ANSWER_TIMEOUT_MS, async () => new Session(await this.sql.reserve(), this));
  }

  async close(): Promise<void> {
    await this.sql.close({ timeout: 0 });
  }

  private connect(): SQL {
    return new SQL(this.url, {
      max: this.connections,
      connectionTimeout: CONNECT_TIMEOUT_S,
      onclose: this.onClose,
      connection: {
        application_name: 'buttonwood history',
        search_path: SCHEMA,
        statement_timeout: COMMIT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: SILENCE_MS,
        tcp_keepalives_idle: SILENCE_MS / 2000,
        tcp_keepalives_interval: 1,
        tcp_keepalives_count: SILENCE_MS / 2000,
        tcp_user_timeout: SILENCE_MS,
      },
    });
  }

  /** What does not answer in time is given up with its connection. */
  async within<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(() => {
          reject(new HistoryUnavailableError(`PostgreSQL has not answered for ${timeoutMs} ms`));
          this.reset();
        }, timeoutMs)
      : undefined;
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      const known = postgresError(error);
      if (isStalePlan(error)) this.reset();
      throw known;
    } finally {
      clearTimeout(timer);
    }
  }

  private reset(): void {
    const old = this.sql;
    this.sql = this.connect();
    // What still waits there is told that it is closed; nobody waits for the closing.
    void old.close({ timeout: 0 });
  }

  on(sql: Runner): Statements {
    return {
      hasUncheckedRows: true,
      query: async (text, ...values) => [...(await sql.unsafe(text, values))],
      run: async (text, ...values) => (await sql.unsafe(text, values)).count,
      insert: (table, items) => this.insertOn(sql, table, items),
    };
  }

  private async insertOn<Item>(sql: Runner, table: Table<Item>, items: Iterable<Item>) {
    const columns = storedColumns(table);
    const values = new Array<Value>(columns.length);
    let arrays: string[] | undefined;
    let rows = 0;
    const put = async () => {
      const types = await this.typesOf(sql, table);
      const parameters = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
      await sql.unsafe(
        `INSERT INTO ${table.name} (${columns.join(', ')}) SELECT * FROM UNNEST(${parameters})${replacing(table)}`,
        arrays!.map((array) => `{${array}}`),
      );
    };
    for (const item of items) {
      writeRow(table, item, values, 0);
      if (arrays === undefined) arrays = values.map(element);
      else for (let i = 0; i < values.length; i++) arrays[i] += `,${element(values[i]!)}`;
      if (++rows < ROWS_PER_STATEMENT) continue;
      await put();
      arrays = undefined;
      rows = 0;
    }
    if (rows > 0) await put();
  }

  private typesOf(sql: Runner, table: Table<never>): Promise<string[]> {
    const { name } = table;
    let types = this.columnTypes.get(name);
    if (types === undefined) {
      types = readTypes(sql, name, storedColumns(table));
      this.columnTypes.set(name, types);
      types.catch(() => this.columnTypes.delete(name));
    }
    return types;
  }
}

/** One connection, and the advisory lock that ends with it. */
export class Session {
  readonly hasUncheckedRows = true;

  constructor(
    private readonly sql: ReservedSQL,
    private readonly database: PostgresDatabase,
  ) {}

  /** Whether this session has the lock of this history's writer from now on. Does not wait for it. */
  tryLock(): Promise<boolean> {
    return this.database.within(ANSWER_TIMEOUT_MS, async () => {
      const statements = this.database.on(this.sql);
      await statements.run(`SET idle_session_timeout = ${SILENCE_MS}`);
      const [row] = await statements.query(
        `SELECT pg_try_advisory_lock($1, 'position'::regclass::oid::integer)::integer AS has`,
        LOCKS,
      );
      return Number(row!.has) === 1;
    });
  }

  query(text: string, ...values: Value[]): Promise<Row[]> {
    const { database } = this;
    return database.within(ANSWER_TIMEOUT_MS, () => database.on(this.sql).query(text, ...values));
  }

  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    const { database } = this;
    return database.within(
      COMMIT_TIMEOUT_MS,
      () => this.sql.begin((sql) => work(database.on(sql))) as Promise<Result>,
    );
  }

  async close(): Promise<void> {
    await this.sql.close({ timeout: 0 });
  }
}

async function readTypes(sql: Runner, table: string, columns: readonly string[]) {
  const rows: { name: string; type: string }[] = await sql.unsafe(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`,
    [table],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  return columns.map((column) => types.get(column)!);
}

/** As PostgreSQL writes an array's element. */
function element(value: Value): string {
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** A newer release has changed a table while this process ran: new connections know it. */
function isStalePlan(error: unknown): boolean {
  return error instanceof SQL.PostgresError && error.errno === '0A000';
}
