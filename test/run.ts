// Runs a suite of tests: that of `npm test`, or with an argument `system` or `long`. The last line counts the tests.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inherited } from './process/inherited.ts';

const root = join(import.meta.dir, '..');
const limitMs = 1_200_000;
/** Timeout of a test. Tests wait for events, so that it only limits hangs, also on a slow machine. */
const testLimitMs = 120_000;

/** The command of one process. */
interface Lane {
  readonly heading: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the command that runs the tests in folders and files, but for those that match a pattern. */
function tests(paths: readonly string[], ignored: readonly string[] = []): readonly string[] {
  const patterns = ignored.map((pattern) => `--path-ignore-patterns=${pattern}`);
  const own = paths.map((path) => `./${path}`);
  return [process.execPath, 'test', `--timeout=${testLimitMs}`, ...own, ...patterns];
}

/**
 * Like `tests`, for tests with sockets and several programs on a busy machine: one that fails is repeated once, and named
 * at the end as unstable if it passes then.
 */
function testsWithSockets(
  paths: readonly string[],
  ignored: readonly string[] = [],
): readonly string[] {
  return [...tests(paths, ignored), '--retry=1'];
}

const tsc = ['node', 'node_modules/typescript/bin/tsc', '-p'];
const biome = ['node', 'node_modules/@biomejs/biome/bin/biome'];
const systemFolders = ['web', 'process', 'cluster', 'python', 'ecosystem'];
const files = (folder: string, ...names: string[]) =>
  names.map((name) => `test/${folder}/${name}.test.ts`);
const sandboxTests = files('process', ...['sandbox', 'sandbox-clock', 'examples']);
const packageTests = files('process', ...['package', 'packages', 'test-exchange']);
const longProcessTests = files(
  'process',
  ...['living-sandbox', 'fork', 'scenarios', 'archive', 'missing-parts', 'reports', 'damage'],
  ...['bots-sandbox', 'test-your-bot', 'recorded-markets', 'failing-disk', 'full-disk', 'crowd'],
  ...['custody-events', 'start-exchange', 'injected-faults', 'reconnects', 'damaged-memory'],
  ...['history-damage', 'descriptors', 'restore', 'checkpoints', 'hmac-keys', 'keep-history'],
);
const longClusterTests = files(
  'cluster',
  ...['chaos', 'bench', 'rejections', 'trimming', 'outvoted', 'hmac-keys', 'node-backup'],
);
/** As long as all others in a browser. */
const pageTests = files('web', 'pages', 'phone', 'panels');
const longPageTests = files(
  'web',
  ...['custody', 'notifications', 'webhooks', 'accounts', 'charts', 'layouts', 'ladder'],
);
const pictureTests = files('web', 'screenshots');
const longTests = [
  ...['test/ccxt/own-tests.test.ts', 'test/whole-arguments.test.ts'],
  'test/planted/planted.test.ts',
];
const longSourceTests = ['src/engine/orders/triggers/trailing-lives.test.ts'];

/** The lanes of each suite, the longest first. */
const suites: Readonly<Record<string, readonly Lane[]>> = {
  test: [
    {
      heading: 'Tests next to the source',
      command: tests(['src', 'web', 'examples'], longSourceTests),
    },
    {
      heading: 'Tests of streams, clients, security and documents',
      command: testsWithSockets(
        ['test'],
        [...[...systemFolders, 'http', 'fuzz'].map((folder) => `test/${folder}/**`), ...longTests],
      ),
    },
    { heading: 'Tests of the API', command: testsWithSockets(['test/http']) },
    { heading: 'The simulator', command: tests(['simulation']) },
    { heading: 'Types', command: [...tsc, '.'] },
    { heading: 'Types of the pages', command: [...tsc, 'web'] },
    { heading: 'Lint and format', command: [...biome, 'ci', '.'] },
  ],
  system: [
    { heading: 'Tests of the whole pages in a browser', command: testsWithSockets(pageTests) },
    {
      heading: 'Tests in a browser',
      command: testsWithSockets(['test/web'], [...pageTests, ...longPageTests, ...pictureTests]),
    },
    {
      heading: 'Tests of processes',
      command: testsWithSockets(
        ['test/process'],
        [...sandboxTests, ...packageTests, ...longProcessTests],
      ),
    },
    { heading: 'Tests of clusters', command: testsWithSockets(['test/cluster'], longClusterTests) },
    { heading: 'Tests of the packages', command: testsWithSockets(packageTests) },
    { heading: 'Tests of the sandbox', command: testsWithSockets(sandboxTests) },
    { heading: 'Tests of the Python client', command: testsWithSockets(['test/python']) },
    { heading: 'Clients of Binance', command: testsWithSockets(['test/ecosystem']) },
  ],
  long: [
    { heading: 'Long tests of processes', command: testsWithSockets(longProcessTests) },
    { heading: 'Long tests in a browser', command: testsWithSockets(longPageTests) },
    {
      heading: 'Pictures of the pages in all sizes',
      command: testsWithSockets(pictureTests),
      env: { PICTURE_SIZES: 'all' },
    },
    { heading: 'Long tests of clusters', command: testsWithSockets(longClusterTests) },
    {
      heading: 'The suites of orders over sockets',
      command: testsWithSockets(['test/http/over-sockets.test.ts']),
      env: { SOCKET_SUITES: 'all' },
    },
    { heading: 'Long tests of other parts', command: testsWithSockets(longTests) },
    { heading: 'Long tests next to the source', command: tests(longSourceTests) },
    { heading: 'The fuzzer', command: testsWithSockets(['test/fuzz']) },
    {
      heading: 'Clients of Binance that take long',
      command: testsWithSockets(['test/ecosystem']),
      env: { ECOSYSTEM: 'long' },
    },
  ],
};

const suite = process.argv[2] ?? 'test';
const lanes = suites[suite];
if (lanes === undefined) throw new Error(`There is no suite ${suite}: ${Object.keys(suites)}`);

const running = new Set<Bun.Subprocess>();
setTimeout(() => {
  console.error(
    `\nA lane took over ${limitMs / 1000} s, or left a process behind: find the slow test`,
  );
  for (const child of running) child.kill();
}, limitMs).unref();

console.log(`Each of the ${lanes.length} lanes is shown when it ends.`);
const waiting = [...lanes];
const total = { passed: 0, failed: 0, skipped: 0 };
/** Shown last, where they are found. */
const failures: { readonly heading: string; readonly output: string }[] = [];
const unstable: string[] = [];
// One more than there are cores, because tests wait for servers, browsers and disks.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, runLanes));
for (const { heading, output } of failures) {
  console.log(`\n== Failed: ${heading}\n${failedTests(output)}`);
}
for (const test of unstable) console.log(`\nUnstable, passed when repeated: ${test}`);
const { passed, failed, skipped } = total;
const failedLanes = failures.map(({ heading }) => heading).join(', ');
console.log(failures.length > 0 ? `\nFailed: ${failedLanes}, see above.` : '\nAll is well.');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failures.length > 0 ? 1 : 0);

