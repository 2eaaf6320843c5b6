import { afterEach, expect, test } from 'bun:test';
import { DepositStatus } from '../../engine/custody/statuses.ts';
import { Side } from '../../engine/terms.ts';
import { HistoryUnavailableError } from '../../history/errors.ts';
import { History } from '../../history/history.ts';
import { MemoryLog } from '../../testing/memory-log.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { appendBatch, GENESIS_COMMANDS, limitOrder } from '../../testing/test-exchange.ts';
import { openFileArchive } from '../file-archive.ts';
import { SnapshotStore } from '../snapshots/snapshots.ts';
import { csvText } from './columns.ts';
import {
  MAX_UNFINISHED_REPORTS,
  type Report,
  type ReportFile,
  type ReportTerms,
} from './report.ts';
import { ReportJobs } from './report-jobs.ts';
import { ReportStore, type StoreLimits } from './report-store.ts';

const open: History[] = [];
afterEach(async () => {
  for (const history of open.splice(0)) await history.close();
});

const FILLS = 40;

/** An archive in which accounts 1 and 2 have traded with each other. */
async function openArchive() {
  const log = new MemoryLog();
  await appendBatch(log, 1000, GENESIS_COMMANDS);
  for (let n = 0; n < FILLS; n++) {
    const orders = [limitOrder(1, Side.sell, 100, 10), limitOrder(2, Side.buy, 100, 10)];
    await appendBatch(log, 2000 + n, orders);
  }
  const history = await History.open('sqlite://:memory:');
  open.push(history);
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  const snapshots = new SnapshotStore(storage, '/snapshots');
  const archive = await openFileArchive({ log, snapshots, history, elapsedMs: () => 0 });
  return { archive, history, storage, log };
}

type Opened = Awaited<ReturnType<typeof openArchive>>;

async function openJobs({ archive, history, storage }: Opened, limits?: Partial<StoreLimits>) {
  const bounds = { totalBytes: 1e9, totalReports: 100, keptPerAccount: 100, ageMs: 1e6, ...limits };
  const store = new ReportStore(storage, '/reports', bounds);
  await store.open();
  const faults: { read?: () => void; elapsedMs: number; position?: number } = { elapsedMs: 0 };
  const source = {
    state: archive.exchange.state,
    get position() {
      return faults.position ?? archive.position;
    },
    pageRows: 5,
    read: async <Answer>(work: Parameters<typeof history.read<Answer>>[0]) => {
      faults.read?.();
      return history.read(work);
    },
  };
  const jobs = new ReportJobs({ source, store, elapsedMs: () => faults.elapsedMs });
  jobs.begin();
  return { jobs, store, faults };
}

const TERMS: ReportTerms = { account: 1, kind: 'ledger', format: 'csv', from: 0, to: 1e6 };

function create(jobs: ReportJobs, terms: Partial<ReportTerms> = {}): Report {
  return jobs.answer({ kind: 'createReport', terms: { ...TERMS, ...terms } }) as Report;
}

function find(jobs: ReportJobs, { reportId }: Report): Report | undefined {
  return (jobs.answer({ kind: 'reportFile', reportId }) as ReportFile | undefined)?.report;
}

async function run(jobs: ReportJobs): Promise<void> {
  while (jobs.hasWork) await jobs.step();
}

test('a report that a restart interrupted begins again and has the same rows', async () => {
  const opened = await openArchive();
  const first = await openJobs(opened);
  const whole = create(first.jobs);
  await run(first.jobs);
  const report = create(first.jobs);
  for (let n = 0; n < 5; n++) await first.jobs.step();
  expect(find(first.jobs, report)).toMatchObject({ status: 'running' });
  expect(find(first.jobs, report)!.progress).toBeGreaterThan(0);

  const { jobs } = await openJobs(opened);
  expect(opened.storage.list('/reports').filter((name) => /body|part|new/.test(name))).toEqual([]);
  expect(find(jobs, report)).toMatchObject({ status: 'queued', progress: 0 });
  await run(jobs);
  const { rows, sha256 } = find(first.jobs, whole)!;
  expect(find(jobs, report)).toMatchObject({ status: 'done', rows, sha256 });
  expect(find(jobs, whole)).toMatchObject({ status: 'done', rows, sha256 });
});

