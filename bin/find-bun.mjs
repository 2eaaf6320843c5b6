import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Host The properties of a machine that select its build of Bun.
 * @property {string} platform as `process.platform`
 * @property {string} arch as `process.arch`
 * @property {boolean} musl whether Linux's C library is musl
 */

/** @type {Record<string, string>} */
const systems = {
  android: 'linux',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  win32: 'windows',
};
/** @type {Record<string, string>} */
const processors = { arm64: 'aarch64', x64: 'x64' };

// Until the install script of `bun` has run, a short placeholder is in place of the program.
const placeholderSizeBytes = 1_000_000;

/** @returns {Host} */
function thisHost() {
  const { platform, arch } = process;
  return { platform, arch, musl: platform === 'linux' && isMusl() };
}

function isMusl() {
  const report = /** @type {any} */ (process.report.getReport());
  return !report.header.glibcVersionRuntime;
}

/**
 * Returns the npm package of Bun's program for a host; undefined if Bun has no build for it.
 *
 * @param {Host} host
 */
export function platformPackage({ platform, arch, musl }) {
  const system = systems[platform];
  const processor = processors[arch];
  if (!system || !processor) return undefined;
  const variant = platform === 'android' ? '-android' : musl ? '-musl' : '';
  return `@oven/bun-${system}-${processor}${variant}`;
}

/**
 * Returns the path of Bun's program, after making it executable. Searches the installed packages, so it works
 * whether or not npm ran the install script of `bun`, which moves the program from the platform's
 * package into its own. @throws Error with the fix if there is none
 *
 * @param {string | URL} [from] the file from which `bun` is resolved
 * @param {Host} [host]
 */
export function findBun(from = import.meta.url, host = thisHost()) {
  const name = platformPackage(host);
  if (!name) {
    throw new Error(
      `Buttonwood runs on Bun, which has no build for ${host.platform} on ${host.arch}.`,
    );
  }
  const bun = packageFolder(createRequire(from), 'bun');
  if (!bun) throw new Error('The npm package bun is missing. Install again: npm ci');
  // Resolved from `bun`, so that both a nested and a hoisted platform package are found.
  const platform = packageFolder(createRequire(join(bun, 'package.json')), name);
  const program = host.platform === 'win32' ? 'bun.exe' : 'bun';
  const path = [...(platform ? [join(platform, 'bin', program)] : []), join(bun, 'bin', 'bun.exe')]
    .filter((candidate) => existsSync(candidate))
    .find((candidate) => statSync(candidate).size > placeholderSizeBytes);
  if (!path) {
    throw new Error(
      `Bun's program for ${host.platform} on ${host.arch} is missing: it comes with the npm package ${name},\n` +
        'which npm omits with --omit=optional, or if it ran on another kind of machine.\n' +
        'Install again on this machine: npm ci --include=optional',
    );
  }
  makeExecutable(path);
  return path;
}

/**
 * @param {NodeJS.Require} require
 * @param {string} name
 */
function packageFolder(require, name) {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** @param {string} path */
function makeExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    try {
      chmodSync(path, 0o755);
    } catch (error) {
      throw new Error(`Cannot make ${path} executable. Its owner can: chmod 755 ${path}`, {
        cause: error,
      });
    }
  }
}
