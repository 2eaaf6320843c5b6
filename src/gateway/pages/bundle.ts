import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canOpen } from '../../storage/spare-descriptors.ts';

/** A file that pages load, by a name that changes with its content. */
export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** The files of one entry. */
export interface Entry {
  readonly script: string;
  /** None where the entry imports no style sheet. */
  readonly style: string | undefined;
}

export interface Bundle {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly entries: ReadonlyMap<string, Entry>;
}

const WEB = new URL('../../../web/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Far more than a bundle needs. A package that is looked for while connections have taken all descriptors is
 * missing for Bun from then on.
 */
const ROOM = 64;

/**
 * Makes one script and one style sheet of each entry of web/.
 * @param paths Under web/, such as `pages/trade.tsx`.
 * @throws AggregateError where the sources have faults; Error where too few descriptors are left
 */
export async function bundle(paths: readonly string[]): Promise<Bundle> {
  if (!canOpen(ROOM)) throw new Error('Too few file descriptors are left to make the pages.');
  const assets = new Map<string, Asset>();
  const entries = new Map<string, Entry>();
  // Each on its own: of several entries with the same style sheet Bun would give it to one alone.
  for (const files of await Promise.all(paths.map(build))) {
    for (const file of files) assets.set(file.name, file);
    const nameOf = (type: string) => files.find((file) => file.type === type)?.name;
    const script = nameOf(TYPES['.js']!)!;
    entries.set(script.slice(0, script.lastIndexOf('-')), {
      script,
      style: nameOf(TYPES['.css']!),
    });
  }
  return { assets, entries };
}

/**
 * Starts the bundler's thread, with nothing to do. Bun ends the process where that thread begins while
 * connections have taken all descriptors: it is to begin before there are any.
 */
export async function startBundler(): Promise<void> {
  await Bun.build({ entrypoints: ['/nothing.js'], files: { '/nothing.js': '' } });
}

async function build(path: string): Promise<Asset[]> {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL(path, WEB))],
    target: 'browser',
    format: 'esm',
    minify: true,
    naming: '[name]-[hash].[ext]',
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  });
  const files = outputs.map(async (output) => {
    const name = basename(output.path);
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`web/ makes ${name}: give its type in bundle.ts`);
    return { name, type, content: new Uint8Array(await output.arrayBuffer()) };
  });
  return Promise.all(files);
}
