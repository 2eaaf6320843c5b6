import { posix } from 'node:path';

/** Allowed imports: part of src → the parts it may import. */
export type Arrows = Readonly<Record<string, readonly string[]>>;

/**
 * A part is a folder or a file; of the parts that contain a file, the longest name applies.
 * Inside its own folder a file imports freely. `type X` allows only `import type`, `*` everything.
 * A new folder has no arrows and fails: add them here and explain them in ARCHITECTURE.md.
 */
export const arrows: Arrows = {
  engine: [],
  monitoring: [],
  config: ['monitoring/operator-error.ts'],
  client: [],
  storage: ['monitoring/logger.ts', 'monitoring/operator-error.ts'],
  log: ['storage', 'monitoring/operator-error.ts'],
  'log/source-log.ts': ['storage', 'monitoring/operator-error.ts', 'monitoring/retry.ts'],
  'log/codec.ts': ['engine'],
  'log/codec-custody.ts': ['engine'],
  'log/codec-keys.ts': ['engine'],
  'log/codec-sub-accounts.ts': ['engine'],
  'log/codec-layouts.ts': ['engine'],
  'log/codec-parts.ts': ['engine'],
  'log/codec-approvals.ts': ['engine'],
  history: [
    'monitoring/operator-error.ts',
    'engine/numbers',
    ...['command', 'command-details', 'event', 'rejection', 'terms'].map(
      (file) => `engine/${file}.ts`,
    ),
    'log/hash.ts',
    'surveillance/alert.ts',
    'config/durations.ts',
    'config/intervals.ts',
  ],
  'history/database/sqlite-database.ts': ['storage/private-file.ts'],
  // Everything about NATS, and nothing of the engine.
  cluster: ['log', 'monitoring'],
  retention: [
    'log',
    'storage',
    'monitoring/logger.ts',
    'monitoring/operator-error.ts',
    'type config',
  ],
  archivist: [
    'engine',
    'log',
    'storage',
    'history',
    'monitoring',
    'retention',
    'surveillance',
    'type cluster',
    'type config',
    'config/durations.ts',
    'config/intervals.ts',
  ],
  'archivist/stream-archive.ts': ['engine', 'log', 'history', 'cluster'],
  'archivist/stream-retention.ts': [
    'engine',
    'log',
    'retention',
    'storage',
    'monitoring',
    'type cluster',
    'type config',
  ],
  'archivist/snapshots': ['engine', 'log', 'storage', 'monitoring', 'cluster'],
  surveillance: ['engine'],
  capsule: ['engine', 'log', 'storage', 'archivist/recovery.ts', 'monitoring/operator-error.ts'],
  replica: [
    'engine',
    'log',
    'history',
    'archivist',
    'monitoring',
    'config/durations.ts',
    'type cluster',
  ],
  'replica/agreement.ts': ['cluster/log', 'log', 'monitoring/operator-error.ts'],
  users: [
    'type cluster',
    'monitoring/logger.ts',
    'monitoring/operator-error.ts',
    'config/durations.ts',
  ],
  'users/database.ts': ['monitoring/retry.ts', 'storage/private-file.ts'],
  'users/credentials/libraries.ts': ['storage/reserved-descriptors.ts'],
  // Outgoing requests.
  delivery: [],
  gateway: [
    'engine',
    'delivery',
    'log',
    'replica',
    'archivist',
    'monitoring',
    'config/sandbox-funds.ts',
    'config/durations.ts',
    'config/intervals.ts',
    'type history',
    'type users',
    'type cluster',
    'type config',
    'config/nearest.ts',
    'sandbox',
    'surveillance/alert.ts',
    'users/credentials/api-keys.ts',
  ],
  'gateway/auth/user-errors.ts': ['users/errors.ts'],
  'gateway/endpoints/admin/users.ts': ['engine', 'users'],
  'gateway/endpoints/user': ['engine', 'users'],
  'gateway/openapi/user-schemas.ts': ['engine', 'users/user-events.ts'],
  'gateway/openapi/notification-schemas.ts': ['users/notifications'],
  'gateway/endpoints/notifications': ['engine', 'delivery', 'users/notifications'],
  'gateway/pages/bundle.ts': ['storage/reserved-descriptors.ts'],
  sandbox: [
    'engine',
    'storage',
    'log',
    'archivist',
    'replica',
    'users',
    'monitoring',
    'config',
    'users/credentials/api-keys.ts',
  ],
  'sandbox/makers': ['engine', 'storage/seeded-random.ts', 'config/durations.ts'],
  // Uses the exchange like any client.
  scenario: [
    'client',
    'config',
    'test-exchange',
    'monitoring/operator-error.ts',
    'storage/seeded-random.ts',
  ],
  cli: ['client', 'config', 'scenario', 'monitoring/operator-error.ts', 'monitoring/progress.ts'],
  // The one definition of an address list.
  'cli/forms.ts': [
    'client',
    'config',
    'gateway/http/request/client-address.ts',
    'surveillance/alert.ts',
  ],
  // The one definition of CSV.
  'cli/commands/alert-cases.ts': ['client', 'archivist/reports/columns.ts'],
  'cli/offline': [
    'client',
    'cluster',
    'config',
    'engine',
    'history',
    'log',
    'retention',
    'archivist',
    'capsule',
    'replica',
    'storage',
    'monitoring/operator-error.ts',
    'monitoring/progress.ts',
    'sandbox/credentials-file.ts',
    'surveillance',
  ],
  // Starts the exchange as a process and uses it like any client.
  'test-exchange': ['client'],
  // Connects all parts.
  node: ['*'],
  'main.ts': ['*'],
  // Test doubles and fixtures; only tests import them.
  testing: ['*'],
};

