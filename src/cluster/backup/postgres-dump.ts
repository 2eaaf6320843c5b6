import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { OperatorError } from '../../monitoring/operator-error.ts';

/** pg_dump or pg_restore is missing or failed, or the database is not suitable. */
export class PostgresDumpError extends OperatorError {
  override readonly name = 'PostgresDumpError';
}

/** The folder of Debian's PostgreSQL programs, which are not in PATH. */
const DEBIAN = '/usr/lib/postgresql';

/** Left out: files of reports have up to 8 GiB and can be made again. */
const WITHOUT_REPORTS = ['reports', 'report_parts'].map(
  (table) => `--exclude-table-data=history.${table}`,
);

/**
 * Dumps a database as of one point in time; later writes are not included, nor are reports.
 * @param started Called with the history's position once that point is fixed. Whatever it copies is at least as new.
 * @throws PostgresDumpError
 */
export async function dumpDatabase<T>(
  url: string,
  path: string,
  started: (historyPosition: number) => Promise<T>,
): Promise<T> {
  // pg_dump writes into this file. It contains password hashes, so only its owner may read it.
  closeSync(openSync(path, 'wx', 0o600));
  const sql = new SQL(url, { max: 1 });
  try {
    return await sql.begin('isolation level repeatable read read only', async (transaction) => {
      const position = await readPosition(transaction);
      const [{ snapshot }] = await transaction`SELECT pg_export_snapshot() AS snapshot`;
      const args = [
        '--format=custom',
        `--snapshot=${snapshot}`,
        `--file=${path}`,
        ...WITHOUT_REPORTS,
      ];
      const [, result] = await Promise.all([run('pg_dump', url, args), started(position)]);
      return result;
    });
  } finally {
    await sql.close();
  }
}

/**
 * Restores a dump into an empty database, completely or not at all.
 * @returns the position of its history
 * @throws PostgresDumpError
 */
export async function restoreDatabase(url: string, path: string): Promise<number> {
  const database = new URL(url).pathname.slice(1);
  const terms = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
  await run('pg_restore', url, [...terms, `--dbname=${database}`, path]);
  const sql = new SQL(url, { max: 1 });
  try {
    return await readPosition(sql);
  } finally {
    await sql.close();
  }
}

/** @throws PostgresDumpError if the database has tables */
export async function refuseUnlessEmpty(url: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    const [{ count }] = await sql`
      SELECT count(*)::int AS count FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`;
    if (count === 0) return;
  } finally {
    await sql.close();
  }
  throw new PostgresDumpError(
    `The database ${new URL(url).pathname.slice(1)} already has tables. Restore into an empty database (createdb).`,
  );
}

/** Returns the sequence of the last batch in history. */
async function readPosition(sql: SQL): Promise<number> {
  const [found] = await sql`SELECT to_regclass('history.position') IS NOT NULL AS is_there`;
  if (!found.is_there) {
    throw new PostgresDumpError(
      'The database has no history of an exchange. Check that it is the right one.',
    );
  }
  const [row] = await sql`SELECT sequence FROM history.position`;
  return Number(row.sequence);
}

/** Passes the password in the environment, because every user of the machine can read arguments. */
async function run(program: 'pg_dump' | 'pg_restore', url: string, args: readonly string[]) {
  const path = find(program);
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const child = Bun.spawn([path, '--no-password', ...args], {
    env: {
      ...process.env,
      PGHOST: searchParams.get('host') ?? hostname,
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      ...(password === '' ? {} : { PGPASSWORD: decodeURIComponent(password) }),
      ...(searchParams.has('sslmode') ? { PGSSLMODE: searchParams.get('sslmode')! } : {}),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return;
  throw new PostgresDumpError(`${program} failed: ${errors.trim()}`);
}

function find(program: string): string {
  const versions = () => {
    try {
      return readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    } catch {
      return [];
    }
  };
  const path = [process.env.PATH, ...versions().map((version) => join(DEBIAN, version, 'bin'))];
  const found = Bun.which(program, { PATH: path.join(':') });
  if (found !== null) return found;
  throw new PostgresDumpError(
    `${program} is not installed. Install the PostgreSQL client of the server's version or a newer one (apt-get install postgresql-client).`,
  );
}
