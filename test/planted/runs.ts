import { type Case, run, splitCase } from '../../simulation/run.ts';
import type { SimulatorCatcher } from './bug.ts';
import { isFinding, NOTHING, type Verdict } from './verdict.ts';

// Runs simulations in the copy with the bug until one fails, and prints the verdict as a line of JSON.
// Its argument selects the simulator.

const FIRST_SEED = 1;
const COMMANDS = 12_000;
const CLUSTER_RUN_COMMANDS = 200;

await Bun.write(Bun.stdout, `\n${JSON.stringify(await firstFinding())}\n`);
// A bug may have left handles open.
process.exit(0);

async function firstFinding(): Promise<Verdict> {
  let before = 0;
  for (const one of casesFor(process.argv[2] as SimulatorCatcher)) {
    const { failure, submitted } = await run(one);
    if (failure !== undefined) {
      const message = summarize(failure);
      return {
        isCaught: isFinding(failure),
        message,
        commands: before + submitted,
        seed: one.seed,
      };
    }
    before += one.commands;
  }
  return { isCaught: false, message: NOTHING, commands: before, seed: undefined };
}

function casesFor(catcher: SimulatorCatcher): Iterable<Case> {
  const seed = FIRST_SEED;
  const without = new Set<never>();
  if (catcher === 'simulator') return splitCase({ seed, nodes: 1, commands: COMMANDS, without });
  return Array.from({ length: COMMANDS / CLUSTER_RUN_COMMANDS }, (_, place) => {
    const nodes = 2 + (place % 4);
    return { seed: seed + place, nodes, commands: CLUSTER_RUN_COMMANDS, without };
  });
}

/** Returns the first differing lines of two values that should be equal, or the first line of the message. */
function summarize({ name, message }: Error): string {
  const lines = message.split('\n');
  const differing = lines.filter((line) => /^[+-] {2}/.test(line)).slice(0, 2);
  const what = differing.length === 0 ? lines[0]! : differing.join(' ').replace(/\s+/g, ' ');
  return `${name}: ${what}`;
}
