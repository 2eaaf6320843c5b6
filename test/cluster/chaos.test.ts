import { expect, test } from 'bun:test';
import { runChaos, type Step } from './chaos-run.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { FAULTS } from './faults.ts';

/**
 * The short form of `npm run test:cluster`: every kind of part fails once. Links are proxies, the same on every machine;
 * namespaces that lose packets are tested separately.
 */

const SEED = Number(process.env.SEED ?? 6);

const PLAN: readonly Step[] = [
  { faults: [FAULTS.killNode], lastsMs: 500 },
  { faults: [FAULTS.killLeader], lastsMs: 500 },
  { faults: [FAULTS.pausePostgres], lastsMs: 1500 },
  { faults: [FAULTS.pauseNode], lastsMs: 2000 },
  { faults: [FAULTS.killPostgres, FAULTS.cutNode], lastsMs: 1500 },
  { faults: [FAULTS.loseMajority], lastsMs: 2000 },
];

describeWithServers('a cluster under load and faults', () => {
  test(`keeps every acknowledgement (SEED=${SEED})`, async () => {
    const report = await runChaos(SEED, () => PLAN, { links: 'proxies', traders: 6 });
    expect(report.acknowledgedWrites).toBeGreaterThan(100);
    expect(report.fills).toBeGreaterThan(0);
    expect(report.ignored).toBeGreaterThan(0);
    expect(report.streamConnections).toBeGreaterThan(3);
    expect(report.keysRevoked).toBeGreaterThan(0);
  }, 240_000);
});
