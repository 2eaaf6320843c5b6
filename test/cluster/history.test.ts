import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { WorkerArchivist } from '../../src/archivist/worker-archivist.ts';
import { PostgresDatabase } from '../../src/history/database/postgres-database.ts';
import {
  HistoryConflictError,
  HistoryForeignError,
  HistoryUnavailableError,
} from '../../src/history/errors.ts';
import { readPosition, store } from '../../src/history/writer/writer.ts';
import type { Batch } from '../../src/log/log.ts';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { GatedStatements } from './gated-statements.ts';
import {
  buildTruth,
  HistoryNode,
  QUESTIONS,
  randomLog,
  readTables,
  rebuilt,
} from './history-scenario.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCENARIOS = Number(process.env.SCENARIOS ?? 2);
const TIMEOUT_MS = 120_000;
const MAX_HOLD_MS = 800;
const MAX_WAIT_MS = 2_500;

describe.if(hasPostgres())('history in PostgreSQL', () => {
  let server: PostgresServer;
  let directory: string;
  let databases = 0;
  const nodes = new Set<HistoryNode>();

  beforeAll(async () => {
    server = await startPostgres();
    directory = mkdtempSync(join(tmpdir(), 'buttonwood-history-'));
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const { history } of nodes) await history.close();
    await server.stop();
    rmSync(directory, { recursive: true });
  }, TIMEOUT_MS);

  const newDatabase = () => server.createDatabase(`history_${++databases}`);
  const open = async (...[url, ...rest]: Parameters<typeof HistoryNode.open>) => {
    const node = await HistoryNode.open(url, ...rest);
    nodes.add(node);
    return node;
  };
  const close = async (node: HistoryNode) => {
    nodes.delete(node);
    await node.history.close();
  };
  /** Settles until the store has all closed chunks; the tables must then equal a rebuild. */
  const expectWhole = async (
    url: string,
    some: readonly HistoryNode[],
    batches: readonly Batch[],
  ) => {
    for (const node of some) node.applyTo(batches, batches.length);
    const end = batches.findLastIndex(
      ({ time }) => Math.floor(time / 1000) !== Math.floor(batches.at(-1)!.time / 1000),
    );
    while (some.every(({ history }) => history.position().sequence < end + 1)) {
      for (const { history } of some) await history.settle();
    }
    const path = join(directory, `rebuilt-${++databases}.sqlite`);
    expect(await readTables(url)).toEqual(await rebuilt(path, batches, end + 1));
  };

  test(
    'several archives answer and write like one, whichever of them writes or is killed',
    async () => {
      for (let round = 0; round < SCENARIOS; round++) {
        const seed = SEED + round;
        const gated = new GatedStatements();
        try {
          const tally = await playScenario(seed, gated);
          expect(tally.questions).toBeGreaterThan(tally.refused);
        } catch (error) {
          console.error(`SEED=${seed} SCENARIOS=1 makes it again`);
          throw error;
        } finally {
          gated.restore();
        }
      }
    },
    TIMEOUT_MS,
  );

  async function playScenario(seed: number, gated: GatedStatements) {
    const random = seededRandom(seed);
    const batches = randomLog(seed, random);
    const truth = await buildTruth(batches);
    const url = await newDatabase();
    const running: HistoryNode[] = [];
    const tally = { questions: 0, refused: 0, writersKilled: 0, begun: 0 };
    const begin = async () => {
      const at =
        running.length === 0 ? 0 : Math.max(...running.map(({ archive }) => archive.position));
      const from = (stored: number) => truth.recovered(below(stored + 1, random));
      running.push(await open(url, batches.slice(0, at), from));
      tally.begun++;
    };
    for (let n = 0; n < 2 + below(2, random); n++) await begin();
    const underWay: Promise<void>[] = [];
    let killed = 0;
    const question = async (node: HistoryNode) => {
      const which = below(QUESTIONS.length, random);
      const expected = (at: number) => truth.answers[at]![which];
      if (expected(node.archive.position) === undefined) return;
      const killedBefore = killed;
      const askedAt = performance.now();
      try {
        const { answer, at } = await node.ask(QUESTIONS[which]!);
        tally.questions++;
        expect({ which, at, answer }).toEqual({ which, at, answer: expected(at) });
      } catch (error) {
        // A busy machine may hold a statement for longer than its timeout.
        const mayFail = killed > killedBefore || performance.now() - askedAt > MAX_WAIT_MS;
        if (!mayFail || !(error instanceof HistoryUnavailableError)) throw error;
        tally.refused++;
      }
    };
    const furthest = () => Math.max(...running.map(({ archive }) => archive.position));
    let freedAt = performance.now();
    const settled = async () => {
      gated.open();
      for (const node of running) node.applyTo(batches, furthest());
      await Promise.all(underWay.splice(0));
      gated.close();
      freedAt = performance.now();
    };
    while (running.some(({ archive }) => archive.position < batches.length)) {
      const node = running[below(running.length, random)]!;
      // Held statements wait in real time, and have a timeout.
      if (performance.now() - freedAt > MAX_HOLD_MS) await settled();
      const draw = random();
      if (draw < 0.5) await gated.pass(random);
      else if (draw < 0.6) node.applyTo(batches, node.archive.position + 1 + below(7, random));
      else if (draw < 0.68) underWay.push(node.history.settle());
      else if (draw < 0.74) {
        // While others lag.
        gated.open();
        await node.history.settle();
        gated.close();
      } else if (draw < 0.96) underWay.push(question(node));
      else if (draw < 0.975) {
        killed++;
        const killing = killWriters(server.url, url).then((count) => {
          tally.writersKilled += count;
        });
        underWay.push(killing);
      } else if (draw < 0.985) {
        await settled();
        gated.open();
        running.splice(running.indexOf(node), 1);
        await close(node);
        await begin();
        gated.close();
      } else await settled();
    }
    await settled();
    gated.open();
    await expectWhole(url, running, batches);
    for (const node of running) {
      for (let n = 0; n < 20; n++) await question(node);
      expect(node.stale).toEqual([]);
      await close(node);
    }
    return tally;
  }

  test(
    'a query returns the state at its start, whatever is applied while the store is read',
    async () => {
      const { url, batches } = await prepared();
      const truth = await buildTruth(batches);
      const random = seededRandom(4);
      const node = await open(url, batches.slice(0, Math.floor(batches.length / 4)));
      const gated = new GatedStatements();
      let place = 0;
      while (node.archive.position < batches.length) {
        const which = place++ % QUESTIONS.length;
        const { position } = node.archive;
        gated.close();
        const asked = node.ask(QUESTIONS[which]!);
        await gated.held();
        await gated.pass(random);
        await gated.held();
        node.applyTo(batches, position + 1 + below(4, random));
        gated.open();
        const { answer, at } = await asked;
        expect({ which, at, answer }).toEqual({
          which,
          at: position,
          answer: truth.answers[position]![which],
        });
      }
      expect(place).toBeGreaterThan(QUESTIONS.length / 2);
      gated.restore();
      await close(node);
    },
    TIMEOUT_MS,
  );

  test('a writer killed within a transaction leaves none of its rows', async () => {
    const { url, batches } = await prepared();
    const node = await open(url, []);
    node.applyTo(batches, batches.length);
    const database = new PostgresDatabase(url, 1);
    const chunks = Reflect.get(node.history, 'chunks');
    const due = chunks.due();
    const killing = database.transaction(async (statements) => {
      await store(statements, due.from, due.to, due.parts);
      await killAll(server.url, url);
      await statements.query('SELECT 1');
    });
    await expect(killing).rejects.toThrow(HistoryUnavailableError);
    expect((await readPosition(database)).sequence).toBe(0);
    await database.close();
    await expectWhole(url, [node], batches);
    await close(node);
  });

  test('an overtaken writer writes nothing', async () => {
    const { url, batches } = await prepared();
    const node = await open(url, []);
    node.applyTo(batches, batches.length);
    const due = Reflect.get(node.history, 'chunks').due();
    await node.history.settle();
    const database = new PostgresDatabase(url, 1);
    const late = database.transaction((statements) =>
      store(statements, due.from, due.to, due.parts),
    );
    await expect(late).rejects.toThrow(HistoryConflictError);
    await database.close();
    await expectWhole(url, [node], batches);
    await close(node);
  });

  test('one node of a cluster writes, and another takes over when it stops', async () => {
    const { url, batches } = await prepared();
    const [first, second] = [await open(url, batches), await open(url, batches)];
    await first.history.settle();
    await second.history.settle();
    expect([first.history.isWriter, second.history.isWriter]).toEqual([true, false]);
    await close(first);
    while (!second.history.isWriter) await second.history.settle();
    await expectWhole(url, [second], batches);
    await close(second);
  });

  test('a node with another log is stopped before it writes', async () => {
    const { url, batches } = await prepared();
    const others = batches.map((batch) => ({ ...batch, hash: batch.hash.map((byte) => byte ^ 1) }));
    const [writer, other] = [await open(url, []), await open(url, [])];
    writer.applyTo(batches, batches.length);
    await writer.history.settle();
    other.applyTo(others, others.length);
    await expect(other.history.settle()).rejects.toThrow(HistoryForeignError);
    await expect(open(url, others)).rejects.toThrow('another log');
    for (const node of [writer, other]) await close(node);
  });

  test('nodes that start at once create the tables once', async () => {
    const url = await newDatabase();
    const opened = await Promise.all(Array.from({ length: 6 }, () => open(url, [])));
    const sql = new SQL(url, { max: 1 });
    const versions = await sql.unsafe('SELECT version FROM history.schema_version');
    expect([...versions]).toHaveLength(1);
    await sql.close();
    for (const node of opened) await close(node);
  });

  test('a node of an older release leaves writing to newer ones', async () => {
    const { url, batches } = await prepared();
    const node = await open(url, []);
    expect(node.history.isWriter).toBe(true);
    const sql = new SQL(url, { max: 1 });
    await sql.unsafe('UPDATE history.schema_version SET version = version + 1');
    await sql.close();
    node.applyTo(batches, batches.length);
    await node.history.settle();
    await node.history.settle();
    expect(node.history.isWriter).toBe(false);
    expect(node.history.position().sequence).toBe(0);
    await expect(open(url, batches)).rejects.toThrow('Start the release that wrote it');
    await close(node);
  });

  test(
    'while PostgreSQL is down batches are applied, history queries are rejected, and nothing is lost',
    async () => {
      const { url, batches } = await prepared();
      const half = Math.floor(batches.length / 2);
      const [first, second] = [
        await open(url, batches.slice(0, half)),
        await open(url, batches.slice(0, half)),
      ];
      await first.history.settle();
      await server.kill();
      for (const node of [first, second]) {
        node.applyTo(batches, batches.length);
        await node.history.settle();
        await node.history.settle();
        expect(node.warnings).toHaveLength(1);
        expect(node.archive.position).toBe(batches.length);
        await expect(node.ask(QUESTIONS[0]!)).rejects.toThrow(HistoryUnavailableError);
        const open = { account: 0, statuses: [0], descending: true, limit: 10 };
        expect((await node.ask({ kind: 'orders', filter: open })).answer).toHaveProperty('orders');
      }
      await server.restart();
      await expectWhole(url, [second, first], batches);
      expect(first.warnings.at(-1)).toContain('answers again');
      expect((await first.ask(QUESTIONS[0]!)).at).toBe(batches.length);
      for (const node of [first, second]) await close(node);
    },
    TIMEOUT_MS,
  );

  test(
    'rows beyond the memory limit are dropped, and a new archive continues from a snapshot',
    async () => {
      const { url, batches } = await prepared();
      const truth = await buildTruth(batches);
      const node = await open(url, batches.slice(0, 1), undefined, { maxPendingBytes: 4_000 });
      await server.kill();
      node.applyTo(batches, batches.length);
      await node.history.settle();
      expect(node.stale).toEqual([]);
      await server.restart();
      await node.history.settle();
      await node.history.settle();
      expect(node.stale).toHaveLength(1);
      expect(node.history.isWriter).toBe(false);
      await expect(node.ask(QUESTIONS[0]!)).rejects.toThrow(HistoryUnavailableError);
      const next = await open(url, batches, (stored) => truth.recovered(stored));
      await expectWhole(url, [next], batches);
      await close(node);
      await close(next);
    },
    TIMEOUT_MS,
  );

  test(
    'an archivist in its thread keeps running without PostgreSQL, and rejects queries that need it',
    async () => {
      const url = await newDatabase();
      const data = mkdtempSync(join(directory, 'data-'));
      for (const name of ['log', 'snapshots']) mkdirSync(join(data, name));
      const failed: Error[] = [];
      const archivist = await WorkerArchivist.start(
        {
          log: 'file',
          logDirectory: join(data, 'log'),
          snapshotDirectory: join(data, 'snapshots'),
          proofDirectory: join(data, 'proofs'),
          rebuiltHistory: join(data, 'unused'),
          logEnd: 0,
          isFirstStart: true,
          historyUrl: url,
        },
        (error) => failed.push(error),
      );
      const random = seededRandom(7);
      const batches = randomLog(7, random);
      const truth = await buildTruth(batches);
      const question = QUESTIONS[0]!;
      const deliver = (from: number, to: number) => {
        for (const batch of batches.slice(from, to)) {
          const { state } = truth.recovered(batch.sequence - 1).exchange;
          archivist.deliver(batch, state.digest);
        }
      };
      deliver(0, 20);
      expect(await archivist.query(question, 20)).toEqual(truth.answers[20]![0]);
      await server.kill();
      deliver(20, 30);
      await expect(archivist.query(question, 30)).rejects.toThrow(HistoryUnavailableError);
      expect(await archivist.query({ kind: 'state' }, 30)).toMatchObject({ position: 30 });
      expect(archivist.lagMs()).toBe(0);
      await server.restart();
      expect(await archivist.query(question, 30)).toEqual(truth.answers[30]![0]);
      await archivist.close();
      expect(failed).toEqual([]);
    },
    TIMEOUT_MS,
  );

  async function prepared(random: Random = seededRandom(3)) {
    return { url: await newDatabase(), batches: randomLog(3, random) };
  }
});

/** Ends the sessions that write or hold the lock. @returns their number */
async function killWriters(admin: string, url: string): Promise<number> {
  return kill(
    admin,
    url,
    `AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`,
  );
}

async function killAll(admin: string, url: string): Promise<number> {
  return kill(admin, url, '');
}

async function kill(admin: string, url: string, which: string): Promise<number> {
  const sql = new SQL(admin, { max: 1 });
  const name = new URL(url).pathname.slice(1);
  const rows = await sql.unsafe(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 ${which}`,
    [name],
  );
  await sql.close();
  return [...rows].length;
}
