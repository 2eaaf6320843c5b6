import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findBun } from '#find-bun';
import { isCheckout, ROOT, ServerProcess } from './server-process.ts';
import { remove } from './temporary-directories.ts';

/** Releases whose files are kept; in a checkout every change of a source is another one. */
const MAX_RELEASES = 4;
/** A release that was used so recently may be in use. */
const MIN_UNUSED_MS = 10 * 60 * 1000;
/** Data directories of a release that are kept; one with thirty days of trading has 190 MB. */
const MAX_COPIES = 6;

/** Returns the path of the bundled server in a release's folder. */
export async function bundleOnce(folder: string): Promise<string> {
  const server = join(folder, 'server');
  await createOnce(server, bundleServer);
  return join(server, 'main.js');
}

/**
 * Copies a data directory that was created with these flags into `target`, so that the exchange starts without creating
 * keys, users and trading. If the cache has none yet, the server starts once to create it, and stops.
 * @throws Error with the server's output if it does not start
 */
export async function copyWarm(
  folder: string,
  target: string,
  flags: readonly string[],
): Promise<void> {
  const data = join(folder, `data-${hash(flags)}`);
  await createOnce(data, async (directory) => {
    await (await ServerProcess.start(directory, flags)).stop();
  });
  await markUsed(data);
  const copies = (await listByUse(folder)).filter(({ path }) => /data-[0-9a-f]+$/.test(path));
  for (const { path } of copies.slice(MAX_COPIES)) await remove(path);
  // Shares the blocks where the file system can.
  const options = { recursive: true, mode: constants.COPYFILE_FICLONE };
  // Another process may remove it during the copy: the start only takes longer then.
  await cp(data, target, options).catch(() => remove(target));
}

/** Creates a directory atomically, because other processes may do so at the same time. */
async function createOnce(path: string, fill: (directory: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) return;
  const unfinished = await mkdtemp(`${path}.part-`);
  try {
    await fill(unfinished);
    await rename(unfinished, path).catch((error) => {
      // Another process was first.
      if (!existsSync(path)) throw error;
    });
  } finally {
    await remove(unfinished);
  }
}

async function bundleServer(directory: string): Promise<void> {
  const program = join(ROOT, 'src/test-exchange/bundle-server.ts');
  const child = spawn(findBun(), ['--no-install', program, directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The server could not be bundled:\n${errors}`);
}

/** Creates the cache's folder of this release and marks it as used. Returns undefined if the cache cannot be written. */
export async function openReleaseFolder(): Promise<string | undefined> {
  const folder = releaseFolder();
  try {
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
    await markUsed(folder);
    if (isNew) await removeOldReleases();
    return folder;
  } catch {
    return undefined;
  }
}

async function removeOldReleases(): Promise<void> {
  const old = (await listByUse(cacheFolder())).slice(MAX_RELEASES);
  for (const { path, usedAt } of old) {
    if (Date.now() - usedAt > MIN_UNUSED_MS) await remove(path);
  }
}

async function markUsed(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}

/** Returns what a folder contains, the latest used first. */
async function listByUse(folder: string): Promise<{ path: string; usedAt: number }[]> {
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      // Another process may have removed it.
      const usedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
      return { path, usedAt };
    }),
  );
  return found.sort((a, b) => b.usedAt - a.usedAt);
}

function releaseFolder(): string {
  release ??= hash(describeRelease());
  return join(cacheFolder(), release);
}

let release: string | undefined;

/** Returns what the files of the cache depend on, in addition to the flags. */
function describeRelease(): readonly (string | number)[] {
  const manifest = join(ROOT, 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  // Changes with every installation.
  if (!isCheckout) return [version, ROOT, statSync(manifest).ctimeMs];
  const folder = join(ROOT, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return [version, ROOT, ...sources.flatMap((path) => describeFile(folder, path))];
}

function describeFile(folder: string, path: string): readonly (string | number)[] {
  const { size, mtimeMs } = statSync(join(folder, path));
  return [path, size, mtimeMs];
}

function hash(values: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const { platform } = process;
  const folder =
    XDG_CACHE_HOME ||
    (platform === 'darwin' ? join(homedir(), 'Library/Caches') : undefined) ||
    (platform === 'win32' ? LOCALAPPDATA : undefined) ||
    join(homedir(), '.cache');
  return join(folder, 'buttonwood', 'test-exchanges');
}