/** Beginning of the names of packages → the only folder that may import them. */
const owners: Readonly<Record<string, string>> = { '@nats-io/': 'cluster' };

/** Folder of src → the files and subfolders of it that other folders may import; `*` for all. */
export type Doors = Readonly<Record<string, readonly string[]>>;

/** Returns the doors that ARCHITECTURE.md names: the paths in the paragraph "API boundary" of each folder. */
export function doorsIn(document: string): Doors {
  const found: Record<string, readonly string[]> = {};
  for (const section of document.split(/^### /m).slice(1)) {
    const boundary = /^\*\*API boundary\.\*\* ([\s\S]*?)\n\n/m.exec(section)?.[1];
    if (boundary === undefined) continue;
    const names = [...boundary.matchAll(/`([\w/.-]+?)\/?`/g)].map(([, name]) => name!);
    const heading = section.split('\n', 1)[0]!;
    for (const [, folder] of heading.matchAll(/\bsrc\/([\w-]+)/g))
      found[folder!] = boundary.startsWith('All files') ? ['*'] : names;
  }
  return found;
}

/** Names forbidden in the engine: clock, randomness, input and output, timers, promises, the locale. */
const impure = [
  'Date',
  'performance',
  'Math.random',
  'crypto',
  'process',
  'Bun',
  'Buffer',
  'console',
  'async',
  'await',
  'Promise',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'globalThis',
  'import.meta',
  'Intl',
  '.localeCompare',
  '.toLocaleString',
].map((name) => ({
  name,
  pattern: new RegExp(`${/^\w/.test(name) ? '(?<![\\w$#.])' : ''}${name.replace('.', '\\.')}\\b`),
}));

/** Files that import modules whose paths only a user knows. */
const loaders = ['scenario/bots/module-bot.ts'];

const maxLines = 400;
/** Generated files. */
const generated = 'client/api/';

/**
 * Returns every violation of the import rules in these files (path under src → text), one per line.
 * A test may also import packages, files outside src, and any file of a folder that its own may import from.
 */
export function breaches(
  files: ReadonlyMap<string, string>,
  doors: Doors,
  allowed = arrows,
): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const lines = text.split('\n').length - 1;
    if (lines > maxLines && !path.startsWith(generated))
      found.push(`${path} has ${lines} lines, over ${maxLines}: divide it`);
    if (!findPart(path, allowed))
      found.push(`${path} is in no part that test/architecture.ts names`);
    const { imports, unreadable } = findImports(text);
    for (const line of loaders.includes(path) ? [] : unreadable)
      found.push(`${path} has an import the test cannot read: ${line}`);
    for (const [specifier, typeOnly] of imports) {
      const reason = specifier.startsWith('.')
        ? fileBreach(path, posix.join(posix.dirname(path), specifier), typeOnly, doors, allowed)
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
  doors: Doors,
  allowed: Arrows,
): string | undefined {
  if (isTest(target) && !(isTest(path) && isWithin(target, 'testing'))) return 'that is a test';
  if (target.startsWith('../')) {
    return isTest(path) || target === '../package.json' ? undefined : 'that is outside src';
  }
  if (isWithin(target, 'testing') || isWithin(path, 'testing')) return undefined;
  const part = findPart(path, allowed);
  if (!part || (path.includes('/') && toFolder(path) === toFolder(target))) return undefined;
  const open = isTest(path)
    ? folderArrows(toFolder(path), allowed).includes(toFolder(target))
    : allowed[part]?.some(
        (arrow) =>
          arrow === '*' ||
          isWithin(target, arrow) ||
          (typeOnly && arrow.startsWith('type ') && isWithin(target, arrow.slice(5))),
      );
  if (!open) return `no arrow leads there from ${part}`;
  if (isTest(path) || isDoor(target, doors)) return undefined;
  return `it is internal; the doors of ${toFolder(target)} are ${doors[toFolder(target)]?.join(', ')}`;
}

function isDoor(path: string, doors: Doors): boolean {
  const folder = toFolder(path);
  return (doors[folder] ?? []).some((door) => door === '*' || isWithin(path, `${folder}/${door}`));
}

/** Returns the doors through which no other folder imports anything. */
export function unusedDoors(files: ReadonlyMap<string, string>, doors: Doors): string[] {
  const imported = [...files.keys()].flatMap((path) =>
    isTest(path)
      ? []
      : fileImports(path, files).filter((target) => toFolder(target) !== toFolder(path)),
  );
  return Object.entries(doors)
    .flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`))
    .filter((door) => !door.endsWith('/*') && !imported.some((target) => isWithin(target, door)));
}

function packageBreach(path: string, specifier: string): string | undefined {
  if (isTest(path)) return undefined;
  if (path.startsWith('engine/')) return 'the engine imports nothing outside itself';
  const owner = Object.entries(owners).find(([prefix]) => specifier.startsWith(prefix))?.[1];
  if (owner !== undefined && !isWithin(path, owner)) return `only src/${owner} may`;
  if (path.startsWith('client/') && /^(node:|bun$|bun:)/.test(specifier)) {
    return 'the client runs in browsers too';
  }
  return undefined;
}

/**
 * Returns violations in files of web/ (path from the root → text): they import web/, the doors of the client, and
 * packages for browsers.
 */
export function webBreaches(files: ReadonlyMap<string, string>, doors: Doors): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const lines = text.split('\n').length - 1;
    if (lines > maxLines) found.push(`${path} has ${lines} lines, over ${maxLines}: divide it`);
    const { imports, unreadable } = findImports(text, path.endsWith('.tsx'));
    for (const line of unreadable)
      found.push(`${path} has an import the test cannot read: ${line}`);
    for (const specifier of imports.keys()) {
      const target = posix.join(posix.dirname(path), specifier);
      const isOpen = specifier.startsWith('.')
        ? isWithin(target, 'web') ||
          (isWithin(target, 'src/client') && isDoor(target.slice('src/'.length), doors))
        : !/^(node:|bun$|bun:)/.test(specifier);
      if (!isOpen) found.push(`${path} imports ${specifier}: web/ knows only the client`);
    }
  }
  return found;
}

/** Returns a cycle of folders along the arrows; undefined if there is none. */
export function cycle(allowed = arrows): string[] | undefined {
  const walk = (trail: string[]): string[] | undefined => {
    for (const next of folderArrows(trail.at(-1)!, allowed)) {
      if (trail.includes(next)) return [...trail, next];
      const found = walk([...trail, next]);
      if (found) return found;
    }
    return undefined;
  };
  for (const part of Object.keys(allowed)) {
    const found = walk([toFolder(part)]);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the groups of files that import each other in a circle (path under src → text), type imports included.
 * Strongly connected components by Tarjan's algorithm (SIAM J. Comput. 1, 1972).
 */
export function fileCycles(files: ReadonlyMap<string, string>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    stack.push(path);
    for (const target of fileImports(path, files)) {
      if (!order.has(target)) visit(target);
      else if (!stack.includes(target)) continue;
      lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const path of files.keys()) if (!order.has(path)) visit(path);
  return cycles;
}

function fileImports(path: string, files: ReadonlyMap<string, string>): string[] {
  return [...findImports(files.get(path)!).imports.keys()]
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier))
    .filter((target) => files.has(target));
}

function findPart(path: string, allowed: Arrows): string | undefined {
  const parts = Object.keys(allowed).filter((part) => isWithin(path, part));
  return parts.sort((a, b) => b.length - a.length)[0];
}

function folderArrows(folder: string, allowed: Arrows): string[] {
  return Object.entries(allowed)
    .filter(([part]) => toFolder(part) === folder)
    .flatMap(([, targets]) => targets.map((target) => toFolder(target.replace(/^type /, ''))));
}

function isWithin(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}/`);
}

