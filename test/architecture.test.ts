import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { breaches, cycle, doorsIn, fileCycles, unusedDoors, webBreaches } from './architecture.ts';

const src = join(import.meta.dir, '../src');
const doors = doorsIn(await Bun.file(join(src, '../ARCHITECTURE.md')).text());
/** The files of src, path → text. */
const sources = new Map<string, string>();
for (const path of [...new Bun.Glob('**/*.ts').scanSync(src)].sort()) {
  sources.set(path, await Bun.file(join(src, path)).text());
}

test('imports of src are allowed, the engine is pure, and no file is too long', () => {
  expect(sources.size).toBeGreaterThan(0);
  expect(breaches(sources, doors)).toEqual([]);
});

test('every door in ARCHITECTURE.md is used', () => {
  // Published as buttonwood/ccxt.
  const published = ['client/ccxt/index.ts'];
  expect(unusedDoors(sources, doors)).toEqual(published);
});

test('src has no import cycle', () => {
  const files = [...sources].filter(([path]) => !path.endsWith('.test.ts'));
  expect(fileCycles(new Map(files))).toEqual([]);
});

test('an import cycle is found, also of types', () => {
  const files = new Map([
    ['a/x.ts', `import type { Y } from './y.ts';`],
    ['a/y.ts', `import { z } from '../b/z.ts';`],
    ['b/z.ts', `export { x } from '../a/x.ts';`],
    ['b/w.ts', `import { z } from './z.ts';`],
  ]);
  expect(fileCycles(files)).toEqual([['a/x.ts', 'a/y.ts', 'b/z.ts']]);
});

/** Files that may read the wall clock; its jumps must not affect any other. */
const WALL_CLOCK = [
  'monitoring/clock.ts',
  // Measures a cluster's log; a node injects its own clock.
  'cluster/log/message-stream.ts',
  // Defaults for tests.
  'gateway/http/server.ts',
  'users/sign-in/guesses.ts',
  // Does not affect decisions.
  'monitoring/process-metrics.ts',
  'monitoring/logger.ts',
  // Separate programs.
  'cli/commands/clock.ts',
  'cli/commands/report-period.ts',
  'cli/offline/skip.ts',
  'cli/offline/recover-key.ts',
  'cli/offline/append-to-stream.ts',
  'cluster/backup/backup.ts',
  'client/ccxt/connection.ts',
  'client/deadline.ts',
  'client/signing.ts',
  'test-exchange/cache.ts',
];

test('a node only uses its guarded clock', async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob('**/*.ts').scanSync(src)) {
    const isTest = /^testing\/|\.test\.ts$/.test(path);
    const text = await Bun.file(join(src, path)).text();
    if (!isTest && /\bDate\.now\b|new Date\(\)/.test(text)) found.push(path);
  }
  expect(found.sort()).toEqual([...WALL_CLOCK].sort());
});

test('web imports only the client from src', async () => {
  const root = join(src, '..');
  const all = [...new Bun.Glob('web/**/*.{ts,tsx}').scanSync(root)].sort();
  const paths = all.filter((path) => !path.endsWith('.test.ts'));
  const files = new Map<string, string>();
  for (const path of paths) files.set(path, await Bun.file(join(root, path)).text());
  expect(files.size).toBeGreaterThan(0);
  expect(webBreaches(files, doors)).toEqual([]);
});

test.each([
  '../src/gateway/http/json.ts',
  '../src/client/route.ts',
  '../test/check.ts',
  'node:fs',
  'bun',
])('web may not import %s', (specifier) => {
  const text = `import { x } from '${specifier}';\nexport const y = <b>{x}</b>;`;
  expect(webBreaches(new Map([['web/api.tsx', text]]), doors)).toHaveLength(1);
  expect(
    webBreaches(new Map([['web/api.ts', `import type { X } from '${specifier}';`]]), doors),
  ).toHaveLength(1);
});

test('the allowed imports have no cycle', () => {
  expect(cycle()).toBeUndefined();
});

