import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candidatesFor, findTests, loadedBy } from './find-tests.ts';
import { listMutants } from './mutants.ts';
import { parse } from './parse.ts';
import { lineNumber, toChange, written } from './survivors.ts';
import { Workspace } from './workspace.ts';

const root = join(import.meta.dir, '../..');
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-mutation-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the mutants of a text as `before → after`. */
async function changes(text: string): Promise<string[]> {
  const path = join(directory, 'code.ts');
  writeFileSync(path, text);
  const [tree] = await parse([path]);
  return listMutants(tree!).map((it) => `${text.slice(it.start, it.end)} → ${it.text}`);
}

describe('mutants', () => {
  test.each([
    ['x = a < b;', ['x = a < b; → ;', '< → <=', '< → >=']],
    ['const x = a?.b ?? 0n;', ['a?.b ?? 0n → a?.b', 'a?.b ?? 0n → 0n', '?. → .', '0n → 1n']],
    ['if (!a && b) f();', ['!a && b → true', '!a && b → false', '&& → ||', '!a → a']],
    ['while (a) { if (b) break; c--; }', ['a → false', 'b → true', 'b → false']],
    ['while (a) { f(); continue; }', ['f(); → ;', 'continue; → ;', 'continue; → break;']],
    ['function f(): number { return a + 1_000; }', ['a + 1_000 → 0', '+ → -', '1_000 → 1001']],
    ['function f(): boolean { return a; }', ['a → !(a)']],
    ['function f(): X | undefined { return a; }', ['a → undefined']],
    ['const a = [x, true];', ['[x, true] → []', 'true → false']],
    ['const a = Math.min(i++, -j);', ['min → max', 'i++ → i--', '-j → j']],
    ['const a = await b.sort();', ['await b.sort() → b.sort()', 'b.sort() → b']],
  ])('of %p', async (text, expected) => {
    expect(await changes(text)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    '// a < 1\nimport a from "b";\nexport type A = 1 | 2;\ninterface B { c: 3 }',
    'let a: 1 | 2n;\nconst b = "c < 1";',
  ])('none of %p', async (text) => {
    expect(await changes(text)).toEqual([]);
  });

  test('none in error messages', async () => {
    expect(await changes('invariant(a, "b" + 1);')).toEqual(['invariant(a, "b" + 1); → ;']);
    const guard = await changes('if (a) throw new RangeError("b" + 1);');
    expect(guard).toEqual(['a → true', 'a → false']);
  });
});

test('a mutant is killed, times out or survives', async () => {
  const file = 'src/engine/book/levels.ts';
  const [tree] = await parse([join(root, file)]);
  const { text } = tree!;
  const workspace = new Workspace(root, ['src/engine']);
  const judge = async (change: string) => {
    const mutant = listMutants(tree!).find((it) =>
      written(toChange(file, text, it)).endsWith(change),
    )!;
    workspace.write(file, text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end));
    return (await workspace.run(['src/engine/book/levels.test.ts'], 1, 5)).verdict;
  };
  try {
    expect(await judge('→ ``if (low >= quantity) numbers[at] = low + quantity;``')).toBe('killed');
    // An initial capacity of 17 levels behaves like one of 16.
    expect(await judge('→ ``const INITIAL_CAPACITY = 17;``')).toBe('survived');
    workspace.write(file, `for (;;);\n${text}`);
    expect((await workspace.run(['src/engine/book/levels.test.ts'], 1, 1)).verdict).toBe('timeout');
  } finally {
    workspace.remove();
  }
});

test('a mutant is run against the tests that load its file, the test of the same name first', () => {
  const names = [
    'orders/endings/deadlines',
    'exchange',
    'book/ladder',
    'orders/matching/trading',
    'orders/contingent/oco',
  ];
  const tests = names.map((name, at) => {
    const path = `src/engine/${name}.test.ts`;
    return { path, loads: loadedBy(root, path), cpuMs: 10 - at };
  });
  const file = 'src/engine/orders/endings/deadlines.ts';
  expect(findTests(file, tests)).toEqual(
    [
      'orders/endings/deadlines',
      'exchange',
      'orders/contingent/oco',
      'orders/matching/trading',
    ].map((name) => `src/engine/${name}.test.ts`),
  );
  expect(candidatesFor(root, [file])).toContain('src/engine/exchange.test.ts');
  expect(findTests('src/log/frame.ts', tests)).toEqual([]);
});

test('only the clustered log is run against the cluster simulator too', () => {
  const path = 'simulation/cluster/cluster.test.ts';
  const tests = [{ path, loads: loadedBy(root, path), cpuMs: 1 }];
  expect(findTests('src/cluster/log/stream-log.ts', tests)).toEqual([path]);
  expect(findTests('src/log/codec.ts', tests)).toEqual([]);
  expect(candidatesFor(root, ['src/log/codec.ts'])).not.toContain(path);
  expect(candidatesFor(root, ['src/cluster/log/envelope.ts'])).toContain(path);
});

test('a survivor is named by its lines, before and after', () => {
  const text = 'a;\n  if (x &&\n      y)\n    z();\n';
  const mutant = { start: text.indexOf('x'), end: text.indexOf(')'), text: 'true' };
  const change = toChange('src/a.ts', text, mutant);
  expect(written(change)).toBe('- src/a.ts: ``if (x && y)`` → ``if (true)``');
  expect(lineNumber(text, mutant)).toBe(2);
});
