import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** All files that these load, themselves among them; paths from the root. */
export function loadedBy(root: string, path: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(path) || !existsSync(join(root, path))) return loaded;
  loaded.add(path);
  for (const { path: specifier } of transpiler.scanImports(
    readFileSync(join(root, path), 'utf8'),
  )) {
    if (specifier.startsWith('.')) loadedBy(root, join(dirname(path), specifier), loaded);
  }
  return loaded;
}

/**
 * The tests that can tell a mutant of `file`, those first that most likely do: the one beside it, then
 * the comparison with the reference, then the cheapest.
 */
export function testsOf(
  file: string,
  tests: readonly {
    readonly path: string;
    readonly loads: ReadonlySet<string>;
    readonly cpuMs: number;
  }[],
): string[] {
  const beside = file.replace(/\.ts$/, '.test.ts');
  const reference = 'src/engine/exchange.test.ts';
  const rank = (path: string) => (path === beside ? 0 : path === reference ? 1 : 2);
  return tests
    .filter(({ path, loads }) => dirname(path) === dirname(file) && loads.has(file))
    .sort((a, b) => rank(a.path) - rank(b.path) || a.cpuMs - b.cpuMs)
    .map(({ path }) => path);
}
