import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { applyBatch } from '../../src/archivist/recovery.ts';
import { WorkerArchivist } from '../../src/archivist/worker-archivist.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { HistoryUnavailableError } from '../../src/history/errors.ts';
import { seededRandom } from '../../src/storage/seeded-random.ts';
import { HistoryNode, QUESTIONS, randomLog, readTables, rebuilt } from './history-scenario.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

const TIMEOUT_MS = 60_000;
const FILLS = QUESTIONS.find(({ kind }) => kind === 'fills')!;

describe.if(hasPostgres())('a PostgreSQL that answers with errors that do not pass', () => {
  let server: PostgresServer;
  let admin: SQL;
  let directory: string;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new SQL(server.url, { max: 1 });
    await admin.unsafe('CREATE ROLE writer LOGIN');
    directory = mkdtempSync(join(tmpdir(), 'buttonwood-history-errors-'));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await admin.close();
    await server.stop();
    rmSync(directory, { recursive: true });
  }, TIMEOUT_MS);

  /** Waits until no connection of the writer is left: `pg_terminate_backend` does not wait for their ends. */
  async function untilDisconnected(): Promise<void> {
    const query = "SELECT 1 FROM pg_stat_activity WHERE usename = 'writer'";
    while ((await admin.unsafe(query)).length > 0) await Bun.sleep(5);
  }

  for (const { name, code, harm, repair, ofDatabase } of [
    {
      name: 'a table that is gone',
      code: '42P01',
      ofDatabase: true,
      harm: 'ALTER TABLE history.fills RENAME TO lost',
      repair: 'ALTER TABLE history.lost RENAME TO fills',
    },
    {
      name: 'a right that was taken away',
      code: '42501',
      ofDatabase: true,
      harm: 'REVOKE ALL ON history.fills FROM writer',
      repair: 'GRANT ALL ON history.fills TO writer',
    },
    {
      name: 'a user who may not come in',
      code: '28000',
      ofDatabase: false,
      harm: `ALTER ROLE writer NOLOGIN;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'writer'`,
      repair: 'ALTER ROLE writer LOGIN',
    },
  ]) {
    test(
      `${name} stops no node, is logged with its code, and history catches up once it is repaired`,
      async () => {
        const url = await server.createDatabase(`history_${++databases}`);
        await admin.unsafe(`GRANT CREATE ON DATABASE history_${databases} TO writer`);
        const asWriter = new URL(url);
        asWriter.username = 'writer';
        const batches = randomLog(3, seededRandom(3));
        const half = Math.floor(batches.length / 2);
        const node = await HistoryNode.open(asWriter.href, batches.slice(0, half));
        await node.history.settle();
        const there = ofDatabase ? new SQL(url, { max: 1 }) : admin;

        await there.unsafe(harm);
        if (!ofDatabase) await untilDisconnected();
        node.applyTo(batches, batches.length);
        await node.history.settle();
        await node.history.settle();
        await expect(node.ask(FILLS)).rejects.toThrow(HistoryUnavailableError);
        const warnings = node.warnings.filter((warning) => warning.includes(`SQLSTATE ${code}`));
        expect(warnings.some((warning) => warning.includes('this error is permanent'))).toBe(true);
        expect(node.stale).toEqual([]);

        await there.unsafe(repair);
        if (ofDatabase) await there.close();
        const end = batches.findLastIndex(
          ({ time }) => Math.floor(time / 1000) !== Math.floor(batches.at(-1)!.time / 1000),
        );
        while (node.history.position().sequence < end + 1) await node.history.settle();
        expect((await node.ask(FILLS)).at).toBe(batches.length);
        const path = join(directory, `rebuilt-${databases}.sqlite`);
        expect(await readTables(url)).toEqual(await rebuilt(path, batches, end + 1));
        await node.history.close();
      },
      TIMEOUT_MS,
    );
  }

  test(
    'queries that need only the state do not wait for a database that hangs',
    async () => {
      const data = mkdtempSync(join(directory, 'data-'));
      for (const name of ['log', 'snapshots']) mkdirSync(join(data, name));
      const historyUrl = await server.createDatabase(`history_${++databases}`);
      const files = {
        logDirectory: join(data, 'log'),
        snapshotDirectory: join(data, 'snapshots'),
        proofDirectory: join(data, 'proofs'),
        rebuiltHistory: join(data, 'unused'),
        logEnd: 0,
        isFirstStart: true,
      };
      const failed: Error[] = [];
      const archivist = await WorkerArchivist.start(
        { log: 'file', ...files, historyUrl },
        (error) => failed.push(error),
      );
      const exchange = new Exchange();
      const batches = randomLog(5, seededRandom(5)).slice(0, 20);
      for (const batch of batches) {
        archivist.deliver(batch, exchange.state.digest);
        applyBatch(exchange, batch, new Set());
      }
      await archivist.query(FILLS, 20);
      server.pause();
      const past = archivist.query(FILLS, 20).then(
        () => 'past',
        () => 'refused',
      );
      const filter = { account: 0, statuses: [0], descending: true, limit: 10 };
      const open = archivist.query({ kind: 'orders', filter }, 20).then(() => 'open');
      expect(await Promise.race([past, open])).toBe('open');
      server.resume();
      await past;
      await archivist.close();
      expect(failed).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
