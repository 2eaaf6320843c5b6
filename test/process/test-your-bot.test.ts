import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from './exchange-process.ts';
import { installPackage } from './packed.ts';

/** The programs of docs/bots/test-your-bot.md run as pasted, with the packed package on plain Node. */

setDefaultTimeout(120_000);

const GUIDE = readFileSync(join(import.meta.dir, '../../docs/bots/test-your-bot.md'), 'utf8');
/** The files of the guide: name → text. */
const files = new Map(
  [...GUIDE.matchAll(/File: `([^`]+)`\.\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [
    name!,
    text!,
  ]),
);
const commands = [...GUIDE.matchAll(/^node --test .+$/gm)].map(([command]) => command);
const directory = temporaryDirectory();

beforeAll(async () => {
  await installPackage(directory.path);
  for (const [name, text] of files) {
    const path = join(directory.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});
afterAll(directory.remove);

test('the guide has files and commands', () => {
  expect(files.size).toBeGreaterThan(5);
  expect(commands.length).toBeGreaterThan(2);
});

test.each(commands)('%s', async (command) => {
  const child = Bun.spawn(['bash', '-c', command], {
    cwd: directory.path,
    env: { ...process.env, XDG_CACHE_HOME: join(directory.path, 'cache') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await child.stdout.text();
  expect({ output, exitCode: await child.exited }).toMatchObject({ exitCode: 0 });
  expect(output).toMatch(/^. pass [1-9]/m);
});
