import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** Returns the files that `path` imports, directly or not, and `path` itself; paths from the root. */
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

/** Returns the folder whose tests belong to a file: one or two levels below src, with its subfolders. */
const toFolder = (path: string) => dirname(path).split('/').slice(0, 3).join('/');

/** Tests outside the folder of a file that catch its mutants best; other tests that load it rarely catch more. */
const SHARED_TESTS = [
  { path: 'src/engine/exchange.test.ts', files: /^src\/engine\// },
  { path: 'src/history/history.test.ts', files: /^src\/history\// },
  {
    path: 'simulation/cluster/cluster.test.ts',
    files: /^src\/cluster\/log\/(envelope|stream-\w+)\.ts$/,
  },
];

/** Returns the test files that may catch a mutant of one of these files; paths from the root. */
export function candidatesFor(root: string, files: readonly string[]): string[] {
  const folders = new Set(files.map(toFolder));
  const nearby = [...folders].flatMap((folder) =>
    [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync(root)].filter(
      (path) => toFolder(path) === folder,
    ),
  );
  return [...new Set([...nearby, ...files.flatMap(findSharedTests)])];
}

function findSharedTests(file: string): string[] {
  return SHARED_TESTS.filter(({ files }) => files.test(file)).map(({ path }) => path);
}

/**
 * Returns the tests that may catch a mutant of `file`, in the order in which they run: the test of the same name,
 * the comparison with the reference, then the others from the cheapest on.
 */
export function findTests(
  file: string,
  tests: readonly {
    readonly path: string;
    readonly loads: ReadonlySet<string>;
    readonly cpuMs: number;
  }[],
): string[] {
  const ownTest = file.replace(/\.ts$/, '.test.ts');
  const reference = 'src/engine/exchange.test.ts';
  const rank = (path: string) => (path === ownTest ? 0 : path === reference ? 1 : 2);
  const shared = findSharedTests(file);
  const isFor = (path: string) => toFolder(path) === toFolder(file) || shared.includes(path);
  return tests
    .filter(({ path, loads }) => isFor(path) && loads.has(file))
    .sort((a, b) => rank(a.path) - rank(b.path) || a.cpuMs - b.cpuMs)
    .map(({ path }) => path);
}