const allowed = {
  engine: [],
  log: [],
  'log/codec.ts': ['engine'],
  history: ['engine/event.ts'],
  gateway: ['engine', 'type history'],
  client: [],
  'main.ts': ['*'],
};

const sampleDoors = doorsIn(`
### src/engine

**API boundary.** \`exchange.ts\`, \`command.ts\`,
\`event.ts\` and \`numbers/\`.

**Invariants.** Only \`book.ts\` is pure.

### src/history and src/gateway

**API boundary.** All files.

### src/testing

Doubles in \`double.ts\`.
`);

function findBreaches(path: string, text: string): string[] {
  return breaches(new Map([[path, text]]), sampleDoors, allowed);
}

test('doors are read from the API boundary of each folder', () => {
  expect(sampleDoors).toEqual({
    engine: ['exchange.ts', 'command.ts', 'event.ts', 'numbers'],
    history: ['*'],
    gateway: ['*'],
  });
});

test.each([
  ['gateway/rest.ts', `import { Book } from '../engine/book/book.ts';`],
  ['gateway/rest.ts', `import type { Book } from '../engine/book/book.ts';`],
  ['main.ts', `import('./engine/book/book.ts');`],
])('%s may import only the doors of the engine: %s', (path, text) => {
  expect(findBreaches(path, text).join()).toEndWith(
    'it is internal; the doors of engine are exchange.ts, command.ts, event.ts, numbers',
  );
});

test('a folder without an API boundary is internal, an unused door is found', () => {
  expect(findBreaches('main.ts', `import './log/log.ts';`)).toHaveLength(1);
  const files = new Map([
    ['gateway/rest.ts', `import { exact } from '../engine/numbers/exact.ts';`],
    ['gateway/rest.test.ts', `import { apply } from '../engine/exchange.ts';`],
    ['engine/book.ts', `import type { Command } from './command.ts';`],
    ...['exchange', 'command', 'numbers/exact'].map((file) => [`engine/${file}.ts`, ''] as const),
  ]);
  expect(unusedDoors(files, sampleDoors)).toEqual([
    'engine/exchange.ts',
    'engine/command.ts',
    'engine/event.ts',
  ]);
});

