// Runs three nodes, three NATS servers and PostgreSQL under load and faults, for a given time.
// npm run test:cluster -- --minutes 10 --seed 7
import { parseArgs } from 'node:util';
import { Progress } from '../../src/monitoring/progress.ts';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import { runChaos, type Step } from './chaos-run.ts';
import type { Cluster } from './cluster.ts';
import { FAULTS, type Fault } from './faults.ts';
import { LINKS } from './network.ts';

const MAX_MS = 30_000;
const MIN_MS = 1_000;

/** Snapshot terms with which the log is trimmed every few minutes, but a node can still continue after the longest fault. */
const SNAPSHOTS = { commands: 500, batches: 500, everyMs: 40_000, afterAuditMs: 100 };
/** Duration from which a run that never trimmed the log has failed. */
const MINUTES_TO_TRIM = 3;

/**
 * NATS servers before 2.10 whose leader was suspended for a while store other times of some messages than the others. A
 * node that reads them there computes another state, detects this and stops. The test would count that as a failure.
 */
const OLD_SERVERS_FAIL: readonly Fault[] = [FAULTS.pauseLeader];

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    links: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const links = LINKS.find((each) => each === values.links);
if (!(minutes > 0) || !Number.isInteger(seed) || links !== values.links) {
  console.error(`npm run test:cluster -- [--minutes N] [--seed S] [--links ${LINKS.join('|')}]`);
  process.exit(2);
}

console.log(`Seed ${seed}, ${minutes} minutes`);
const begin = performance.now();
const progress = new Progress();
progress.begin('starting servers and nodes');
try {
  const say = (line: string) => {
    progress.clear();
    console.log(`${Math.round((performance.now() - begin) / 1000)} s: ${line}`);
  };
  const env = { SNAPSHOT_TERMS: JSON.stringify(SNAPSHOTS) };
  const report = await runChaos(seed, plan, { env, links, say });
  progress.end();
  console.log(JSON.stringify({ seed, minutes, ...report }));
  if (minutes >= MINUTES_TO_TRIM && report.trims === 0)
    throw new Error('the log was never trimmed');
  process.exit(0);
} catch (error) {
  progress.end();
  console.error(`Seed ${seed}:\n${(error as Error).message}`);
  process.exit(1);
}

/** Returns faults one after the other, every third time two at once; long ones are rarer. */
function* plan(random: Random, { nats, network }: Cluster): Generator<Step> {
  const kinds: Fault[] = [];
  for (const fault of Object.values<Fault>(FAULTS)) {
    let problem: string | undefined;
    if (!nats.syncsAlways && OLD_SERVERS_FAIL.includes(fault))
      problem = `NATS ${nats.version} does not bear it`;
    if (!network.canDelay && fault === FAULTS.delayNode) problem = 'it takes proxies';
    if (problem === undefined) kinds.push(fault);
    else console.log(`Not done, for ${problem}: ${fault.name}`);
  }
  const any = () => kinds[below(kinds.length, random)]!;
  progress.beginTimed('injecting faults under load', minutes * 60);
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    const first = any();
    const second = any();
    const areTwo = below(3, random) === 0 && canMeet(first, second);
    const lastsMs = MIN_MS + Math.floor(random() ** 3 * (MAX_MS - MIN_MS));
    yield { faults: areTwo ? [first, second] : [first], lastsMs };
  }
  progress.begin('ending the load and checking every answer');
}

/** Returns whether two faults can be combined: two of one kind may undo each other, and nodes need a log to start or stop. */
function canMeet(first: Fault, second: Fault): boolean {
  const [one, other] = [findPart(first), findPart(second)];
  const costs = [first.cost, second.cost];
  return one !== other && (!costs.includes('everything') || costs.includes('history'));
}

function findPart({ isNodeFault, cost }: Fault): string {
  if (isNodeFault) return 'node';
  return cost === 'history' ? 'PostgreSQL' : 'servers';
}
