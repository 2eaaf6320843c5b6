import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../test/check.ts';
import { listCommands, scenario } from '../../../test/reference/scenario.ts';
import type { OrderRecord } from '../../engine/event.ts';
import { Exchange } from '../../engine/exchange.ts';
import { parseUnits } from '../../engine/numbers/units.ts';
import { oppositeSide, orderStatuses, sides } from '../../engine/terms.ts';
import { History } from '../../history/history.ts';
import { MemoryLog } from '../../testing/memory-log.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { appendBatch } from '../../testing/test-exchange.ts';
import { openFileArchive } from '../file-archive.ts';
import { SnapshotStore } from '../snapshots/snapshots.ts';
import type { Report, ReportFile, ReportTerms } from './report.ts';
import { ReportJobs } from './report-jobs.ts';
import { ReportStore } from './report-store.ts';

setDefaultTimeout(CHECK_TIMEOUT_MS);

/** The effects of one command, by the engine that applied it alone. */
interface Moment {
  readonly time: number;
  /** By account and asset, after the command: available and held. */
  readonly balances: readonly (readonly (readonly [bigint, bigint])[])[];
  readonly fills: readonly {
    account: number;
    trade: number;
    side: string;
    fee: bigint;
    entries: number;
  }[];
  /** Account of each entry without a trade. */
  readonly entries: readonly number[];
  readonly orders: readonly OrderRecord[];
}

/** Applies a scenario to an engine of its own and writes down everything. */
function observe(commands: ReturnType<typeof listCommands>): Moment[] {
  const exchange = new Exchange();
  const { state } = exchange;
  return commands.map(({ command, time }) => {
    exchange.apply(command, time);
    const fills: Moment['fills'][number][] = [];
    const entries: number[] = [];
    const orders: OrderRecord[] = [];
    for (const event of exchange.events) {
      if (event.kind === 'order') orders.push(event);
      else if (event.kind === 'entry') entries.push(event.account);
      else if (event.kind === 'trade') {
        const { id: trade, takerSide, makerFee, takerFee } = event;
        const count = (isMaker: boolean, fee: bigint) => (isMaker ? 3 : 2) + (fee === 0n ? 0 : 1);
        fills.push({
          account: event.makerAccount,
          trade,
          side: sides[oppositeSide(takerSide)],
          fee: BigInt(makerFee),
          entries: count(true, BigInt(makerFee)),
        });
        fills.push({
          account: event.takerAccount,
          trade,
          side: sides[takerSide],
          fee: BigInt(takerFee),
          entries: count(false, BigInt(takerFee)),
        });
      }
    }
    const balances = state.accounts.map((account) =>
      state.assets.map(({ index }) => {
        const balance = account.balances[index];
        return [BigInt(balance?.available ?? 0), BigInt(balance?.held ?? 0)] as const;
      }),
    );
    return { time: state.time, balances, fills, entries, orders };
  });
}

async function openReports(log: Pick<MemoryLog, 'read'>, history: History) {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  const store = new ReportStore(storage, '/reports');
  await store.open();
  const snapshots = new SnapshotStore(storage, '/snapshots');
  const archive = await openFileArchive({ log, snapshots, history, elapsedMs: () => 0 });
  const jobs = new ReportJobs({
    source: {
      state: archive.exchange.state,
      get position() {
        return archive.position;
      },
      pageRows: 3,
      read: (work) => history.read(work),
    },
    store,
    elapsedMs: () => 0,
  });
  jobs.begin();
  return { archive, jobs, storage };
}

function readText(storage: SimulatedStorage, path: string): string {
  const file = storage.openForReading(path);
  const bytes = new Uint8Array(file.size());
  file.read(bytes, 0);
  expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toHaveLength(64);
  return Buffer.from(bytes).toString();
}

/** Returns the rows of CSV without quotes in their cells. */
function readCsv(text: string): Record<string, string>[] {
  const [head, ...lines] = text.trimEnd().split('\r\n');
  const names = head!.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])),
  );
}

/** Makes one report, while the rest of the log is applied between its steps. */
async function make(
  { archive, jobs, storage }: Awaited<ReturnType<typeof openReports>>,
  terms: ReportTerms,
  rest: () => boolean,
): Promise<{ report: Report; text: string }> {
  const created = jobs.answer({ kind: 'createReport', terms }) as Report;
  expect(created.status).toBe('queued');
  while (jobs.hasWork) {
    await jobs.step();
    rest();
    if (archive.position % 3 === 0) await archive.flush();
  }
  const found = jobs.answer({ kind: 'reportFile', reportId: created.reportId }) as ReportFile;
  expect(found.report.error).toBe('');
  expect(found.report).toMatchObject({ status: 'done', progress: 1 });
  const text = readText(storage, found.path);
  const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex');
  expect(found.report).toMatchObject({ sha256, bytes: Buffer.byteLength(text) });
  return { report: found.report, text };
}

const life = fc.record({
  life: scenario(90),
  account: fc.nat(5),
  start: fc.double({ min: 0, max: 1, noNaN: true }),
  end: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.double({ min: 0.3, max: 1, noNaN: true }),
});

