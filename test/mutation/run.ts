// Mutation testing: changes the sources in one small place at a time and checks that a test fails.
// npm run test:mutation -- [--files GLOB] [--sample N --seed S] [--jobs J] [--runs F] [--again]
// --runs: fraction of each property's runs. --again: only the mutants that survived the last time.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { candidatesFor, findTests, loadedBy } from './find-tests.ts';
import { listMutants, type Mutant } from './mutants.ts';
import { parse } from './parse.ts';
import { explained, lineNumber, toChange, written } from './survivors.ts';
import { type Verdict, Workspace } from './workspace.ts';

interface Candidate {
  readonly file: string;
  readonly text: string;
  readonly mutant: Mutant;
}

interface Result {
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly verdict: Verdict;
  readonly cpuMs: number;
}

/** Only test/cluster/jetstream-log.test.ts covers it. That needs nats-server, and takes seconds per mutant. */
const NEEDS_SERVERS = 'src/cluster/log/jetstream.ts';
const root = join(import.meta.dir, '../..');
const lastRun = join(import.meta.dir, 'last-run.log');
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: 'src/{engine,log}/**/*.ts' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    runs: { type: 'string', default: '0.03' },
    again: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const parts = ['src', 'test', 'simulation', 'package.json', 'tsconfig.json'];
const workspaces: Workspace[] = [];
const results: Result[] = [];
// A run that is stopped early reports its results so far, which are a random sample.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end());
process.on('exit', () => workspaces.map((workspace) => workspace.remove()));

const all = await candidates();
const chosen = values.again ? survivorsAmong(all) : takeSample(all);
console.log(`${chosen.length} of ${all.length} mutants, seed ${values.seed}, runs ${runs}`);
const tests = await baseline();
writeFileSync(lastRun, '');
const queue = chosen.values();
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
end();

function end(): never {
  process.exit(report() ? 0 : 1);
}

async function candidates(): Promise<Candidate[]> {
  const isMutated = (path: string) =>
    !path.endsWith('.test.ts') && !/\/test-[^/]*$/.test(path) && path !== NEEDS_SERVERS;
  const files = [...new Bun.Glob(values.files).scanSync(root)].filter(isMutated).sort();
  const trees = await parse(files.map((file) => join(root, file)));
  return trees.flatMap((tree, at) =>
    listMutants(tree).map((mutant) => ({ file: files[at]!, text: tree.text, mutant })),
  );
}

function takeSample(from: readonly Candidate[]): Candidate[] {
  const rest = [...from];
  const random = seededRandom(Number(values.seed));
  const size = Math.min(Number(values.sample ?? rest.length), rest.length);
  return Array.from({ length: size }, () => rest.splice(below(rest.length, random), 1)[0]!);
}

function survivorsAmong(from: readonly Candidate[]): Candidate[] {
  const lines = existsSync(lastRun) ? readFileSync(lastRun, 'utf8').split('\n').slice(0, -1) : [];
  const before = lines.map((line) => JSON.parse(line) as Result);
  const survived = new Set(before.flatMap((it) => (it.verdict === 'survived' ? it.change : [])));
  return from.filter((it) => survived.has(written(toChange(it.file, it.text, it.mutant))));
}

/** Runs every test file that loads a mutated file, without a mutant. @throws Error if one fails */
async function baseline() {
  const files = chosen.map(({ file }) => file);
  const workspace = openWorkspace();
  const measured = [];
  for (const path of candidatesFor(root, files)) {
    const loads = loadedBy(root, path);
    if (!files.some((file) => loads.has(file))) continue;
    const { verdict, cpuMs, output } = await workspace.run([path], runs, 600);
    if (verdict !== 'survived') throw new Error(`${path} fails without any mutant:\n${output}`);
    measured.push({ path, loads, cpuMs });
  }
  return measured;
}

async function work(): Promise<void> {
  const workspace = openWorkspace();
  for (const { file, text, mutant } of queue) {
    const order = findTests(file, tests);
    const usualMs = tests.reduce(
      (sum, test) => sum + (order.includes(test.path) ? test.cpuMs : 0),
      0,
    );
    workspace.write(file, text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end));
    // A mutant that no test loads survives.
    const { verdict, cpuMs } =
      order.length > 0
        ? await workspace.run(order, runs, 2 + usualMs / 1000)
        : { verdict: 'survived' as const, cpuMs: 0 };
    workspace.write(file, text);
    const change = written(toChange(file, text, mutant));
    const result = { file, line: lineNumber(text, mutant), change, verdict, cpuMs };
    results.push(result);
    appendFileSync(lastRun, `${JSON.stringify(result)}\n`);
    if (results.length % 50 === 0) console.log(summary('so far', results));
  }
}

function openWorkspace(): Workspace {
  const workspace = new Workspace(root, parts);
  workspaces.push(workspace);
  return workspace;
}

/** Whether every survivor is explained. */
function report(): boolean {
  const reasons = explained(readFileSync(join(import.meta.dir, 'survivors.md'), 'utf8'));
  const survivors = results.filter(({ verdict }) => verdict === 'survived');
  const unexplained = survivors.filter(
    ({ change, file }) => !reasons.has(change) && !reasons.has(`- ${file}: any`),
  );
  for (const file of [...new Set(results.map((it) => it.file))].sort()) {
    console.log(
      summary(
        file,
        results.filter((it) => it.file === file),
      ),
    );
  }
  console.log(summary('all', results));
  console.log(`${survivors.length - unexplained.length} survivors are explained in survivors.md`);
  if (unexplained.length > 0) console.log(`${unexplained.length} are not (with their line now):`);
  unexplained.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  for (const { line, change } of unexplained) console.log(`${change} (${line})`);
  return unexplained.length === 0;
}

function summary(heading: string, of: readonly Result[]): string {
  const count = (verdict: Verdict) => of.filter((it) => it.verdict === verdict).length;
  const score = (100 * (1 - count('survived') / of.length)).toFixed(1);
  return `${heading}: ${of.length} mutants, ${count('killed')} killed, ${count('timeout')} timed out, ${count('survived')} survived: ${score} %`;
}
