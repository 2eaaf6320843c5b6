import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bug, plant } from './bug.ts';
import { bugs } from './bugs.ts';
import { tryBug } from './catch.ts';
import { Copy } from './copy.ts';
import { titlesIn } from './titles.ts';
import { isFinding } from './verdict.ts';

// `npm run test:planted` tries all bugs; these tests check the harness.

const root = join(import.meta.dir, '../..');
const copy = new Copy(root);
afterAll(() => copy.remove());

test('every planted bug still has its place in the sources', () => {
  const sources = new Map(bugs.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
  for (const bug of bugs) {
    const source = sources.get(bug.file)!;
    expect(plant(bug, source)).not.toBe(source);
  }
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
});

test('every planted bug parses, and changes more than types and comments', () => {
  const idle = bugs.filter((bug) => {
    const source = readFileSync(join(root, bug.file), 'utf8');
    const planted = compile(bug.file, plant(bug, source));
    return planted === undefined || planted === compile(bug.file, source);
  });
  expect(idle.map(({ name }) => name)).toEqual([]);
});

/** Returns a file as JavaScript without types and comments, undefined if it does not parse. */
function compile(file: string, text: string): string | undefined {
  const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
  try {
    return new Bun.Transpiler({ loader }).transformSync(text);
  } catch {
    return undefined;
  }
}

test('every test that must catch a planted bug exists', () => {
  const catchers = bugs.flatMap(({ catcher }) => (typeof catcher === 'string' ? [] : [catcher]));
  const titles = titlesIn(root, [...new Set(catchers.map(({ file }) => file))]);
  const missing = catchers.filter(
    ({ file, test }) => !titles.get(file)?.some((title) => title.includes(test)),
  );
  expect(missing).toEqual([]);
});

test.each([
  'a deposit comes from nowhere',
  'an answer is given before the command is durable',
  'only the first command of a batch is reported to the streams',
  'a batch delivered twice is applied twice',
])('caught: %s', async (name) => {
  const bug = bugs.find((each) => each.name === name)!;
  const { isCaught, message } = await tryBug(copy, bug, bug.catcher);
  expect([isCaught, message]).toEqual([true, expect.stringContaining('SimulationFailure')]);
});

const catcher = { file: 'src/engine/book/levels.test.ts', test: '' };
const harmless: Bug = {
  name: 'no bug at all',
  file: 'src/engine/book/levels.ts',
  text: 'const INITIAL_CAPACITY = 16;',
  becomes: 'const INITIAL_CAPACITY = 17;',
  catcher,
};

test.each([
  ['a change without effect', harmless.becomes, 'noticed nothing'],
  ['a syntax error', 'const INITIAL_CAPACITY = ;', 'error'],
  ['a bug that only breaks the program', 'const INITIAL_CAPACITY = undefined!.size;', 'TypeError'],
])('not caught: %s', async (_, becomes, message) => {
  const trial = await tryBug(copy, { ...harmless, becomes }, catcher);
  expect([trial.isCaught, trial.message]).toEqual([false, expect.stringContaining(message)]);
});

test('a finding is a deliberate error', () => {
  expect(isFinding(new Error('the book is crossed'))).toBe(true);
  expect(isFinding(new Error('it breaks', { cause: new TypeError('x is undefined') }))).toBe(false);
  expect(isFinding(undefined)).toBe(false);
});

test('the text that a bug replaces occurs once', () => {
  expect(() => plant(harmless, `${harmless.text}\n${harmless.text}`)).toThrow(
    'must be updated: its text occurs 2 times',
  );
  expect(() => plant(harmless, '')).toThrow('occurs 0 times');
});
