import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { OperatorError } from '../../monitoring/operator-error.ts';

/** pg_dump or pg_restore is missing or failed, or the database is not what it must be. */
export class PostgresDumpError extends OperatorError {
  override readonly name = 'PostgresDumpError';
}

/** Where Debian keeps the programs of a version, which it does not put into PATH. */
const DEBIAN = '/usr/lib/postgresql';

/**
 * Dumps a database as it is when this is called, whatever is written meanwhile.
 * @param started Called once that moment is settled, with the position of the history in it: what is copied
 * then is not behind the dump.
 * @throws PostgresDumpError
 */
export async function dumpDatabase<T>(
  url: string,
  path: string,
  started: (historyPosition: number) => Promise<T>,
): Promise<T> {
  // pg_dump writes into it: it has hashes of passwords and is readable by its owner only.
  closeSync(openSync(path, 'wx', 0o600));
  const sql = new SQL(url, { max: 1 });
  try {
    return await sql.begin('isolation level repeatable read read only', async (transaction) => {
      const position = await readPosition(transaction);
      const [{ snapshot }] = await transaction`SELECT pg_export_snapshot() AS snapshot`;
      const args = ['--format=custom', `--snapshot=${snapshot}`, `--file=${path}`];
      const [, result] = await Promise.all([run('pg_dump', url, args), started(position)]);
      return result;
    });
  } finally {
    await sql.close();
  }
}

/**
 * Fills an empty database from a dump, whole or not at all.
 * @returns The position of the history in it.
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

/** @throws PostgresDumpError unless the database has no tables. */
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
    `The database ${new URL(url).pathname.slice(1)} has tables already. Restore into an empty one (createdb).`,
  );
}

/** The sequence of the last batch that history has. */
async function readPosition(sql: SQL): Promise<number> {
  const [found] = await sql`SELECT to_regclass('history.position') IS NOT NULL AS is_there`;
  if (!found.is_there) {
    throw new PostgresDumpError('The database has no history of an exchange: is it the right one?');
  }
  const [row] = await sql`SELECT sequence FROM history.position`;
  return Number(row.sequence);
}

/** The password goes by the environment: arguments can be read by everybody on the machine. */
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
    `There is no ${program}. Install the client of the server's version or a newer one (apt-get install postgresql-client).`,
  );
}