function toFolder(path: string): string {
  return path.split('/')[0]!;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || isWithin(path, 'testing');
}

const transpiler = new Bun.Transpiler({ loader: 'ts' });
const markupTranspiler = new Bun.Transpiler({ loader: 'tsx' });
const importLine = /^import\b(?!\s*[.(]).*/gm;
const staticImport =
  /^(?:import|export)\b(\s+type\b)?(?:[^'"`;=()]*\bfrom)?\s*['"]([^'"\n]+)['"]/gm;
const typeImport = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;
const workerFile = /\bnew URL\(\s*['"](\.[^'"\n]+\.ts)['"]/g;
const computedImport = /^.*\bimport\(\s*[^'"\s].*/gm;

/**
 * Returns the imports of a file (specifier → whether by `import type` only), and its unreadable lines.
 * Bun's parser finds imports of values; patterns find those of types, which it omits.
 */
function findImports(
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
  for (const [, specifier] of text.matchAll(typeImport)) add(specifier!, true);
  for (const [, specifier] of text.matchAll(workerFile)) add(specifier!, false);
  const parser = isMarkup ? markupTranspiler : transpiler;
  for (const { path } of parser.scanImports(text)) add(path, false);
  const unreadable = [...text.matchAll(importLine)].filter((match) => !read.has(match.index));
  return {
    imports,
    unreadable: [...unreadable, ...text.matchAll(computedImport)].map((match) => match[0]),
  };
}

/** Returns the code without comments, types and strings; expressions in templates stay. */
function bareCode(text: string): string {
  return transpiler
    .transformSync(text)
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, (literal) =>
      [...literal.matchAll(/\$\{([^}]*)\}/g)].map((inserted) => inserted[1]).join(' ; '),
    );
}
