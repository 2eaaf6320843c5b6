import { availableParallelism } from 'node:os';
import { readArguments } from './arguments.ts';
import { Coverage } from './coverage.ts';
import type { FromLongWorker } from './long-worker.ts';
import { commandLine, failureText, progressLine, requireAll, summary } from './report.ts';
import { defaultCase, run } from './run.ts';
import { shrink } from './shrink.ts';

// npm run simulate:long -- --minutes M [--seed N] [--nodes N]: one process per core, until the time is up or a run
// fails. Without --nodes every other run is of a cluster.

const PROGRESS_EVERY_MS = 10_000;
/** A run that takes longer counts as hanging, and fails the simulation. */
const LIFE_LIMIT_MS = 10 * 60_000;

const { seed: firstSeed, nodes, minutes, without } = readArguments(process.argv.slice(2));
const cores = availableParallelism();
const coverage = new Coverage();
const began = performance.now();
const seconds = () => (performance.now() - began) / 1000;
let runs = 0;
let nextSeed = firstSeed;
let failedSeed: number | undefined;

console.log(`${cores} processes, ${minutes} minutes, seeds from ${firstSeed} on`);
const progress = setInterval(
  () => console.log(progressLine(coverage, runs, seconds())),
  PROGRESS_EVERY_MS,
);
await Promise.all(Array.from({ length: cores }, work));
clearInterval(progress);

console.log(progressLine(coverage, runs, seconds()));
console.log(summary(coverage));
console.log(`Seeds ${firstSeed} to ${nextSeed - 1}.`);
if (failedSeed !== undefined) {
  const result = await run({ ...selectCase(failedSeed), without });
  const shortest = await shrink(result, (each) => console.log(`  trying ${commandLine(each)}`));
  console.log(failureText(shortest));
  process.exit(1);
}
requireAll(coverage);
console.log('All runs passed.');

function selectCase(seed: number) {
  const chosen = defaultCase(seed);
  return { ...chosen, nodes: nodes ?? chosen.nodes };
}

/** Starts a process and sends it one seed after another. */
async function work(): Promise<void> {
  let timer: Timer | undefined;
  let seed = 0;
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/long-worker.ts`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc(message: FromLongWorker, subprocess) {
      if (message.kind === 'done') {
        runs++;
        coverage.add(Coverage.from(message.coverage));
      }
      if (message.kind === 'failed') {
        console.log(`Seed ${seed} fails: ${message.reason}`);
        failedSeed ??= seed;
      }
      clearTimeout(timer);
      if (failedSeed !== undefined || seconds() >= minutes * 60) {
        subprocess.disconnect();
        return;
      }
      seed = nextSeed++;
      subprocess.send({ ...selectCase(seed), without: [...without] });
      timer = setTimeout(() => {
        console.log(`FAILED: seed ${seed} hangs. ${commandLine({ ...selectCase(seed), without })}`);
        process.exit(1);
      }, LIFE_LIMIT_MS);
    },
  });
  if ((await child.exited) === 0) return;
  console.log(`FAILED: the process that ran seed ${seed} exited.`);
  process.exit(1);
}
