import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { openFileArchive } from '../../src/archivist/file-archive.ts';
import { ClusterReports } from '../../src/archivist/reports/cluster-reports.ts';
import {
  MAX_UNFINISHED_REPORTS,
  type Report,
  type ReportAnswer,
  type ReportFile,
  type ReportQuery,
  type ReportTerms,
} from '../../src/archivist/reports/report.ts';
import { ReportJobs } from '../../src/archivist/reports/report-jobs.ts';
import { ReportStore } from '../../src/archivist/reports/report-store.ts';
import { SharedReports } from '../../src/archivist/reports/shared-reports.ts';
import { SnapshotStore } from '../../src/archivist/snapshots/snapshots.ts';
import { Side } from '../../src/engine/terms.ts';
import { upgrade } from '../../src/history/database/schema.ts';
import { HistoryUnavailableError } from '../../src/history/errors.ts';
import { History, openDatabase } from '../../src/history/history.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { readAll } from '../../src/storage/storage.ts';
import { MemoryLog } from '../../src/testing/memory-log.ts';
import { SimulatedStorage } from '../../src/testing/simulated-storage.ts';
import { appendBatch, GENESIS_COMMANDS, limitOrder } from '../../src/testing/test-exchange.ts';
import { describeWherePossible } from '../describe-where-possible.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

/** Reports of nodes that share one PostgreSQL. */

setDefaultTimeout(60_000);
const TRADES = 300;
const problem = hasPostgres() ? undefined : 'PostgreSQL is not installed';
const advice = 'see "Servers for the tests" in CONTRIBUTING.md';