test('funds that an order holds stay in the total', async () => {
  const opened = await openArchive();
  const { jobs } = await openJobs(opened);
  await appendBatch(opened.log, 3000, [limitOrder(1, Side.sell, 200, 70)]);
  for (const batch of opened.log.read(opened.archive.position)) opened.archive.apply(batch);
  const report = create(jobs, { format: 'json' });
  await run(jobs);
  const { path } = jobs.answer({ kind: 'reportFile', reportId: report.reportId }) as ReportFile;
  const file = opened.storage.openForReading(path);
  const bytes = new Uint8Array(file.size());
  file.read(bytes, 0);
  const { balances } = JSON.parse(Buffer.from(bytes).toString());
  const { opening, closing } = balances.find(({ asset }: { asset: string }) => asset === 'BTC');
  expect(opening).toEqual({ available: 0, held: 0, total: 0 });
  expect(closing.held).toBe(70e-8);
});

test('records after the position of a report are left out', async () => {
  const opened = await openArchive();
  const { jobs } = await openJobs(opened);
  const report = create(jobs, { kind: 'fills' });
  await jobs.step();
  const { position } = find(jobs, report)!;
  const orders = [limitOrder(1, Side.sell, 100, 10), limitOrder(2, Side.buy, 100, 10)];
  await appendBatch(opened.log, 4000, orders);
  for (const batch of opened.log.read(opened.archive.position)) opened.archive.apply(batch);
  await run(jobs);
  expect(find(jobs, report)).toMatchObject({ status: 'done', rows: FILLS, position });
});

test('accounts take turns, and the reports of one account follow each other', async () => {
  const { jobs } = await openJobs(await openArchive());
  const long = create(jobs);
  const next = create(jobs);
  await jobs.step();
  const other = create(jobs, { account: 2, kind: 'fills', from: 2038 });
  while (find(jobs, other)!.status !== 'done') await jobs.step();
  expect([find(jobs, long)!.status, find(jobs, next)!.status]).toEqual(['running', 'queued']);
  await run(jobs);
  expect([find(jobs, long)!.status, find(jobs, next)!.status]).toEqual(['done', 'done']);
});

test('an account has a limited number of unfinished reports', async () => {
  const { jobs } = await openJobs(await openArchive());
  for (let n = 0; n < MAX_UNFINISHED_REPORTS; n++) create(jobs);
  expect(jobs.answer({ kind: 'createReport', terms: TERMS })).toEqual({
    refusal: 'tooManyUnfinished',
  });
  expect(create(jobs, { account: 2 }).status).toBe('queued');
  await run(jobs);
  expect(create(jobs).status).toBe('queued');
});

test.each([
  ['number per account', { keptPerAccount: 2 }],
  ['number', { totalReports: 2 }],
  ['bytes', { totalBytes: 200 }],
])('the oldest reports are removed over the limit of %s', async (_, limits) => {
  const opened = await openArchive();
  const { jobs } = await openJobs(opened, limits);
  const made: Report[] = [];
  for (let n = 0; n < 4; n++) {
    made.push(create(jobs, { kind: 'fills', from: 2039 }));
    await run(jobs);
  }
  expect(find(jobs, made[0]!)).toBeUndefined();
  const left = jobs.answer({ kind: 'reports' }) as Report[];
  expect(left.length).toBeLessThanOrEqual(2);
  const names = opened.storage.list('/reports');
  expect(names.length).toBe(2 * left.length);
});

test('a report waits for a history that is unavailable, and then begins again', async () => {
  const { jobs, faults } = await openJobs(await openArchive());
  const report = create(jobs);
  await jobs.step();
  faults.read = () => {
    throw new HistoryUnavailableError('the test says so');
  };
  while (jobs.hasWork) await jobs.step();
  expect(find(jobs, report)).toMatchObject({ status: 'queued', progress: 0 });
  delete faults.read;
  expect(jobs.hasWork).toBe(false);
  faults.elapsedMs = 1000;
  await run(jobs);
  expect(find(jobs, report)).toMatchObject({ status: 'done' });
});

test('a ledger that does not lead to the balances of the state is not published', async () => {
  const opened = await openArchive();
  const { jobs } = await openJobs(opened);
  const balance = opened.archive.exchange.state.accounts[1]!.balances[0]!;
  balance.available = Number(balance.available) + 1;
  const report = create(jobs);
  await run(jobs);
  expect(find(jobs, report)).toMatchObject({ status: 'failed', bytes: 0 });
  expect(find(jobs, report)!.error).toContain('the ledger ends at');
  expect(opened.storage.list('/reports')).toEqual([`${report.reportId}.report`]);
});

