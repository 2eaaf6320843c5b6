import { expect, test } from 'bun:test';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findBun, platformPackage } from '../bin/find-bun.mjs';

const linux = { platform: 'linux', arch: 'x64', musl: false };

/** Creates a folder with files of the given sizes: programs are large, placeholders small. */
function tree(filesBytes: Record<string, number>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'find-bun-')));
  for (const [path, sizeBytes] of Object.entries(filesBytes)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path.endsWith('.json') ? '{}' : '');
    if (!path.endsWith('.json')) truncateSync(join(root, path), sizeBytes);
  }
  return root;
}

function findIn(root: string, host = linux): string {
  return findBun(join(root, 'bin/launcher.mjs'), host).slice(root.length + 1);
}

test.each([
  ['linux', 'x64', false, '@oven/bun-linux-x64'],
  ['linux', 'arm64', false, '@oven/bun-linux-aarch64'],
  ['linux', 'x64', true, '@oven/bun-linux-x64-musl'],
  ['linux', 'arm64', true, '@oven/bun-linux-aarch64-musl'],
  ['android', 'arm64', false, '@oven/bun-linux-aarch64-android'],
  ['darwin', 'arm64', false, '@oven/bun-darwin-aarch64'],
  ['freebsd', 'x64', false, '@oven/bun-freebsd-x64'],
  ['win32', 'x64', false, '@oven/bun-windows-x64'],
  ['linux', 'riscv64', false, undefined],
  ['sunos', 'x64', false, undefined],
])('%s on %s, musl %p, needs %p', (platform, arch, musl, name) => {
  expect(platformPackage({ platform, arch, musl })).toBe(name);
});

test('every package the launcher asks for is one that bun depends on', async () => {
  const { optionalDependencies } = await import('bun/package.json');
  const names = ['android', 'darwin', 'freebsd', 'linux', 'win32'].flatMap((platform) =>
    ['arm64', 'x64'].flatMap((arch) =>
      [false, platform === 'linux'].map((musl) => platformPackage({ platform, arch, musl })),
    ),
  );
  expect([...new Set(names)].sort()).toEqual(Object.keys(optionalDependencies).sort());
});

test('finds the program in a hoisted platform package when no install script ran', () => {
  const root = tree({
    'node_modules/bun/package.json': 0,
    'node_modules/bun/bin/bun.exe': 450,
    'node_modules/@oven/bun-linux-x64/package.json': 0,
    'node_modules/@oven/bun-linux-x64/bin/bun': 2_000_000,
  });
  expect(findIn(root)).toBe('node_modules/@oven/bun-linux-x64/bin/bun');
});

test('finds the program in a platform package nested in bun', () => {
  const root = tree({
    'node_modules/bun/package.json': 0,
    'node_modules/bun/node_modules/@oven/bun-linux-x64/package.json': 0,
    'node_modules/bun/node_modules/@oven/bun-linux-x64/bin/bun': 2_000_000,
  });
  expect(findIn(root)).toBe('node_modules/bun/node_modules/@oven/bun-linux-x64/bin/bun');
});

test('finds the program that the install script moved into bun', () => {
  const root = tree({
    'node_modules/bun/package.json': 0,
    'node_modules/bun/bin/bun.exe': 2_000_000,
    'node_modules/@oven/bun-linux-x64/package.json': 0,
  });
  expect(findIn(root)).toBe('node_modules/bun/bin/bun.exe');
});

test('finds bun.exe on Windows', () => {
  const root = tree({
    'node_modules/bun/package.json': 0,
    'node_modules/@oven/bun-windows-x64/package.json': 0,
    'node_modules/@oven/bun-windows-x64/bin/bun.exe': 2_000_000,
  });
  expect(findIn(root, { platform: 'win32', arch: 'x64', musl: false })).toBe(
    'node_modules/@oven/bun-windows-x64/bin/bun.exe',
  );
});

test('makes the program executable', () => {
  const root = tree({
    'node_modules/bun/package.json': 0,
    'node_modules/@oven/bun-linux-x64/package.json': 0,
    'node_modules/@oven/bun-linux-x64/bin/bun': 2_000_000,
  });
  const program = join(root, findIn(root));
  expect(() => accessSync(program, constants.X_OK)).not.toThrow();
});

test('explains the fix when npm omitted the optional dependencies', () => {
  const root = tree({ 'node_modules/bun/package.json': 0, 'node_modules/bun/bin/bun.exe': 450 });
  expect(() => findIn(root)).toThrow(/@oven\/bun-linux-x64[\s\S]*npm ci --include=optional/);
});

test('does not run a build for another C library', () => {
  const root = tree({
    'node_modules/bun/package.json': 0,
    'node_modules/@oven/bun-linux-x64/package.json': 0,
    'node_modules/@oven/bun-linux-x64/bin/bun': 2_000_000,
  });
  expect(() => findIn(root, { ...linux, musl: true })).toThrow('@oven/bun-linux-x64-musl');
});

test('explains the fix when nothing is installed, or nothing can be', () => {
  expect(() => findIn(tree({}))).toThrow('npm ci');
  expect(() => findIn(tree({}), { ...linux, arch: 'mips' })).toThrow('no build for linux on mips');
});