describeWherePossible('reports of a cluster', problem, advice, () => {
  let server: PostgresServer;
  let log: MemoryLog;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
    log = new MemoryLog();
    await appendBatch(log, 1000, GENESIS_COMMANDS);
    for (let n = 0; n < TRADES; n++) {
      const orders = [limitOrder(1, Side.sell, 100, 10), limitOrder(2, Side.buy, 100, 10)];
      await appendBatch(log, 2000 + n, orders);
    }
  });
  afterAll(() => server.stop());

  async function createDatabase(): Promise<string> {
    const url = await server.createDatabase(`reports_${databases++}`);
    const database = openDatabase(url);
    await upgrade(database);
    await database.close();
    return url;
  }

  /** A node, which uses the directory of an earlier start if one is given. */
  async function openNode(url: string, storage = new SimulatedStorage(), limits = {}) {
    const history = await History.open('sqlite://:memory:');
    await storage.makeDirectory('/snapshots');
    const snapshots = new SnapshotStore(storage, '/snapshots');
    const archive = await openFileArchive({ log, snapshots, history, elapsedMs: () => 0 });
    const store = new ReportStore(storage, '/reports');
    await store.open();
    let elapsed = 0;
    const elapsedMs = () => elapsed;
    const { state } = archive.exchange;
    const read: History['read'] = (work) => history.read(work);
    const source = { state, position: archive.position, pageRows: 20, read };
    const jobs = new ReportJobs({ source, store, elapsedMs });
    const wide = { totalBytes: 1e9, totalReports: 1e4, keptPerAccount: 1000 };
    const bounds = { ...wide, ageMs: 1e12, silenceS: 30, ...limits };
    const shared = new SharedReports(openDatabase(url), bounds);
    const reports = new ClusterReports(jobs, store, shared, elapsedMs);
    reports.begin();
    const answer = async (query: ReportQuery): Promise<ReportAnswer> => {
      const steps = reports.answerInSteps(query);
      for (;;) {
        const { done, value } = await steps.next();
        if (done) return value;
      }
    };
    return {
      storage,
      /** A second of its steps. */
      work: async (steps = Number.POSITIVE_INFINITY) => {
        elapsed += 1000;
        for (let n = 0; n < steps && reports.hasWork; n++) await reports.step();
      },
      wait: (ms: number) => {
        elapsed += ms;
      },
      create: async (terms: Partial<ReportTerms> = {}) => {
        const all = { account: 1, kind: 'ledger', format: 'csv', from: 0, to: 1e6, ...terms };
        return answer({ kind: 'createReport', terms: all as ReportTerms });
      },
      list: async (account?: number) => (await answer({ kind: 'reports', account })) as Report[],
      find: async (reportId: string, account?: number) =>
        (await answer({ kind: 'reportFile', reportId, account })) as ReportFile | undefined,
      remove: (reportId: string, account?: number) =>
        answer({ kind: 'deleteReport', reportId, account }),
      read: ({ path }: ReportFile) => Buffer.from(readAll(storage, path)),
      close: async () => {
        await reports.close();
        await history.close();
      },
    };
  }

  test('every node lists, sends and removes those of all nodes, also after their node has stopped', async () => {
    const url = await createDatabase();
    const [one, two] = [await openNode(url), await openNode(url)];
    const { reportId } = (await one.create()) as Report;
    expect((await two.list(1)).map((each) => each.reportId)).toEqual([reportId]);
    expect(await two.list(2)).toEqual([]);
    expect(await two.find(reportId, 2)).toBeUndefined();
    expect(await two.remove(reportId, 2)).toBeUndefined();
    await one.work(3);
    await one.work(1);
    const { report } = (await two.find(reportId, 1))!;
    expect(report.status).toBe('running');
    expect(report.progress).toBeGreaterThan(0);
    await one.work();
    const made = (await one.find(reportId))!;
    expect(made.report.status).toBe('done');
    const content = one.read(made);
    expect(content.length).toBeGreaterThan(10_000);
    await one.close();
    const fetched = (await two.find(reportId, 1))!;
    expect(fetched.report).toEqual(made.report);
    expect(two.read(fetched).equals(content)).toBe(true);
    const three = await openNode(url);
    expect(await three.remove(reportId, 1)).toMatchObject({ reportId });
    expect(await two.find(reportId)).toBeUndefined();
    expect(two.storage.list('/reports')).toEqual([]);
    expect(await two.list()).toEqual([]);
    await two.close();
    await three.close();
  });

  test('an account has four unfinished ones at most, on all nodes together', async () => {
    const url = await createDatabase();
    const nodes = [await openNode(url), await openNode(url)];
    const asked = await Promise.all(Array.from({ length: 10 }, (_, n) => nodes[n % 2]!.create()));
    const made = asked.filter((each) => 'reportId' in (each as object));
    expect(made).toHaveLength(MAX_UNFINISHED_REPORTS);
    const refused = asked.filter((each) => 'refusal' in (each as object));
    expect(new Set(refused.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"refusal":"tooManyUnfinished"}']),
    );
    expect(await nodes[0]!.create({ account: 2 })).toHaveProperty('reportId');
    for (const node of nodes) await node.work();
    expect(await nodes[1]!.create()).toHaveProperty('reportId');
    for (const node of nodes) await node.close();
  });

  test('a report whose node has stopped has failed, and begins again with the node', async () => {
    const url = await createDatabase();
    const limits = { silenceS: 1 };
    const one = await openNode(url, new SimulatedStorage(), limits);
    const two = await openNode(url, new SimulatedStorage(), limits);
    const { reportId } = (await one.create()) as Report;
    await one.work(2);
    await one.close();
    await Bun.sleep(1100);
    const [silent] = await two.list(1);
    expect(silent).toMatchObject({
      reportId,
      status: 'failed',
      error: 'Its node has stopped. Create it again.',
    });
    // It does not count as one of the four.
    const asked = [1, 2, 3, 4].map(() => two.create());
    for (const each of await Promise.all(asked)) expect(each).toHaveProperty('reportId');
    const again = await openNode(url, one.storage, limits);
    await again.work();
    const { report } = (await two.find(reportId))!;
    expect(report.status).toBe('done');
    await two.close();
    await again.close();
  });

  test('a report whose file takes long to store has not failed', async () => {
    const url = await createDatabase();
    const limits = { silenceS: 1 };
    const one = await openNode(url, new SimulatedStorage(), limits);
    const two = await openNode(url, new SimulatedStorage(), limits);
    const { reportId } = (await one.create()) as Report;
    const { reportId: other } = (await one.create({ account: 2 })) as Report;
    const isMade = () => one.storage.list('/reports').includes(`${reportId}.csv`);
    while (!isMade()) await one.work(1);
    await Bun.sleep(1100);
    // A step of storing it.
    await one.work(1);
    for (const id of [reportId, other]) {
      expect((await two.find(id))!.report.status).not.toBe('failed');
    }
    await one.work();
    expect((await two.find(reportId))!.report.status).toBe('done');
    await one.close();
    await two.close();
  });

  test('a report that is created while a node starts is made', async () => {
    const url = await createDatabase();
    for (let n = 0; n < 5; n++) {
      const node = await openNode(url);
      const [created] = await Promise.all([node.create({ account: 1 }), node.work(1)]);
      const { reportId } = created as Report;
      await node.work();
      expect((await node.find(reportId))!.report.status).toBe('done');
      await node.close();
    }
  });

  test('nothing is lost while PostgreSQL is down', async () => {
    const url = await createDatabase();
    const [one, two] = [await openNode(url), await openNode(url)];
    const { reportId } = (await one.create()) as Report;
    await server.restart();
    await one.work();
    const failed = await two.find(reportId).catch((error: unknown) => error);
    if (failed instanceof Error) expect(failed).toBeInstanceOf(HistoryUnavailableError);
    for (let n = 0; n < 20 && (await two.find(reportId))!.report.status !== 'done'; n++) {
      one.wait(5000);
      await one.work();
    }
    const fetched = (await two.find(reportId))!;
    expect(fetched.report.status).toBe('done');
    expect(two.read(fetched).equals(one.read((await one.find(reportId))!))).toBe(true);
    await one.close();
    await two.close();
  });

  test('those that are too old or too many are removed, oldest first', async () => {
    const url = await createDatabase();
    const limits = { keptPerAccount: 2 };
    const one = await openNode(url, new SimulatedStorage(), limits);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push(((await one.create()) as Report).reportId);
      await one.work();
    }
    expect((await one.list(1)).map(({ status }) => status)).toEqual(['done', 'done']);
    for (const id of ids) {
      const isKept = (await one.list(1)).some(({ reportId }) => reportId === id);
      expect((await one.find(id)) !== undefined).toBe(isKept);
    }
    await one.close();
  });

  test('the reports of all accounts together are limited', async () => {
    const url = await createDatabase();
    const one = await openNode(url, new SimulatedStorage(), { totalReports: 3 });
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push(((await one.create({ account: 1 + (n % 2) })) as Report).reportId);
      await one.work();
    }
    const kept = await one.list();
    expect(kept).toHaveLength(3);
    expect(kept.every(({ reportId }) => ids.includes(reportId))).toBe(true);
    await one.close();
  });

  test('random requests to random nodes, which stop and start, have the answers of one list', async () => {
    const seed = Number(process.env.SEED ?? 19);
    const random = seededRandom(seed);
    const url = await createDatabase();
    const nodes = [await openNode(url), await openNode(url), await openNode(url)];
    const kept = new Map<string, number>();
    const contents = new Map<string, Buffer>();
    for (let n = 0; n < 200; n++) {
      const at = below(nodes.length, random);
      const node = nodes[at]!;
      const known = [...kept.keys()];
      const id = known[below(Math.max(1, known.length), random)];
      const what = below(8, random);
      if (what < 2) {
        const account = 1 + below(2, random);
        const kind = ['ledger', 'fills', 'orders'][below(3, random)] as ReportTerms['kind'];
        const created = (await node.create({ account, kind })) as object;
        if ('reportId' in created) kept.set(`${created.reportId}`, account);
      } else if (what < 5) await node.work(below(30, random));
      else if (what === 5 && id !== undefined) {
        const found = (await node.find(id))!;
        expect(found.report.account).toBe(kept.get(id)!);
        if (found.report.status === 'done') {
          const content = node.read(found);
          expect(new Bun.CryptoHasher('sha256').update(content).digest('hex')).toBe(
            found.report.sha256,
          );
          expect(content.equals(contents.get(id) ?? content)).toBe(true);
          contents.set(id, content);
        }
      } else if (what === 6 && id !== undefined && below(3, random) === 0) {
        expect(await node.remove(id)).toMatchObject({ reportId: id });
        kept.delete(id);
      } else if (what === 7 && below(4, random) === 0) {
        await node.close();
        nodes[at] = await openNode(url, node.storage);
      }
      const listed = (await nodes[below(nodes.length, random)]!.list()).map(
        (each) => each.reportId,
      );
      expect(listed.toSorted()).toEqual([...kept.keys()].toSorted());
    }
    for (const node of nodes) await node.work();
    for (const { status } of await nodes[0]!.list()) expect(status).toBe('done');
    expect(contents.size).toBeGreaterThan(0);
    for (const node of nodes) await node.close();
  });
});
