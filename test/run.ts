// Runs the tests of `npm test` in order until the first failure. The last line counts the tests.
import { join } from 'node:path';
import { inherited } from './process/inherited.ts';

const root = join(import.meta.dir, '..');
const limitMs = 1_500_000;
/** Timeout of a test. Tests wait for events, so that it only limits hangs, also on a slow machine. */
const testLimitMs = 60_000;
const arrows = './test/architecture.test.ts';

/** All lanes run in parallel, so that no core is idle while one waits. The longest starts first. */
const lanes = [
  {
    heading: 'Tests of processes',
    paths: ['./test/process', './test/security'],
    ignored: ['test/process/*sandbox.test.ts'],
  },
  { heading: 'Cluster tests', paths: ['./test/cluster'] },
  {
    heading: 'Tests',
    paths: ['./src', './test'],
    ignored: [
      ...['web', 'process', 'cluster', 'security', 'python', 'ecosystem'].map(
        (folder) => `test/${folder}/**`,
      ),
      arrows.slice(2),
    ],
  },
  {
    heading: 'Tests in a browser, and of the sandbox',
    paths: ['web', 'process/sandbox.test.ts', 'process/living-sandbox.test.ts'].map(
      (path) => `./test/${path}`,
    ),
  },
  {
    heading: 'A minute of the simulator',
    // The last one uses the rest of the minute.
    paths: ['simulation.test.ts', 'cluster', 'minute.test.ts'].map(
      (path) => `./simulation/${path}`,
    ),
  },
];

/** Lanes with servers and clients that wait for each other, which run when the others no longer share the cores. */
const lastLanes = [
  { heading: 'Tests of the Python client', paths: ['./test/python'] },
  { heading: 'Clients of Binance', paths: ['./test/ecosystem'] },
  { heading: 'Bots of the examples', paths: ['./test/process/bots-sandbox.test.ts'] },
];

const running = new Set<Bun.Subprocess>();
setTimeout(() => {
  console.error(
    `\nnpm test took over ${limitMs / 1000} s, or left a process behind: find the slow test`,
  );
  finish('a hang');
}, limitMs).unref();

const total = { passed: 0, failed: 0, skipped: 0 };

const begun = lanes.map(begin);
await step('Types', 'node', 'node_modules/typescript/bin/tsc', '-p', '.');
await step('Types of the pages', 'node', 'node_modules/typescript/bin/tsc', '-p', 'web');
await step('Lint and format', 'node', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.');
await finished(begin({ heading: 'Import arrows', paths: [arrows] }));
for (const lane of begun) await finished(lane);
for (const lane of lastLanes.map(begin)) await finished(lane);
finish();

async function step(heading: string, ...command: string[]): Promise<void> {
  console.log(`\n== ${heading}`);
  const child = Bun.spawn(command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  running.add(child);
  if ((await child.exited) !== 0) finish(heading);
}

interface Lane {
  readonly heading: string;
  readonly paths: readonly string[];
  readonly ignored?: readonly string[];
}

interface BegunLane {
  readonly heading: string;
  readonly child: Bun.Subprocess<'ignore', 'inherit', 'pipe'>;
  /** Its output so far. */
  readonly output: { text: string; isShown: boolean };
  readonly gathered: Promise<void>;
}

/** Starts `bun test`, and keeps its output until the lane is shown. */
function begin({ heading, paths, ignored = [] }: Lane): BegunLane {
  const patterns = ignored.map((pattern) => `--path-ignore-patterns=${pattern}`);
  const args = ['test', `--timeout=${testLimitMs}`, ...paths, ...patterns];
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...inherited(), FORCE_COLOR: process.stderr.isTTY ? '1' : '0' },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  running.add(child);
  const output = { text: '', isShown: false };
  const gather = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of child.stderr) {
      const text = decoder.decode(bytes, { stream: true });
      output.text += text;
      if (output.isShown) process.stderr.write(text);
    }
  };
  return { heading, child, output, gathered: gather() };
}

/** Shows the output of a lane until its end, and adds up its closing lines, such as ` 12 pass`. */
async function finished({ heading, child, output, gathered }: BegunLane): Promise<void> {
  console.log(`\n== ${heading}`);
  process.stderr.write(output.text);
  output.isShown = true;
  await gathered;
  const closing = Bun.stripANSI(output.text).split('\n').slice(-12).join('\n');
  const count = (word: string) =>
    Number(closing.match(new RegExp(`^ (\\d+) ${word}$`, 'm'))?.[1] ?? 0);
  const passed = count('pass');
  total.passed += passed;
  total.failed += count('fail');
  total.skipped += count('skip') + count('todo');
  if ((await child.exited) !== 0 || passed === 0) finish(heading);
}

function finish(failedStep?: string): never {
  for (const child of running) child.kill();
  const { passed, failed, skipped } = total;
  console.log(failedStep ? `\nFailed: ${failedStep}, see above.` : '\nAll is well.');
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(failedStep ? 1 : 0);
}
