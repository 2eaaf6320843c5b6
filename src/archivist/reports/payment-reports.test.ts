import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../test/check.ts';
import { custodyMove, listCommands, scenario } from '../../../test/reference/scenario.ts';
import { withLittleMemory } from '../../../test/reference/with-little-memory.ts';
import { depositStatusName, withdrawalStatuses } from '../../engine/custody/statuses.ts';
import type { DepositRecord, EntryEvent, WithdrawalRecord } from '../../engine/event.ts';
import { Exchange } from '../../engine/exchange.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { EntryType } from '../../engine/terms.ts';
import { History } from '../../history/history.ts';
import { MemoryLog } from '../../testing/memory-log.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { appendBatch } from '../../testing/test-exchange.ts';
import { openFileArchive } from '../file-archive.ts';
import { SnapshotStore } from '../snapshots/snapshots.ts';
import { makeAccountReport } from './account-reports.ts';
import type { AccountReportTerms } from './report.ts';

setDefaultTimeout(CHECK_TIMEOUT_MS);
withLittleMemory();

type Payment = DepositRecord | WithdrawalRecord;

/** The events of one command, by an engine that applied it alone. */
interface Moment {
  readonly time: number;
  readonly payments: readonly Payment[];
  readonly entries: readonly EntryEvent[];
}

function observe(commands: ReturnType<typeof listCommands>): Moment[] {
  const exchange = new Exchange();
  return commands.map(({ command, time }) => {
    exchange.apply(command, time);
    const payments = exchange.events.filter(
      (event): event is Payment => event.kind === 'deposit' || event.kind === 'withdrawal',
    );
    const entries = exchange.events.filter((event) => event.kind === 'entry');
    return { time: exchange.state.time, payments, entries };
  });
}

interface Listed {
  readonly status: string;
  readonly amount: number;
  readonly [name: string]: unknown;
}

/** Returns the payments of a report by the simplest means: the newest record of each in all events. */
function expectedRows(
  moments: readonly Moment[],
  terms: AccountReportTerms,
  kind: Payment['kind'],
) {
  const newest = new Map<number, Payment>();
  for (const each of moments.flatMap(({ payments }) => payments)) {
    if (each.kind === kind) newest.set(each.id, each);
  }
  return [...newest.values()]
    .filter(({ account, createdAt }) => {
      return account === terms.account && createdAt >= terms.from && createdAt < terms.to;
    })
    .sort((a, b) => a.id - b.id);
}

const life = fc.record({
  life: scenario(150, custodyMove),
  start: fc.double({ min: 0, max: 0.5, noNaN: true }),
  end: fc.double({ min: 0, max: 1.2, noNaN: true }),
  cut: fc.double({ min: 0.6, max: 1, noNaN: true }),
});

const MOVING: readonly number[] = [
  EntryType.deposit,
  EntryType.withdrawal,
  EntryType.withdrawalFee,
];

test('reports of deposits and withdrawals have their newest state, and reconcile with the ledger', async () => {
  const seen = { deposits: 0, withdrawals: 0, moved: 0, dropped: 0 };
  const property = fc.asyncProperty(life, async ({ life: played, ...cuts }) => {
    const commands = listCommands(played);
    const moments = observe(commands);
    const log = new MemoryLog();
    for (const { command, time } of commands) await appendBatch(log, time, [command]);
    const batches = [...log.read(0)];
    const known = Math.max(1, Math.floor(batches.length * cuts.cut));
    const history = await History.open('sqlite://:memory:');
    try {
      const storage = new SimulatedStorage();
      await storage.makeDirectory('/snapshots');
      const archive = await openFileArchive({
        log: { read: () => batches.slice(0, known) },
        snapshots: new SnapshotStore(storage, '/snapshots'),
        history,
        elapsedMs: () => 0,
      });
      const { state } = archive.exchange;
      const times = moments.map(({ time }) => time);
      const from = times[Math.floor(cuts.start * (times.length - 1))]!;
      const last = times[Math.min(times.length - 1, Math.floor(cuts.end * (times.length - 1)))]!;
      const to = Math.max(from + 1, last + 1);
      const owners = new Set(
        moments.flatMap(({ payments }) => payments.map((each) => each.account)),
      );
      const reports = [...owners].flatMap((account) => [
        { account, kind: 'deposits' as const },
        { account, kind: 'withdrawals' as const },
      ]);
      for (const { account, kind } of reports) {
        if (state.accounts[account] === undefined) continue;
        const terms: AccountReportTerms = { account, kind, format: 'json', from, to };
        let body = '';
        const output = { write: (text: string) => (body += text) } as never;
        const source = {
          state,
          position: archive.position,
          pageRows: 3,
          read: <Answer>(work: Parameters<typeof history.read<Answer>>[0]) => history.read(work),
        };
        const making = { progress: 0, rows: 0, position: 0 };
        const maker = makeAccountReport(source, terms, output, making);
        let step = await maker.next();
        // The rest of the log is applied between the steps.
        while (!step.done) {
          for (const batch of batches.slice(archive.position, archive.position + 12)) {
            archive.apply(batch);
          }
          if (archive.position % 3 === 0) await archive.flush();
          step = await maker.next();
        }
        const report = JSON.parse(`${step.value}${body}`);
        const past = moments.slice(0, making.position);
        const single = kind === 'deposits' ? 'deposit' : 'withdrawal';
        const expected = expectedRows(past, terms, single);
        const shown = report[kind].map((row: Listed) => [row[`${single}Id`], row.status]);
        expect(shown).toEqual(
          expected.map((each) => [
            `${each.id}`,
            each.kind === 'deposit' ? depositStatusName(each) : withdrawalStatuses[each.status],
          ]),
        );
        expect(making.rows).toBe(expected.length);
        const totals = new Map<string, bigint>();
        const sign = kind === 'deposits' ? 1n : -1n;
        for (const [place, { id, network }] of expected.entries()) {
          const moved = past
            .flatMap(({ entries }) => entries)
            .filter(({ reference, type }) => reference === id && MOVING.includes(type))
            .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
          const { asset, decimals } =
            state.assets[state.parts.custody.store.networks.get(network)!.asset]!;
          const field = kind === 'deposits' ? 'credited' : 'paid';
          expect(report[kind][place][field]).toBe(Number(formatUnits(sign * moved, decimals)));
          totals.set(asset, (totals.get(asset) ?? 0n) + sign * moved);
          if (moved !== 0n) seen.moved++;
          if (
            ![...state.parts.custody.store.endedDeposits.values()].some((each) => each.id === id)
          ) {
            seen.dropped++;
          }
        }
        for (const total of report.totals) {
          const { decimals } = state.assetsByName.get(total.asset)!;
          const sum = totals.get(total.asset)!;
          expect(total[kind === 'deposits' ? 'credited' : 'paid']).toBe(
            Number(formatUnits(sum, decimals)),
          );
          totals.delete(total.asset);
        }
        expect(totals.size).toBe(0);
        seen[kind] += expected.length;
      }
    } finally {
      await history.close();
    }
  });
  await checkAsync(property, 120);
  // The scenarios reach what the property is about.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
