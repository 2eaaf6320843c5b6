// Plants one known bug at a time in a copy of the sources, and checks whether it is caught.
// npm run test:planted -- [--only NAME] [--jobs J]
// --only: bugs whose name contains this text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bug, type Catcher, plant } from './bug.ts';
import { bugs } from './bugs.ts';
import { type Trial, tryBug } from './catch.ts';
import { Copy } from './copy.ts';
import { NOTHING } from './verdict.ts';

const root = join(import.meta.dir, '../..');
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, jobs: { type: 'string', default: '1' } },
});
const copies: Copy[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.on('exit', () => copies.map((copy) => copy.remove()));

const chosen = bugs.filter(({ name }) => name.includes(values.only));
// Check the places of all bugs before trying any.
for (const bug of chosen) plant(bug, readFileSync(join(root, bug.file), 'utf8'));
const controls = [...new Map(chosen.map(({ catcher }) => [toName(catcher), catcher])).values()];
let faults = 0;
console.log(`${controls.length} catchers without any bug, which must find nothing:`);
await each(controls, async (copy, catcher) => {
  const trial = await tryBug(copy, undefined, catcher);
  const isSound = trial.message === NOTHING;
  if (!isSound) faults++;
  console.log(`${isSound ? 'silent' : 'FAILS '} | ${toName(catcher)} | ${describeTrial(trial)}`);
});
console.log(`\n${chosen.length} planted bugs:`);
await each(chosen, async (copy, bug) => {
  const trial = await tryBug(copy, bug, bug.catcher);
  if (!trial.isCaught) faults++;
  console.log(line(bug, trial));
});
console.log(
  faults === 0 ? `\nAll ${chosen.length} were caught.` : `\n${faults} faults, see above.`,
);
process.exit(faults === 0 ? 0 : 1);

/** Runs `work` for all items, with one copy of the sources per job. */
async function each<Item>(items: readonly Item[], work: (copy: Copy, item: Item) => Promise<void>) {
  const queue = items.values();
  const worker = async (_: unknown, job: number) => {
    copies[job] ??= new Copy(root);
    for (const item of queue) await work(copies[job], item);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
}

function toName(catcher: Catcher): string {
  return typeof catcher === 'string' ? catcher : `${catcher.file}: ${catcher.test}`;
}

function line(bug: Bug, trial: Trial): string {
  const verdict = trial.isCaught ? 'caught' : 'MISSED';
  return `${verdict} | ${bug.name} | ${toName(bug.catcher)} | ${describeTrial(trial)}`;
}

function describeTrial({ message, commands, seed, seconds }: Trial): string {
  const place = commands === undefined ? '' : `${commands} commands, seed ${seed ?? '-'} | `;
  const firstLine = message.split('\n')[0]!.slice(0, 160);
  return `${place}${seconds.toFixed(1)} s | ${firstLine}`;
}
