// What `npm test` runs, in order; the first failure ends it. The last line counts the tests.
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const limitMs = 600_000;
/** A test waits for events, not for time: how long one may take only bounds a hang, on a slow machine too. */
const testLimitMs = 60_000;
const arrows = './test/architecture.test.ts';

let running: Bun.Subprocess | undefined;
setTimeout(() => {
  console.error(
    `\nnpm test took over ${limitMs / 1000} s, or left a process behind: find the slow test`,
  );
  running?.kill();
  process.exit(1);
}, limitMs).unref();

const total = { passed: 0, failed: 0, skipped: 0 };

await step('Types', 'node', 'node_modules/typescript/bin/tsc', '-p', '.');
await step('Types of the pages', 'node', 'node_modules/typescript/bin/tsc', '-p', 'web');
await step('Lint and format', 'node', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.');
await tests('Import arrows', arrows);
await tests('Tests', './src', './test', `--path-ignore-patterns=${arrows.slice(2)}`);
finish();

async function step(heading: string, ...command: string[]): Promise<void> {
  console.log(`\n== ${heading}`);
  const child = Bun.spawn(command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  running = child;
  if ((await child.exited) !== 0) finish(heading);
}

/** Runs `bun test` and adds up what its closing lines say, such as ` 12 pass`. */
async function tests(heading: string, ...args: string[]): Promise<void> {
  console.log(`\n== ${heading}`);
  const child = Bun.spawn([process.execPath, 'test', `--timeout=${testLimitMs}`, ...args], {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: process.stderr.isTTY ? '1' : '0' },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  running = child;
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of child.stderr) {
    await Bun.write(Bun.stderr, bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  const closing = Bun.stripANSI(text).split('\n').slice(-12).join('\n');
  const count = (word: string) =>
    Number(closing.match(new RegExp(`^ (\\d+) ${word}$`, 'm'))?.[1] ?? 0);
  const passed = count('pass');
  total.passed += passed;
  total.failed += count('fail');
  total.skipped += count('skip') + count('todo');
  if ((await child.exited) !== 0 || passed === 0) finish(heading);
}

function finish(failedStep?: string): never {
  const { passed, failed, skipped } = total;
  console.log(failedStep ? `\nFailed: ${failedStep}, see above.` : '\nAll is well.');
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(failedStep ? 1 : 0);
}
