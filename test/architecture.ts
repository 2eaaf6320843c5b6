import { posix } from 'node:path';

/** Part of src → the parts it may import. */
export type Arrows = Readonly<Record<string, readonly string[]>>;

/**
 * A part is a folder or a file; of the parts that hold a file, the longest name decides for it.
 * Inside its own folder a file imports freely. `type X` allows only `import type`, `*` everything.
 * A new folder has no arrows and fails: give it some here and say why in ARCHITECTURE.md.
 */
export const arrows: Arrows = {
  engine: [],
  storage: ['journal.ts'],
  log: ['storage'],
  'log/codec.ts': ['engine'],
  'log/codec-parts.ts': ['engine'],
  history: ['command', 'event', 'exact', 'rejection', 'terms', 'units'].map(
    (file) => `engine/${file}.ts`,
  ),
  'history/sqlite-database.ts': ['storage/private-file.ts'],
  'journal.ts': [],
  // Long commands print with it; programs outside src do too.
  'progress.ts': [],
  monitoring: [],
  replica: ['engine', 'log', 'storage', 'history', 'monitoring', 'journal.ts', 'type cluster'],
  'replica/stream-archive.ts': ['engine', 'log', 'history', 'cluster'],
  // What speaks to NATS, but the log itself.
  cluster: ['journal.ts', 'type progress.ts'],
  accounts: ['type cluster', 'journal.ts'],
  'accounts/database.ts': ['journal.ts', 'storage/private-file.ts'],
  'accounts/libraries.ts': ['storage/spare-descriptors.ts'],
  gateway: [
    'engine',
    'log',
    'replica',
    'monitoring',
    'journal.ts',
    'type history',
    'type accounts',
    'type cluster',
    'type config.ts',
    'funds.ts',
    'type clock.ts',
  ],
  'gateway/web/bundle.ts': ['storage/spare-descriptors.ts'],
  'gateway/rest/account': ['engine', 'accounts'],
  'gateway/rest/admin/people.ts': ['engine', 'accounts'],
  'gateway/people-schemas.ts': ['engine', 'accounts/people-events.ts'],
  'gateway/people-errors.ts': ['accounts/errors.ts'],
  client: [],
  'clock.ts': [],
  'data-paths.ts': [],
  cli: ['client', 'config', 'config.ts', 'data-paths.ts', 'funds.ts', 'progress.ts'],
  'cli/offline': [
    ...['client', 'cluster', 'data-paths.ts', 'engine', 'history', 'log', 'progress.ts', 'replica'],
    ...['storage', 'credentials-file.ts'],
    'type config.ts',
  ],
  'launcher.ts': [],
  'config.ts': ['config'],
  config: ['data-paths.ts'],
  'funds.ts': [],
  'sandbox.ts': ['engine', 'funds.ts'],
  'sandbox-people.ts': ['accounts', 'engine', 'storage', 'credentials-file.ts', 'sandbox.ts'],
  'open-account.ts': ['engine', 'replica', 'sandbox.ts'],
  // Its traders know the exchange as anybody does, by the client; its past is made of commands.
  house: ['client', 'storage/seeded-random.ts', 'journal.ts'],
  'house/house.ts': ['client', 'storage/spare-descriptors.ts', 'journal.ts'],
  'house/genesis.ts': ['engine', 'sandbox.ts'],
  'house/past.ts': ['engine', 'storage/seeded-random.ts'],
  'past.ts': ['engine', 'storage', 'log', 'replica', 'house', 'sandbox.ts'],
  'credentials-file.ts': [
    ...['engine', 'storage', 'gateway/credentials.ts', 'sandbox.ts'],
    'house/accounts.ts',
    'journal.ts',
  ],
  'genesis.ts': ['engine', 'storage', 'log', 'replica', 'credentials-file.ts', 'sandbox.ts'],
  'node-metrics.ts': ['type clock.ts', 'start', 'gateway', 'log', 'monitoring', 'replica'],
  // Lays what a node stands on.
  start: ['*'],
  'node.ts': ['*'],
  'main.ts': ['*'],
};

/** What the engine may not name: clock, randomness, the world outside, what runs later, the locale. */
const impure = [
  ...['Date', 'performance', 'Math.random', 'crypto', 'process', 'Bun', 'Buffer', 'console'],
  ...['async', 'await', 'Promise', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
  ...['fetch', 'globalThis', 'import.meta', 'Intl', '.localeCompare', '.toLocaleString'],
].map((name) => ({
  name,
  pattern: new RegExp(`${/^\w/.test(name) ? '(?<![\\w$#.])' : ''}${name.replace('.', '\\.')}\\b`),
}));

const maxLines = 400;
/** Made by a program, for programs. */
const generated = 'client/api/';

/**
 * Every breach of the rules of the house in these files (path under src → text), a line each.
 * A test may besides import packages, what lies outside src, and all of a folder that is open to its own.
 */
export function breaches(files: ReadonlyMap<string, string>, allowed = arrows): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const lines = text.split('\n').length - 1;
    if (lines > maxLines && !path.startsWith(generated))
      found.push(`${path} has ${lines} lines, over ${maxLines}: divide it`);
    if (!partOf(path, allowed)) found.push(`${path} is in no part that test/architecture.ts names`);
    const { imports, unreadable } = importsOf(text);
    for (const line of unreadable)
      found.push(`${path} has an import the test cannot read: ${line}`);
    for (const [specifier, typeOnly] of imports) {
      const reason = specifier.startsWith('.')
        ? fileBreach(path, posix.join(posix.dirname(path), specifier), typeOnly, allowed)
        : packageBreach(path, specifier);
      if (reason) found.push(`${path} imports ${specifier}: ${reason}`);
    }
    if (!path.startsWith('engine/') || isTest(path)) continue;
    const code = bareCode(text);
    for (const { name, pattern } of impure) {
      if (pattern.test(code)) found.push(`${path} uses ${name}: the engine is pure`);
    }
  }
  return found;
}