const addAll = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n);

test("a ledger leads from the engine's balances before a period to those after it", async () => {
  let moved = 0;
  let held = 0;
  const property = fc.asyncProperty(
    life,
    async ({ life: played, account: any, start, end, cut }) => {
      const commands = listCommands(played);
      const moments = observe(commands);
      const log = new MemoryLog();
      for (const { command, time } of commands) await appendBatch(log, time, [command]);
      const batches = [...log.read(0)];
      const known = Math.max(1, Math.floor(batches.length * cut));
      const history = await History.open('sqlite://:memory:');
      try {
        const opened = await openReports({ read: () => batches.slice(0, known) }, history);
        const { archive } = opened;
        const { assets, accounts } = archive.exchange.state;
        if (accounts.length === 0) return;
        const account = any % accounts.length;
        const times = moments.map(({ time }) => time);
        const from = times[Math.floor(start * (times.length - 1))]!;
        const to = Math.max(from + 1, times[Math.floor(end * (times.length - 1))]! + (any % 2));
        const next = () => {
          if (archive.position < batches.length) archive.apply(batches[archive.position]!);
          return true;
        };
        const terms = { account, from, to } as const;

        const ledger = await make(opened, { ...terms, kind: 'ledger', format: 'csv' }, next);
        const seen = moments.slice(0, ledger.report.position);
        const at = (time: number) =>
          seen.findLast((moment) => moment.time < time)?.balances[account] ?? [];
        const rows = readCsv(ledger.text);
        for (const { asset, decimals, index } of assets) {
          const units = (text: string) => BigInt(parseUnits(text, decimals) as number | bigint);
          const own = rows.filter((row) => row.asset === asset);
          const [available, inOrders] = at(from)[index] ?? [0n, 0n];
          const [availableAfter, inOrdersAfter] = at(to)[index] ?? [0n, 0n];
          const opening = own.find(({ type }) => type === 'opening_balance');
          const closing = own.find(({ type }) => type === 'closing_balance');
          const entries = own.filter(({ type }) => !type!.endsWith('_balance'));
          if (opening === undefined) {
            expect([entries.length, available, inOrders, availableAfter, inOrdersAfter]).toEqual([
              0,
              0n,
              0n,
              0n,
              0n,
            ]);
            continue;
          }
          expect([units(opening.amount!), units(opening.available!)]).toEqual([
            available + inOrders,
            available,
          ]);
          expect([units(closing!.amount!), units(closing!.available!)]).toEqual([
            availableAfter + inOrdersAfter,
            availableAfter,
          ]);
          const amounts = (chosen: typeof entries) =>
            addAll(chosen.map(({ amount }) => units(amount!)));
          const owned = entries.filter(({ type }) => !/hold$|release$/.test(type!));
          expect(units(opening.amount!) + amounts(owned)).toBe(units(closing!.amount!));
          expect(units(opening.available!) + amounts(entries)).toBe(units(closing!.available!));
          moved += owned.length;
          if (inOrders > 0n || inOrdersAfter > 0n) held++;
        }
        const inPeriod = seen.filter(({ time }) => time >= from && time < to);
        const expected = inPeriod.flatMap(({ entries, fills }) => [
          ...entries.filter((owner) => owner === account),
          ...fills
            .filter((fill) => fill.account === account)
            .flatMap((fill) => Array(fill.entries).fill(account)),
        ]);
        const listed = rows.filter(({ type }) => !type!.endsWith('_balance'));
        expect(listed.length).toBe(expected.length);
        const ids = listed.map(({ id }) => Number(id));
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        expect(new Set(ids).size).toBe(ids.length);

        const fills = await make(opened, { ...terms, kind: 'fills', format: 'json' }, next);
        const list = JSON.parse(fills.text) as { fills: { tradeId: string; side: string }[] };
        const traded = moments
          .slice(0, fills.report.position)
          .filter(({ time }) => time >= from && time < to)
          .flatMap((moment) => moment.fills.filter((fill) => fill.account === account));
        expect(list.fills.map(({ tradeId, side }) => [tradeId, side])).toEqual(
          traded.map(({ trade, side }) => [`${trade}`, side]),
        );
        expect(fills.report.rows).toBe(traded.length);

        const orders = await make(opened, { ...terms, kind: 'orders', format: 'csv' }, next);
        const newest = new Map<number, OrderRecord>();
        for (const moment of moments.slice(0, orders.report.position)) {
          for (const order of moment.orders) {
            if (order.account !== account || order.createdAt < from || order.createdAt >= to)
              continue;
            newest.set(order.id, order);
          }
        }
        const shown = readCsv(orders.text).map(({ orderId, status }) => [orderId, status]);
        expect(shown).toEqual(
          [...newest.values()]
            .sort((a, b) => a.id - b.id)
            .map(({ id, status }) => [`${id}`, orderStatuses[status]]) as never,
        );
      } finally {
        await history.close();
      }
    },
  );
  await checkAsync(property, 120);
  // The scenarios reach what the property is about.
  expect(moved).toBeGreaterThan(50);
  expect(held).toBeGreaterThan(0);
});
