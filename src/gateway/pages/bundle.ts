import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canOpen } from '../../storage/reserved-descriptors.ts';

/** A file that pages load; its name has a hash of its content. */
export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** The files of an entry point. */
export interface Entry {
  readonly script: string;
  /** Undefined if the entry imports no style sheet. */
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
  '.woff2': 'font/woff2',
};

/**
 * Minimum free file descriptors for bundling; far more than it needs. If Bun looks up a package while connections use
 * all descriptors, it treats the package as missing from then on.
 */
const MIN_FREE_DESCRIPTORS = 64;

/**
 * Bundles each entry of web/ into one script and one style sheet.
 * @param paths Relative to web/, such as `pages/trade.tsx`.
 * @throws AggregateError if the sources have errors; Error if too few file descriptors are free
 */
export async function bundle(paths: readonly string[]): Promise<Bundle> {
  if (!canOpen(MIN_FREE_DESCRIPTORS)) {
    throw new Error('Too few file descriptors are free to bundle the pages.');
  }
  const assets = new Map<string, Asset>();
  const entries = new Map<string, Entry>();
  // One build per entry, because Bun assigns a style sheet that several entries import to only one of them.
  for (const files of await Promise.all(paths.map(build))) {
    for (const file of files) assets.set(file.name, file);
    const { name: script } = files.find(({ isEntry }) => isEntry)!;
    entries.set(script.slice(0, script.lastIndexOf('-')), {
      script,
      style: files.find(({ type }) => type === TYPES['.css'])?.name,
    });
  }
  return { assets, entries };
}

/**
 * Starts the bundler's thread with an empty build. Bun ends the process if the thread starts while connections use all
 * file descriptors, so it must start before the first connection.
 */
export async function startBundler(): Promise<void> {
  await Bun.build({ entrypoints: ['/nothing.js'], files: { '/nothing.js': '' } });
}

interface BuiltFile extends Asset {
  readonly isEntry: boolean;
}

/** Builds an entry point: its script, its style sheet, its fonts, and the scripts that it loads later. */
async function build(path: string): Promise<BuiltFile[]> {
  const fonts = new Map<string, Uint8Array>();
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL(path, WEB))],
    target: 'browser',
    format: 'esm',
    minify: true,
    splitting: true,
    naming: {
      entry: '[name]-[hash].[ext]',
      chunk: 'part-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [fontsAsFiles(fonts)],
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  });
  const files = outputs.map(async (output) => {
    const name = basename(output.path);
    const type = TYPES[extname(name)];
    if (type === undefined)
      throw new Error(`web/ builds ${name}, whose type is unknown: add it to TYPES in bundle.ts`);
    const content =
      type === TYPES['.css']
        ? modernStyles(await output.text())
        : new Uint8Array(await output.arrayBuffer());
    return { name, type, content, isEntry: output.kind === 'entry-point' };
  });
  const type = TYPES['.woff2']!;
  const fontFiles = [...fonts].map(([name, content]) => ({ name, type, content, isEntry: false }));
  return [...(await Promise.all(files)), ...fontFiles];
}

/** Rules of a selector that browsers knew before `:is()`. */
const PREFIXED_RULES = /[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g;

/**
 * Removes the copies of rules with `:is()` that Bun adds for browsers of before 2021. Current browsers know them too, and
 * count them as classes: `.table :is(th, td)` would override `.table thead th`.
 */
function modernStyles(styles: string): Uint8Array {
  return Buffer.from(styles.replace(PREFIXED_RULES, ''));
}

/** Links fonts from style sheets; Bun would embed them, and each page would load all of them. @param fonts Filled with the files by name. */
function fontsAsFiles(fonts: Map<string, Uint8Array>): Bun.BunPlugin {
  return {
    name: 'fonts as files',
    setup: (builder) => {
      builder.onResolve({ filter: /\.woff2$/ }, ({ path, resolveDir }) => {
        const content = readFileSync(Bun.resolveSync(path, resolveDir));
        const name = `${basename(path, '.woff2')}-${Bun.hash(content).toString(36)}.woff2`;
        fonts.set(name, content);
        return { path: `/assets/${name}`, external: true };
      });
    },
  };
}
