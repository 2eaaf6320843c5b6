import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../test/check.ts';
import {
  custodyMove,
  listCommands,
  move,
  operatorMove,
  scenario,
} from '../../../test/reference/scenario.ts';
import { sum } from '../../engine/numbers/exact.ts';
import { entryTypes } from '../../engine/terms.ts';
import { History, type HistoryReader } from '../../history/history.ts';
import { MemoryLog } from '../../testing/memory-log.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { appendBatch } from '../../testing/test-exchange.ts';
import type { Archive } from '../archive.ts';
import { openFileArchive } from '../file-archive.ts';
import type { ReportSource } from '../reports/report-source.ts';
import { SnapshotStore } from '../snapshots/snapshots.ts';
import { costMethods } from './cost-basis.ts';
import { GainsWalk } from './gains-walk.ts';

/** Tests gains of the accounts of random exchanges, with every type of ledger entry. */

setDefaultTimeout(CHECK_TIMEOUT_MS);

const life = fc.record({
  life: scenario(120, fc.oneof(move, operatorMove, custodyMove)),
  cut: fc.double({ min: 0.2, max: 1, noNaN: true }),
  keptFrom: fc.double({ min: 0, max: 1, noNaN: true }),
  quote: fc.nat(3),
  maxEntries: fc.integer({ min: 1, max: 20 }),
});

async function finish(walk: GainsWalk, maxEntries = Infinity): Promise<void> {
  for (;;) {
    const steps = walk.continue(maxEntries);
    let step = await steps.next();
    while (!step.done) step = await steps.next();
    if (step.value) return;
  }
}

/** Returns the history of an archive; entries before `keptSince` count as deleted. */
function toSource(archive: Archive, history: History, keptSince = 0): ReportSource {
  const reader = Object.create(history, { keptSince: { value: async () => keptSince } });
  return {
    state: archive.exchange.state,
    get position() {
      return archive.position;
    },
    pageRows: 3,
    read: (work) => work(reader as HistoryReader),
  };
}

/** Returns everything that a walk has found, without where it stands. */
function results({ gains }: GainsWalk): unknown {
  const { amounts, points, flows, methods, deposits, withdrawals, fees } = gains;
  const years = costMethods.map((method) => methods[method].years);
  return structuredClone({ amounts, points, flows, years, deposits, withdrawals, fees });
}

/** Expects that a walk has the balances of an account, and that its gains add up. */
function expectBalances(walk: GainsWalk, archive: Archive, account: number): void {
  const { gains } = walk;
  const { assets, accounts } = archive.exchange.state;
  for (const { index } of assets) {
    const balance = accounts[account]!.balances[index];
    const total = balance === undefined ? 0 : sum(balance.available, balance.held);
    expect(gains.amounts[index] ?? 0n).toBe(BigInt(total));
  }
  for (const method of costMethods) {
    for (const point of gains.points) {
      const { cost, realized, withdrawnGain } = point.methods[method];
      expect(cost).toBe(point.netFlows + realized + withdrawnGain);
    }
    let cost = 0n;
    for (const { basis } of gains.methods[method].assets.values()) cost += basis.cost;
    expect(cost).toBe(gains.methods[method].totals().cost);
    const listed = gains.methods[method].years.reduce(
      (all, year) => all + year.gains + year.losses,
      0n,
    );
    expect(listed).toBe(gains.methods[method].totals().realized);
  }
}

test('gains of every account lead to its balances, also in parts and from the middle of its ledger', async () => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    life,
    async ({ life: played, cut, keptFrom, quote: any, maxEntries }) => {
      const log = new MemoryLog();
      for (const { command, time } of listCommands(played)) await appendBatch(log, time, [command]);
      const batches = [...log.read(0)];
      const known = batches.slice(0, Math.max(1, Math.floor(batches.length * cut)));
      const history = await History.open('sqlite://:memory:');
      try {
        const storage = new SimulatedStorage();
        await storage.makeDirectory('/snapshots');
        const snapshots = new SnapshotStore(storage, '/snapshots');
        const opened = { log: { read: () => known }, snapshots, history, elapsedMs: () => 0 };
        const archive = await openFileArchive(opened);
        const { accounts, assets } = archive.exchange.state;
        if (assets.length === 0) return;
        const quote = any % assets.length;
        const source = toSource(archive, history);
        const walks = accounts.map(({ index }) => new GainsWalk(source, { account: index, quote }));
        for (const walk of walks) await finish(walk, maxEntries);
        for (const batch of batches.slice(known.length)) archive.apply(batch);
        const keptSince = batches[Math.floor(keptFrom * (batches.length - 1))]!.time;
        for (const [account, walk] of walks.entries()) {
          await finish(walk);
          expectBalances(walk, archive, account);
          for (const { type } of walk.gains.flows) seen.add(entryTypes[type]!);
          const terms = { account, quote };
          const whole = new GainsWalk(source, terms);
          await finish(whole);
          if (walk.isCurrent && walk.routes.tradedMarkets > 0) {
            expect(results(whole)).toEqual(results(walk));
          }
          const trimmed = new GainsWalk(toSource(archive, history, keptSince), terms);
          await finish(trimmed);
          expectBalances(trimmed, archive, account);
        }
      } finally {
        await history.close();
      }
    },
  );
  await checkAsync(property, 100);
  for (const type of ['transfer', 'deposit', 'internal_transfer']) expect(seen).toContain(type);
});