async function runLanes(): Promise<void> {
  for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) await run(lane);
}

/** Runs a lane, shows its output when it ends, and adds up its closing lines, such as ` 12 pass`. */
async function run({ heading, command, env = {} }: Lane): Promise<void> {
  const began = performance.now();
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...inherited(), FORCE_COLOR: process.stderr.isTTY ? '1' : '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const output = (await Promise.all(streams)).join('');
  const exitCode = await child.exited;
  running.delete(child);
  const closing = Bun.stripANSI(output).split('\n').slice(-12).join('\n');
  const count = (word: string) =>
    Number(closing.match(new RegExp(`^ (\\d+) ${word}$`, 'm'))?.[1] ?? 0);
  total.passed += count('pass');
  total.failed += count('fail');
  total.skipped += count('skip') + count('todo');
  const seconds = Math.round((performance.now() - began) / 1000);
  const isSound = exitCode === 0 && (command[1] !== 'test' || count('pass') > 0);
  console.log(`\n== ${heading} (${seconds} s)${isSound ? '' : ' failed, see also below'}`);
  process.stdout.write(output);
  if (!isSound) failures.push({ heading, output });
  for (const [, name] of Bun.stripANSI(output).matchAll(/\(pass\) (.*) \(attempt \d+\)/g))
    unstable.push(name!);
}

/** Returns what failed tests printed, without the lines of those that passed; all of it if none is named. */
function failedTests(output: string): string {
  const lines = output.split('\n');
  const isResult = (line: string) => /^\((pass|skip|todo|fail)\)/.test(Bun.stripANSI(line));
  const failed: string[] = [];
  let printed: string[] = [];
  for (const line of lines) {
    printed.push(line);
    if (!isResult(line)) continue;
    if (Bun.stripANSI(line).startsWith('(fail)')) failed.push(...printed);
    printed = [];
  }
  return failed.length === 0 ? output : [...failed, ...printed].join('\n');
}
