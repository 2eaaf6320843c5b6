import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { PostgresDatabase } from '../../src/history/database/postgres-database.ts';
import { HistoryUnavailableError } from '../../src/history/errors.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

const TIMEOUT_MS = 60_000;

describe.if(hasPostgres())('a question to PostgreSQL that takes too long', () => {
  let server: PostgresServer;
  let database: PostgresDatabase;
  let admin: SQL;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new SQL(server.url, { max: 1 });
    database = new PostgresDatabase(await server.createDatabase('slow'), 3);
    await database.migration(async (statements) => {
      await statements.run('CREATE TABLE kept (value INTEGER)');
    });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await database.close();
    await admin.close();
    await server.stop();
  }, TIMEOUT_MS);

  /** Runs a transaction and a snapshot that begin before `over` settles and end after it. */
  async function runUntil(over: Promise<unknown>): Promise<void> {
    // Its own timeout begins this much later.
    await Bun.sleep(2000);
    const begun = Promise.withResolvers<void>();
    const commit = database.transaction(async (statements) => {
      await statements.run('INSERT INTO kept VALUES (1)');
      await database.snapshot(async (queries) => {
        await queries.query('SELECT count(*) FROM kept');
        begun.resolve();
        // PostgreSQL ends a session that is idle in a transaction for too long.
        for (let isOver = false; !isOver; ) {
          const pause = Bun.sleep(500).then(() => false);
          isOver = await Promise.race([
            over.then(
              () => true,
              () => true,
            ),
            pause,
          ]);
          await statements.query('SELECT 1');
          await queries.query('SELECT 1');
        }
      });
    });
    await begun.promise;
    await commit;
  }

  const kept = async () => Number((await database.query('SELECT count(*) AS n FROM kept'))[0]!.n);

  test(
    'fails alone, and its connection stays usable',
    async () => {
      const before = await kept();
      const slow = database.query('SELECT pg_sleep(30)');
      const failed = slow.then(
        () => undefined,
        (error) => error,
      );
      await runUntil(failed);
      expect(await failed).toBeInstanceOf(HistoryUnavailableError);
      expect((await failed).message).toContain('statement timeout');
      expect(await kept()).toBe(before + 1);
      // PostgreSQL has canceled it too.
      const [row] = await admin.unsafe(
        `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()`,
      );
      expect(row.n).toBe(0);
    },
    TIMEOUT_MS,
  );

  test(
    'fails alone if its session does not respond, and another session replaces it',
    async () => {
      const before = await kept();
      let pid = 0;
      const hanging = database.snapshot(async (queries) => {
        const [row] = await queries.query('SELECT pg_backend_pid() AS pid');
        pid = Number(row!.pid);
        process.kill(pid, 'SIGSTOP');
        await queries.query('SELECT 1');
      });
      const failed = hanging.then(
        () => undefined,
        (error) => error,
      );
      try {
        await runUntil(failed);
        expect(await failed).toBeInstanceOf(HistoryUnavailableError);
        expect((await failed).message).toContain('has not answered');
        expect(await kept()).toBe(before + 1);
        const pids = await Promise.all(
          [1, 2, 3].map(() => database.query('SELECT pg_backend_pid() AS pid, pg_sleep(0.2)')),
        );
        const used = new Set(pids.map(([row]) => Number(row!.pid)));
        expect([used.size, used.has(pid)]).toEqual([3, false]);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    },
    TIMEOUT_MS,
  );

  test(
    'that gives up waiting for a connection takes none from later queries',
    async () => {
      const slow = [1, 2, 3].map(() => database.query('SELECT pg_sleep(30)'));
      const waiting = database.query('SELECT 1');
      const ended = await Promise.allSettled([...slow, waiting]);
      expect(ended.slice(0, 3).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
      const answers = await Promise.all(
        [1, 2, 3].map(() => database.query('SELECT 1 AS one, pg_sleep(0.1)')),
      );
      expect(answers.map(([row]) => Number(row!.one))).toEqual([1, 1, 1]);
    },
    TIMEOUT_MS,
  );
});