test('a report of a deposit that the ledger lacks is not published', async () => {
  const opened = await openArchive();
  const { state } = opened.archive.exchange;
  const { jobs } = await openJobs(opened);
  const { store } = state.parts.custody;
  const rules = {
    minDeposit: 0,
    minWithdrawal: 0,
    withdrawalFee: 0,
    dailyLimit: 0,
    approvalAbove: 0,
  };
  store.networks.set({
    ...{ ...rules, id: 0, asset: 0, name: 'bitcoin', decimals: 8, unit: 1, confirmations: 1 },
    ...{ memo: 0, deposits: true, withdrawals: true, hourlyCount: 0 },
    ...{ addressCoolingMs: 0, newDeviceDelayMs: 0 },
  });
  store.putDeposit({
    ...{ kind: 'deposit', id: store.takeId(), account: 1, network: 0, transaction: 't', index: 0 },
    ...{ address: 'a', memo: '', amount: 5, held: 0, confirmations: 1, report: 1 },
    ...{ status: DepositStatus.credited, createdAt: 1000, updatedAt: 1000, creditedAt: 1000 },
  });
  const report = create(jobs, { kind: 'deposits' });
  await run(jobs);
  expect(find(jobs, report)).toMatchObject({ status: 'failed', bytes: 0 });
  expect(find(jobs, report)!.error).toContain('the ledger lacks 5 minor units');
});

test('a full disk fails the report and nothing else', async () => {
  const opened = await openArchive();
  const { jobs } = await openJobs(opened);
  const report = create(jobs);
  opened.storage.capacityBytes = 0;
  await run(jobs);
  expect(find(jobs, report)!.status).toBe('failed');
  expect(jobs.answer({ kind: 'createReport', terms: TERMS })).toEqual({ refusal: 'noDisk' });
  opened.storage.capacityBytes = Number.POSITIVE_INFINITY;
  const again = create(jobs);
  await run(jobs);
  expect(find(jobs, again)!.status).toBe('done');
});

test('a disk that is full from any step on fails the report and nothing else', async () => {
  for (let steps = 0, isDone = false; !isDone; steps++) {
    const opened = await openArchive();
    const { jobs } = await openJobs(opened);
    const report = create(jobs);
    for (let n = 0; n < steps && jobs.hasWork; n++) await jobs.step();
    isDone = find(jobs, report)!.status === 'done';
    opened.storage.capacityBytes = 0;
    await run(jobs);
    expect(find(jobs, report)!.status).toBe(isDone ? 'done' : 'failed');
    opened.storage.capacityBytes = Number.POSITIVE_INFINITY;
    const again = create(jobs);
    await run(jobs);
    expect(find(jobs, again)!.status).toBe('done');
  }
});

test('a report that is removed while it is made leaves nothing', async () => {
  const opened = await openArchive();
  const { jobs } = await openJobs(opened);
  const report = create(jobs);
  await jobs.step();
  jobs.answer({ kind: 'deleteReport', reportId: report.reportId, account: 1 });
  await run(jobs);
  expect(opened.storage.list('/reports')).toEqual([]);
});

test('reports from after the end of the log are removed', async () => {
  const opened = await openArchive();
  const first = await openJobs(opened);
  const report = create(first.jobs);
  await run(first.jobs);
  const { jobs, store, faults } = await openJobs(opened);
  expect(store.get(report.reportId)).toBeDefined();
  faults.position = report.createdIn - 1;
  jobs.begin();
  expect(opened.storage.list('/reports')).toEqual([]);
});

test.each([
  ['plain', 'plain'],
  ['-1', `"'-1"`],
  ['=SUM(A1)', `"'=SUM(A1)"`],
  ['+1', `"'+1"`],
  ['@x', `"'@x"`],
  ['\tx', `"'\tx"`],
  ['\rx', `"'\rx"`],
  ['\nx', `"'\nx"`],
  ['\uff1dx', `"'\uff1dx"`],
  ['=a"b', `"'=a""b"`],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a=b', 'a=b'],
  ['', ''],
])('the text %j is the cell %s', (text, cell) => {
  expect(csvText(text)).toBe(cell);
});
