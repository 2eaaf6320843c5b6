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
/** PostgreSQL says by then that it has ended a statement that took too long. */
const GRACE_MS = 500;
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
    return this.onOwn(ANSWER_TIMEOUT_MS, (sql) => this.on(sql).query(text, ...values));
  }

  run(text: string, ...values: Value[]): Promise<number> {
    return this.onOwn(ANSWER_TIMEOUT_MS, (sql) => this.on(sql).run(text, ...values));
  }

  insert<Item>(table: Table<Item>, items: Iterable<Item>): Promise<void> {
    return this.transaction((statements) => statements.insert(table, items));
  }

  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    return this.onOwn(COMMIT_TIMEOUT_MS, (sql) => this.commit(sql, work));
  }

  /** Takes as long as it takes: a large table may get an index. */
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
    return this.onOwn(Infinity, all).catch((error: unknown) => {
      throw refused(error, this.url);
    });
  }

  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.onOwn(
      ANSWER_TIMEOUT_MS,
      (sql) =>
        sql.begin('isolation level repeatable read read only', (begun) =>
          work(this.on(begun)),
        ) as Promise<Result>,
    );
  }

  /** A session of its own that the caller keeps; `onClose` is told when it ends. */
  async reserve(): Promise<Session> {
    const reserving = this.sql.reserve();
    const letGo = () => void reserving.then((late) => late.release(), ignore);
    return new Session(await this.within(ANSWER_TIMEOUT_MS, reserving, letGo), this);
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
        statement_timeout: ANSWER_TIMEOUT_MS,
        idle_in_transaction_session_timeout: SILENCE_MS,
        tcp_keepalives_idle: SILENCE_MS / 2000,
        tcp_keepalives_interval: 1,
        tcp_keepalives_count: SILENCE_MS / 2000,
        tcp_user_timeout: SILENCE_MS,
      },
    });
  }

  /** Runs `work` on a connection that nothing else uses meanwhile, and which is closed if it takes too long. */
  private onOwn<Result>(
    timeoutMs: number,
    work: (sql: ReservedSQL) => Promise<Result>,
  ): Promise<Result> {
    let connection: ReservedSQL | undefined;
    let isGivenUp = false;
    const all = async () => {
      const reserved = await this.sql.reserve();
      try {
        if (isGivenUp) throw new HistoryUnavailableError('it took too long to get a connection');
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
   * Waits for an answer. PostgreSQL itself ends a statement that takes too long, and says so; beyond that it has said
   * nothing, and `giveUp` closes the connection of that one question.
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

  /** Commits what `work` does, each statement of which may take longer than a question. */
  commit<Result>(
    sql: ReservedSQL,
    work: (statements: Statements) => Promise<Result>,
  ): Promise<Result> {
    return sql.begin(async (begun) => {
      await begun.unsafe(`SET LOCAL statement_timeout = ${COMMIT_TIMEOUT_MS}`);
      return work(this.on(begun));
    }) as Promise<Result>;
  }

  /** Makes new connections from now on; the old ones end once what is under way on them is done. */
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
    return this.within(ANSWER_TIMEOUT_MS, async (statements) => {
      await statements.run(`SET idle_session_timeout = ${SILENCE_MS}`);
      const [row] = await statements.query(
        `SELECT pg_try_advisory_lock($1, 'position'::regclass::oid::integer)::integer AS has`,
        LOCKS,
      );
      return Number(row!.has) === 1;
    });
  }

  query(text: string, ...values: Value[]): Promise<Row[]> {
    return this.within(ANSWER_TIMEOUT_MS, (statements) => statements.query(text, ...values));
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

/** What is given up settles later, or never: nobody waits for it. */
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

/** As PostgreSQL writes an array's element. */
function element(value: Value): string {
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** A newer release has changed a table while this process ran: new connections know it. */
function isStalePlan(error: unknown): boolean {
  return error instanceof SQL.PostgresError && error.errno === '0A000';
}
