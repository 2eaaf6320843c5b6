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

/** What tries a log that many nodes append to; it loads nearly everything else too, of which the tests beside it tell more. */
const OF_MANY_NODES = 'simulation/cluster/cluster.test.ts';
const IS_OF_MANY_NODES = /^src\/log\/(envelope|stream-\w+)\.ts$/;

/** All test files that can tell a mutant of one of these files; paths from the root. */
export function candidatesFor(root: string, files: readonly string[]): string[] {
  const folders = new Set(files.map((file) => dirname(file)));
  const beside = [...folders].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/*.test.ts`).scanSync(root),
  ]);
  return files.some((file) => IS_OF_MANY_NODES.test(file)) ? [...beside, OF_MANY_NODES] : beside;
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
  const isFor = (path: string) =>
    dirname(path) === dirname(file) || (path === OF_MANY_NODES && IS_OF_MANY_NODES.test(file));
  return tests
    .filter(({ path, loads }) => isFor(path) && loads.has(file))
    .sort((a, b) => rank(a.path) - rank(b.path) || a.cpuMs - b.cpuMs)
    .map(({ path }) => path);
}