function fileBreach(
  path: string,
  target: string,
  typeOnly: boolean,
  allowed: Arrows,
): string | undefined {
  if (isTest(target)) return 'that is a test';
  if (target.startsWith('../')) {
    return isTest(path) || target === '../package.json' ? undefined : 'that is outside src';
  }
  const part = partOf(path, allowed);
  if (!part || (path.includes('/') && folderOf(path) === folderOf(target))) return undefined;
  const open = isTest(path)
    ? arrowsOfFolder(folderOf(path), allowed).includes(folderOf(target))
    : allowed[part]?.some(
        (arrow) =>
          arrow === '*' ||
          isWithin(target, arrow) ||
          (typeOnly && arrow.startsWith('type ') && isWithin(target, arrow.slice(5))),
      );
  return open ? undefined : `no arrow leads there from ${part}`;
}

function packageBreach(path: string, specifier: string): string | undefined {
  if (isTest(path)) return undefined;
  if (path.startsWith('engine/')) return 'the engine imports nothing outside itself';
  if (path.startsWith('client/') && /^(node:|bun$|bun:)/.test(specifier)) {
    return 'the client runs in browsers too';
  }
  return undefined;
}

/**
 * The same for files of web/ (path from the root → text): they import web/, the client, and packages that
 * browsers can use.
 */
export function webBreaches(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const lines = text.split('\n').length - 1;
    if (lines > maxLines) found.push(`${path} has ${lines} lines, over ${maxLines}: divide it`);
    const { imports, unreadable } = importsOf(text, path.endsWith('.tsx'));
    for (const line of unreadable)
      found.push(`${path} has an import the test cannot read: ${line}`);
    for (const specifier of imports.keys()) {
      const target = posix.join(posix.dirname(path), specifier);
      const isOpen = specifier.startsWith('.')
        ? isWithin(target, 'web') || isWithin(target, 'src/client')
        : !/^(node:|bun$|bun:)/.test(specifier);
      if (!isOpen) found.push(`${path} imports ${specifier}: web/ knows only the client`);
    }
  }
  return found;
}

/** A way from folder to folder along the arrows back to where it began, or undefined: there is none. */
export function cycle(allowed = arrows): string[] | undefined {
  const walk = (trail: string[]): string[] | undefined => {
    for (const next of arrowsOfFolder(trail.at(-1)!, allowed)) {
      if (trail.includes(next)) return [...trail, next];
      const found = walk([...trail, next]);
      if (found) return found;
    }
    return undefined;
  };
  for (const part of Object.keys(allowed)) {
    const found = walk([folderOf(part)]);
    if (found) return found;
  }
  return undefined;
}

function partOf(path: string, allowed: Arrows): string | undefined {
  const parts = Object.keys(allowed).filter((part) => isWithin(path, part));
  return parts.sort((a, b) => b.length - a.length)[0];
}

function arrowsOfFolder(folder: string, allowed: Arrows): string[] {
  return Object.entries(allowed)
    .filter(([part]) => folderOf(part) === folder)
    .flatMap(([, targets]) => targets.map((target) => folderOf(target.replace(/^type /, ''))));
}

function isWithin(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}/`);
}

function folderOf(path: string): string {
  return path.split('/')[0]!;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

const transpiler = new Bun.Transpiler({ loader: 'ts' });
const markupTranspiler = new Bun.Transpiler({ loader: 'tsx' });
const importLine = /^import\b(?!\s*[.(]).*/gm;
const staticImport =
  /^(?:import|export)\b(\s+type\b)?(?:[^'"`;=()]*\bfrom)?\s*['"]([^'"\n]+)['"]/gm;
const importOfType = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;
const workerFile = /\bnew URL\(\s*['"](\.[^'"\n]+\.ts)['"]/g;
const computedImport = /^.*\bimport\(\s*[^'"\s].*/gm;

/**
 * What a file imports (specifier → whether by `import type` only), and the lines that cannot be read.
 * Bun's own parser gives each import of a value, the patterns those of types, which it leaves out.
 */
function importsOf(
  text: string,
  isMarkup = false,
): { imports: Map<string, boolean>; unreadable: string[] } {
  const imports = new Map<string, boolean>();
  const add = (specifier: string, typeOnly: boolean) =>
    imports.set(specifier, typeOnly && (imports.get(specifier) ?? true));
  const read = new Set<number>();
  for (const match of text.matchAll(staticImport)) {
    add(match[2]!, match[1] !== undefined);
    read.add(match.index);
  }
  for (const [, specifier] of text.matchAll(importOfType)) add(specifier!, true);
  for (const [, specifier] of text.matchAll(workerFile)) add(specifier!, false);
  const parser = isMarkup ? markupTranspiler : transpiler;
  for (const { path } of parser.scanImports(text)) add(path, false);
  const unreadable = [...text.matchAll(importLine)].filter((match) => !read.has(match.index));
  return {
    imports,
    unreadable: [...unreadable, ...text.matchAll(computedImport)].map((match) => match[0]),
  };
}

/** The code without comments, types and texts; what a template inserts stays. */
function bareCode(text: string): string {
  return transpiler
    .transformSync(text)
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, (literal) =>
      [...literal.matchAll(/\$\{([^}]*)\}/g)].map((inserted) => inserted[1]).join(' ; '),
    );
}
