import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Program: bundles the server into a few files of a directory, because loading hundreds of sources takes most of the
 * time of a start. Bun runs it with the directory as its argument; `main.js` is the server's program.
 */

const SRC = join(import.meta.dir, '..');
const THREAD = /new Worker\(new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g;

/** Returns the programs of the threads that sources start. */
async function findThreads(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of new Bun.Glob('**/*.ts').scan(SRC)) {
    const text = await Bun.file(join(SRC, path)).text();
    for (const [, name] of text.matchAll(THREAD))
      found.push(join(SRC, dirname(path), `${name}.ts`));
  }
  return found;
}

/** Returns a source that finds other files where it finds them unbundled, except threads, which are bundled too. */
function locate(text: string, path: string): string {
  const resolve = (_: string, specifier: string) =>
    JSON.stringify(pathToFileURL(Bun.resolveSync(specifier, dirname(path))).href);
  return text
    .replace(THREAD, "new Worker(new URL('./$1.js', import.meta['url'])")
    .replace(/import\.meta\.resolve\('([^']+)'\)/g, resolve)
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
}

await Bun.build({
  entrypoints: [join(SRC, 'main.ts'), ...(await findThreads())],
  outdir: process.argv[2]!,
  target: 'bun',
  splitting: true,
  // Names stay readable in stack traces.
  minify: { whitespace: true, syntax: true },
  // All in one directory, where threads are looked up.
  naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
  plugins: [
    {
      name: 'locations of other files',
      setup(build) {
        build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
          contents: path.startsWith(SRC)
            ? locate(await Bun.file(path).text(), path)
            : await Bun.file(path).text(),
          loader: 'ts',
        }));
      },
    },
  ],
});
