import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { PostgresDatabase } from '../../src/history/database/postgres-database.ts';
import { upgrade } from '../../src/history/database/schema.ts';
import { History } from '../../src/history/history.ts';
import { refuseForeignDatabase } from '../../src/node/missing-log.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

const TIMEOUT_MS = 60_000;

describe.if(hasPostgres())('a node with its log in files and its history in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, TIMEOUT_MS);
  afterAll(() => server.stop(), TIMEOUT_MS);

  test(
    'creates no exchange if the database holds the history of another',
    async () => {
      const url = await server.createDatabase('foreign');
      // A missing or empty database may belong to a new exchange.
      await refuseForeignDatabase('data/log', url);
      const history = await History.open(url);
      await refuseForeignDatabase('data/log', url);
      history.begin({ sequence: 7, hash: new Uint8Array(32).fill(7), time: 7 });
      await history.settle();
      await history.close();
      await expect(refuseForeignDatabase('data/log', url)).rejects.toThrow(
        /data\/log holds no log, but the database .* holds history up to batch 7/,
      );
      const directory = temporaryDirectory();
      try {
        const env = { BUTTONWOOD_DATA: directory.path, BUTTONWOOD_DATABASE: url };
        const node = MainProcess.start(['serve'], env);
        expect(await node.ended()).toBe(1);
        expect(node.output).toContain('holds history up to batch 7');
        expect(existsSync(`${directory.path}/log`)).toBe(false);
        expect(existsSync(`${directory.path}/operator.json`)).toBe(false);
      } finally {
        directory.remove();
      }
    },
    TIMEOUT_MS,
  );

  test(
    'reads rows that a release before checksums wrote',
    async () => {
      const url = await server.createDatabase('older');
      const database = new PostgresDatabase(url);
      await upgrade(database);
      const columns =
        'id, sequence, command_index, time, account, key, action, details, outcome, rejection';
      await database.run(
        `INSERT INTO audit (${columns}) VALUES (1, 1, 0, 5, -1, -1, 'open', '{}', 'done', 0)`,
      );
      await database.run('UPDATE position SET sequence = 1, checksum = 0');
      await database.close();
      const history = await History.open(url);
      expect(history.position().sequence).toBe(1);
      const page = await history.auditPage({ beforeId: 10, limit: 10 });
      expect(page).toMatchObject([{ id: 1, action: 'open' }]);
      await history.close();
    },
    TIMEOUT_MS,
  );
});
