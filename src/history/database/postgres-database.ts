import { type ReservedSQL, SQL } from 'bun';
import { HistoryUnavailableError } from '../errors.ts';
import { storedColumns, writeRow } from './checksum.ts';
import type { Database, Queries, Row, Statements, Table, Value } from './database.ts';
import { connectionError, postgresError } from './postgres-errors.ts';
import { conflictClause } from './replacing.ts';

/** The schema of history's tables; users are in `public`. */
const SCHEMA = 'history';
/** First key of history's advisory locks; the second one identifies the lock. */
const LOCKS = 0x62_74_77_64;
const MIGRATION = 0;

const CONNECT_TIMEOUT_S = 5;
/** Timeout of a query, which takes milliseconds. */
const QUERY_TIMEOUT_MS = 5_000;
/** Maximum rows of one INSERT, which takes some tenths of a second. */
const ROWS_PER_STATEMENT = 2000;
const COMMIT_TIMEOUT_MS = 60_000;
/** Time for PostgreSQL to report that it canceled a statement that took too long. */
const GRACE_MS = 500;
/** A process that is suspended or cut off loses its session, and its lock, after this time. */
const SILENCE_MS = 10_000;
const CONNECTIONS = 4;

type Runner = Pick<SQL, 'unsafe'>;

/**
 * A pool of connections to PostgreSQL. Transient failures, such as a restart of the server or a network outage, are thrown
 * as HistoryUnavailableError; the next call connects again.
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
    return this.onConnection(QUERY_TIMEOUT_MS, (sql) => this.on(sql).query(text, ...values));
  }

  run(text: string, ...values: Value[]): Promise<number> {
    return this.onConnection(QUERY_TIMEOUT_MS, (sql) => this.on(sql).run(text, ...values));
  }

  insert<Item>(table: Table<Item>, items: Iterable<Item>): Promise<void> {
    return this.transaction((statements) => statements.insert(table, items));
  }

  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    return this.onConnection(COMMIT_TIMEOUT_MS, (sql) => this.commit(sql, work));
  }

  /** Has no timeout, because it may build an index on a large table. */
  migration(work: (statements: Statements) => Promise<void>): Promise<void> {
    const all = (sql: ReservedSQL) =>
      sql.begin(async (begun) => {
        const statements = this.on(begun);
        await statements.run('SET LOCAL statement_timeout = 0');
        await statements.query('SELECT pg_advisory_xact_lock($1, $2)', LOCKS, MIGRATION);
        const found = await statements.query(
          'SELECT nspname FROM pg_namespace WHERE nspname = $1',
          SCHEMA,
        );
        if (found.length === 0) await statements.run(`CREATE SCHEMA ${SCHEMA}`);
        await work(statements);
      }) as Promise<void>;
    return this.onConnection(Infinity, all).catch((error: unknown) => {
      throw connectionError(error, this.url);
    });
  }

  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.onConnection(
      QUERY_TIMEOUT_MS,
      (sql) =>
        sql.begin('isolation level repeatable read read only', (begun) =>
          work(this.on(begun)),
        ) as Promise<Result>,
    );
  }

  /** Reserves a session for the caller; `onClose` is called when it ends. */
  async reserve(): Promise<Session> {
    const reserving = this.sql.reserve();
    const abandon = () => void reserving.then((late) => late.release(), ignore);
    return new Session(await this.within(QUERY_TIMEOUT_MS, reserving, abandon), this);
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
        statement_timeout: QUERY_TIMEOUT_MS,
        idle_in_transaction_session_timeout: SILENCE_MS,
        tcp_keepalives_idle: SILENCE_MS / 2000,
        tcp_keepalives_interval: 1,
        tcp_keepalives_count: SILENCE_MS / 2000,
        tcp_user_timeout: SILENCE_MS,
      },
    });
  }

  /** Runs `work` on an exclusive connection, which is closed if it takes too long. */
  private onConnection<Result>(
    timeoutMs: number,
    work: (sql: ReservedSQL) => Promise<Result>,
  ): Promise<Result> {
    let connection: ReservedSQL | undefined;
    let isGivenUp = false;
    const all = async () => {
      const reserved = await this.sql.reserve();
      try {
        if (isGivenUp) throw new HistoryUnavailableError('no connection was free in time');
        connection = reserved;
        return await work(reserved);
      } finally {
        const isClosed = isGivenUp && connection !== undefined;
        connection = undefined;
        if (!isClosed) reserved.release();
      }
    };
    return this.within(timeoutMs, all(), () => {
      isGivenUp = true;
      void connection?.close({ timeout: 0 });
    });
  }

  /**
   * Waits for an answer. PostgreSQL itself cancels a statement that takes too long and reports this. If no report comes
   * either, `giveUp` closes the connection of this request.
   */
  async within<Result>(
    timeoutMs: number,
    answer: Promise<Result>,
    giveUp: () => void,
  ): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(() => {
          reject(new HistoryUnavailableError(`PostgreSQL has not answered for ${timeoutMs} ms`));
          giveUp();
        }, timeoutMs + GRACE_MS)
      : undefined;
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      const known = postgresError(error);
      if (isStalePlan(error)) this.renew();
      throw known;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs `work` in a transaction whose statements may take longer than a query. */
  commit<Result>(
    sql: ReservedSQL,
    work: (statements: Statements) => Promise<Result>,
  ): Promise<Result> {
    return sql.begin(async (begun) => {
      await begun.unsafe(`SET LOCAL statement_timeout = ${COMMIT_TIMEOUT_MS}`);
      return work(this.on(begun));
    }) as Promise<Result>;
  }

  /** Replaces the pool; connections of the old one are closed once their current work is done. */
  private renew(): void {
    const old = this.sql;
    this.sql = this.connect();
    void old.close({ timeout: COMMIT_TIMEOUT_MS / 1000 });
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
      const types = await this.columnTypeNames(sql, table);
      const parameters = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
      await sql.unsafe(
        `INSERT INTO ${table.name} (${columns.join(', ')}) SELECT * FROM UNNEST(${parameters})${conflictClause(table)}`,
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

  private columnTypeNames(sql: Runner, table: Table<never>): Promise<string[]> {
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

/** One connection, with an advisory lock that ends with it. */
export class Session {
  readonly hasUncheckedRows = true;

  constructor(
    private readonly sql: ReservedSQL,
    private readonly database: PostgresDatabase,
  ) {}

  /** Tries to take the lock of this history's writer without waiting. @returns Whether this session has it. */
  tryLock(): Promise<boolean> {
    return this.within(QUERY_TIMEOUT_MS, async (statements) => {
      await statements.run(`SET idle_session_timeout = ${SILENCE_MS}`);
      const [row] = await statements.query(
        `SELECT pg_try_advisory_lock($1, 'position'::regclass::oid::integer)::integer AS has`,
        LOCKS,
      );
      return Number(row!.has) === 1;
    });
  }

  query(text: string, ...values: Value[]): Promise<Row[]> {
    return this.within(QUERY_TIMEOUT_MS, (statements) => statements.query(text, ...values));
  }

  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    const { database, sql } = this;
    return database.within(COMMIT_TIMEOUT_MS, database.commit(sql, work), () => void this.close());
  }

  async close(): Promise<void> {
    await this.sql.close({ timeout: 0 });
  }

  private within<Result>(
    timeoutMs: number,
    work: (statements: Statements) => Promise<Result>,
  ): Promise<Result> {
    const { database, sql } = this;
    return database.within(timeoutMs, work(database.on(sql)), () => void this.close());
  }
}

/** Ignores the result of an abandoned request. */
function ignore(): void {}

async function readTypes(sql: Runner, table: string, columns: readonly string[]) {
  const rows: { name: string; type: string }[] = await sql.unsafe(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`,
    [table],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  return columns.map((column) => types.get(column)!);
}

/** Returns a value in PostgreSQL's syntax of array elements. */
function element(value: Value): string {
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Returns whether a newer release has changed a table under a prepared statement; new connections see the change. */
function isStalePlan(error: unknown): boolean {
  return error instanceof SQL.PostgresError && error.errno === '0A000';
}
