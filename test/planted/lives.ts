import { casesOf, run } from '../../simulation/run.ts';
import { isFinding, NOTHING, type Verdict } from './verdict.ts';

// Runs in the copy that has the bug: lives of the simulator until one fails. Says how it ended in a
// line of JSON.

const FIRST_SEED = 1;
const COMMANDS = 12_000;

await Bun.write(Bun.stdout, `\n${JSON.stringify(await firstFinding())}\n`);
// Whatever a bug has left open.
process.exit(0);

async function firstFinding(): Promise<Verdict> {
  let before = 0;
  for (const one of casesOf({
    seed: FIRST_SEED,
    nodes: 1,
    commands: COMMANDS,
    without: new Set(),
  })) {
    const { failure, submitted } = await run(one);
    if (failure !== undefined) {
      const says = shortly(failure);
      return { isCaught: isFinding(failure), says, commands: before + submitted, seed: one.seed };
    }
    before += one.commands;
  }
  return { isCaught: false, says: NOTHING, commands: before, seed: undefined };
}

/** Of two values that should be the same, the first lines in which they are not. */
function shortly({ name, message }: Error): string {
  const lines = message.split('\n');
  const differing = lines.filter((line) => /^[+-] {2}/.test(line)).slice(0, 2);
  const what = differing.length === 0 ? lines[0]! : differing.join(' ').replace(/\s+/g, ' ');
  return `${name}: ${what}`;
}
