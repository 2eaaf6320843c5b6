/**
 * npm run test:runners
 *
 * Runs the tests of docs/bots/test-your-bot.md for Vitest and Jest with the packed package, in a new project with the
 * newest versions of both. Prints their output; fails with the first that fails.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const project = mkdtempSync(join(tmpdir(), 'buttonwood-runners-'));

try {
  await run(ROOT, 'npm', 'pack', '--pack-destination', project);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  await run(
    project,
    'bash',
    '-c',
    'npm install --no-audit --no-fund ./buttonwood-*.tgz vitest jest',
  );
  const guide = readFileSync(join(ROOT, 'docs/bots/test-your-bot.md'), 'utf8');
  for (const [, name, text] of guide.matchAll(/File: `([^`]+)`\.\n\n```\w+\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(join(project, name!)), { recursive: true });
    writeFileSync(join(project, name!), text!);
  }
  for (const pool of ['forks', 'threads']) {
    await run(project, 'npx', 'vitest', 'run', '--dir', 'vitest', '--pool', pool);
  }
  await run(project, 'npx', 'jest', '--rootDir', 'jest');
} finally {
  rmSync(project, { recursive: true, force: true });
}

async function run(cwd: string, ...command: string[]): Promise<void> {
  console.log(`\n== ${command.join(' ')}`);
  const child = Bun.spawn(command, {
    cwd,
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules',
      XDG_CACHE_HOME: join(project, 'cache'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if ((await child.exited) !== 0) process.exit(1);
}
