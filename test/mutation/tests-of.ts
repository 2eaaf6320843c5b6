import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** Returns all files that a file loads, including itself, as paths from the root. */
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

/** The test of the clustered log. It loads nearly everything else too, but adjacent tests cover that better. */
const CLUSTER_TEST = 'simulation/cluster/cluster.test.ts';
const CLUSTERED_LOG = /^src\/cluster\/log\/(envelope|stream-\w+)\.ts$/;

/** Compares the engine with the reference, and so covers all of its folders. */
const REFERENCE_TEST = 'src/engine/exchange.test.ts';

/** Returns tests of other folders that cover a file. */
function distantTests(file: string): string[] {
  if (CLUSTERED_LOG.test(file)) return [CLUSTER_TEST];
  return file.startsWith('src/engine/') ? [REFERENCE_TEST] : [];
}

/** Returns all test files that can detect a mutant of one of these files, as paths from the root. */
export function candidatesFor(root: string, files: readonly string[]): string[] {
  const folders = new Set(files.map((file) => dirname(file)));
  const adjacent = [...folders].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/*.test.ts`).scanSync(root),
  ]);
  return [...new Set([...adjacent, ...files.flatMap(distantTests)])];
}

/**
 * Returns the tests that can detect a mutant of `file`, most likely first: its own test, then the
 * comparison with the reference, then the fastest.
 */
export function testsOf(
  file: string,
  tests: readonly {
    readonly path: string;
    readonly loads: ReadonlySet<string>;
    readonly cpuMs: number;
  }[],
): string[] {
  const own = file.replace(/\.ts$/, '.test.ts');
  const rank = (path: string) => (path === own ? 0 : path === REFERENCE_TEST ? 1 : 2);
  const distant = distantTests(file);
  return tests
    .filter(({ path }) => dirname(path) === dirname(file) || distant.includes(path))
    .filter(({ loads }) => loads.has(file))
    .sort((a, b) => rank(a.path) - rank(b.path) || a.cpuMs - b.cpuMs)
    .map(({ path }) => path);
}