describe('the checks find planted violations', () => {
  test.each([
    ['engine/book.ts', `import { x } from '../log/log.ts';`],
    ['engine/book.ts', `import type { X } from '../log/log.ts';`],
    ['engine/book.ts', `import '../log/log.ts';`],
    ['engine/book.ts', `export * from '../log/log.ts';`],
    ['engine/book.ts', `export type { X } from '../log/log.ts';`],
    ['engine/book.ts', `export const load = () => import('../log/log.ts');`],
    ['engine/book.ts', `export let x: import('../log/log.ts').X;`],
    ['engine/book.ts', `new Worker(new URL('../log/log.ts', import.meta.url));`],
    ['log/file-log.ts', `import { apply } from '../engine/exchange.ts';`],
    ['history/writer.ts', `import { apply } from '../engine/exchange.ts';`],
    ['history/writer.ts', `import { Gateway } from '../gateway/gateway.ts';`],
    ['gateway/rest.ts', `import { find } from '../history/queries.ts';`],
    ['gateway/rest.ts', `import main from '../main.ts';`],
    ['client/client.ts', `import { Event } from '../engine/event.ts';`],
    ['log/log.ts', `import { helper } from './log.test.ts';`],
    ['log/log.ts', `import { run } from '../../test/run.ts';`],
    ['log/log.test.ts', `import { Gateway } from '../gateway/gateway.ts';`],
  ])('%s: %s', (path, text) => {
    expect(findBreaches(path, text).join()).toContain(' imports ');
  });

  test.each(['node:fs', 'bun', 'bun:sqlite', 'hono'])('the engine imports %s', (specifier) => {
    expect(findBreaches('engine/book.ts', `import { x } from '${specifier}'; x();`)).toEqual([
      `engine/book.ts imports ${specifier}: the engine imports nothing outside itself`,
    ]);
  });

  test.each([
    ['Date', 'export const now = () => Date.now();'],
    ['Date', 'export const now = () => new Date();'],
    ['Math.random', 'export const x = Math.random();'],
    ['performance', 'export const now = () => performance.now();'],
    ['async', 'export async function f() {}'],
    ['process', 'process.exit(1);'],
    ['Bun', 'export const x = Bun.hash(1);'],
    ['process', `export const text = \`in \${process.cwd()}\`;`],
    ['.localeCompare', `export const order = 'a'.localeCompare('b');`],
  ])('the engine uses %s: %s', (name, text) => {
    expect(findBreaches('engine/book.ts', text)).toContain(
      `engine/book.ts uses ${name}: the engine is pure`,
    );
  });

  test('NATS is imported outside src/cluster', () => {
    const text = `import type { NatsConnection } from '@nats-io/transport-node';`;
    expect(findBreaches('gateway/rest.ts', text)).toEqual([
      'gateway/rest.ts imports @nats-io/transport-node: only src/cluster may',
    ]);
    expect(breaches(new Map([['cluster/bus.ts', text]]), {}, { cluster: [] })).toEqual([]);
  });

  test('an import over several lines', () => {
    const text = `import {\n  type X,\n  y,\n} from '../log/log.ts';`;
    expect(findBreaches('engine/book.ts', text)).toHaveLength(1);
    expect(findBreaches('engine/book.ts', text.replace('{', 'type {'))).toHaveLength(1);
  });

  test('an unknown folder, a long file, an unreadable import', () => {
    expect(findBreaches('misc/x.ts', '')).toEqual([
      'misc/x.ts is in no part that test/architecture.ts names',
    ]);
    expect(findBreaches('log/log.ts', '\n'.repeat(400))).toEqual([]);
    expect(findBreaches('log/log.ts', '\n'.repeat(401))).toEqual([
      'log/log.ts has 401 lines, over 400: divide it',
    ]);
    expect(
      findBreaches('log/log.ts', 'export const load = (x: string) => import(x);'),
    ).toHaveLength(1);
    expect(findBreaches('log/log.ts', `import { a /* isn't */ } from './a.ts';`)).toHaveLength(1);
    expect(findBreaches('client/client.ts', `import 'node:fs';`)).toHaveLength(1);
  });

  test('a cycle', () => {
    expect(cycle({ a: ['b'], b: ['type c/x.ts'], 'c/y.ts': ['a'] })).toEqual(['a', 'b', 'c', 'a']);
  });
});

test.each([
  [
    'engine/book.ts',
    `import { x } from './units.ts'; // Date.now is not for us; we await nothing.`,
  ],
  ['engine/book.ts', `export const text = 'stop the process' + \`await \${'time'}\`;`],
  ['engine/book.test.ts', `import { test } from 'bun:test'; const now = Date.now();`],
  ['engine/book.test.ts', `import { naive } from '../../test/naive.ts';`],
  ['log/codec.ts', `import type { Command } from '../engine/command.ts';`],
  ['log/codec.test.ts', `import { apply } from '../engine/exchange.ts';`],
  ['history/writer.ts', `import { Event } from '../engine/event.ts';`],
  ['history/writer.test.ts', `import { apply } from '../engine/exchange.ts';`],
  ['history/writer.test.ts', `import { Book } from '../engine/book/book.ts';`],
  ['gateway/rest/orders.ts', `import { sum } from '../../engine/numbers/exact.ts';`],
  ['gateway/rest/orders.ts', `import type { Query } from '../../history/queries.ts';`],
  ['gateway/status.ts', `import { version } from '../../package.json';`],
  ['main.ts', `import { serve } from './gateway/gateway.ts';`],
])('the rules permit: %s: %s', (path, text) => {
  expect(findBreaches(path, text)).toEqual([]);
});
