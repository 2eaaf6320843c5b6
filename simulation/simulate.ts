import { Progress } from '../src/monitoring/progress.ts';
import { readArguments } from './arguments.ts';
import { Coverage } from './coverage.ts';
import { commandLine, failureText, progressLine, requireAll, summary } from './report.ts';
import { run, splitCase } from './run.ts';
import { shrink } from './shrink.ts';

// npm run simulate -- --seed N --commands N [--nodes N] [--without kind,kind]

const options = readArguments(process.argv.slice(2));
const coverage = new Coverage();
const began = performance.now();
const seconds = () => (performance.now() - began) / 1000;
const hasher = new Bun.SHA256();
const progress = new Progress();
let runs = 0;
let commands = 0;
progress.begin('simulating', { done: () => commands, total: options.commands, unit: 'commands' });

for (const one of splitCase({ ...options, nodes: options.nodes ?? 1 })) {
  const result = await run(one);
  if (result.failure !== undefined) {
    progress.end();
    console.log(`\nSeed ${one.seed} fails: ${result.failure.message.split('\n')[0]}`);
    const shortest = await shrink(result, (each) => console.log(`  trying ${commandLine(each)}`));
    console.log(failureText(shortest));
    process.exit(1);
  }
  coverage.add(result.coverage);
  hasher.update(result.traceHash);
  runs++;
  commands += one.commands;
  progress.tick();
}
progress.end();
console.log(progressLine(coverage, runs, seconds()));
console.log(summary(coverage));
requireAll(coverage);
console.log(`All runs passed. Seed ${options.seed}, trace ${hasher.digest('hex').slice(0, 16)}.`);
