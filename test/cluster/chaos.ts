// Three nodes, three NATS servers and PostgreSQL under load and faults, for as long as is asked for.
// npm run test:cluster -- --minutes 10 --seed 7
import { parseArgs } from 'node:util';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import { runChaos, type Step } from './chaos-run.ts';
import { FAULTS, type Fault } from './faults.ts';

const LONGEST_MS = 30_000;
const SHORTEST_MS = 1_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('npm run test:cluster -- [--minutes N] [--seed S]');
  process.exit(2);
}

console.log(`Seed ${seed}, ${minutes} minutes`);
const begin = performance.now();
try {
  const report = await runChaos(seed, plan, (line) => {
    console.log(`${Math.round((performance.now() - begin) / 1000)} s: ${line}`);
  });
  console.log(JSON.stringify({ seed, minutes, ...report }));
  process.exit(0);
} catch (error) {
  console.error(`Seed ${seed}:\n${(error as Error).message}`);
  process.exit(1);
}

/** One fault after the other, every third time two at once: those of a long time are rarer. */
function* plan(random: Random): Generator<Step> {
  const kinds: Fault[] = Object.values(FAULTS);
  const any = () => kinds[below(kinds.length, random)]!;
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    const first = any();
    const second = any();
    const areTwo = below(3, random) === 0 && canMeet(first, second);
    const lastsMs = SHORTEST_MS + Math.floor(random() ** 3 * (LONGEST_MS - SHORTEST_MS));
    yield { faults: areTwo ? [first, second] : [first], lastsMs };
  }
}

/** Two of one kind may undo each other's harm, or start what runs; no node starts or ends without a log. */
function canMeet(first: Fault, second: Fault): boolean {
  if (first.cost === second.cost) return false;
  const costs = [first.cost, second.cost];
  return !costs.includes('everything') || costs.includes('history');
}
