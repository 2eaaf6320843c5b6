import { afterAll, beforeAll, describe } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { Row, Value } from '../../src/history/database/database.ts';
import { openDatabase } from '../../src/history/database/open-database.ts';
import { History } from '../../src/history/history.ts';

export interface TemporaryHistory {
  readonly url: string;
  readonly history: History;
  /** Returns all rows of a table, unordered, as another connection sees them. */
  rows(table: string): Promise<Row[]>;
}

const { BUTTONWOOD_TEST_POSTGRES } = process.env;
/** Databases of the history tests. BUTTONWOOD_TEST_POSTGRES=postgres://… (as a superuser) adds PostgreSQL. */
const KINDS = BUTTONWOOD_TEST_POSTGRES === undefined ? ['sqlite'] : ['sqlite', 'postgres'];
let current = 'sqlite';

/** Returns the runs of a property: fewer for PostgreSQL, whose databases take long to create. */
export function runs(count: number): number {
  return current === 'postgres' ? Math.ceil(count / 8) : count;
}

/** Describes the suite once per kind of database. */
export function onEachDatabase(suite: () => void): void {
  describe.each(KINDS)('on %s', (kind) => {
    beforeAll(() => {
      current = kind;
    });
    afterAll(() => {
      current = 'sqlite';
    });
    suite();
  });
}

/** Runs `work` with the URL of an empty database; for SQLite, in a separate directory. */
export async function withTemporaryUrl(
  work: (url: string, path: string) => Promise<void>,
): Promise<void> {
  if (current === 'postgres') return work(await emptyPostgres(), '');
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-history-'));
  try {
    const path = join(directory, 'history.sqlite');
    await work(`sqlite://${path}`, path);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Returns the URL of this process's database on the server under test, emptied. */
async function emptyPostgres(): Promise<string> {
  const name = `buttonwood_history_${process.pid}`;
  const server = new SQL(BUTTONWOOD_TEST_POSTGRES!, { max: 1 });
  const [found] = await server.unsafe('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (found === undefined) await server.unsafe(`CREATE DATABASE ${name}`);
  await server.close();
  const url = new URL(BUTTONWOOD_TEST_POSTGRES!);
  url.pathname = name;
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe('DROP SCHEMA IF EXISTS history CASCADE');
  await sql.close();
  return url.href;
}

/** Runs `work` with an empty history in a separate database. */
export function withTemporaryHistory(
  work: (temporary: TemporaryHistory) => Promise<void>,
): Promise<void> {
  return withTemporaryUrl(async (url) => {
    const history = await History.open(url);
    try {
      await work({ url, history, rows: (table) => readRows(url, table) });
    } finally {
      await history.close();
    }
  });
}

/** Returns all rows of a table of the database at `url`, with integers as numbers. */
export async function readRows(url: string, table: string): Promise<Row[]> {
  const database = openDatabase(url);
  try {
    const rows = await database.query(`SELECT * FROM ${table}`);
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, plain(table, name, value)]),
      ),
    );
  } finally {
    await database.close();
  }
}

/** Converts a BIGINT, which PostgreSQL returns as text, to a number; text columns are unchanged. */
function plain(table: string, name: string, value: Value): Value {
  const isText = TEXTS.has(name) || (table === 'entries' && name === 'amount');
  return isText || table === 'things' ? value : Number(value);
}

const TEXTS = new Set([
  'cost',
  'filled_cost',
  'fees',
  'client_order_id',
  'attached',
  'fee',
  'hash',
  'given_after',
  'received_after',
  'available_after',
  'base_volume',
  'quote_volume',
  'action',
  'details',
  'outcome',
]);

/**
 * Options of properties over databases. Their work never waits, so a timer could not stop a long search
 * for the smallest failing case.
 */
export const LIMITS = { interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true } as const;
/** Timeout of the tests around them, milliseconds. */
export const PROPERTY_TIMEOUT_MS = 60_000;
