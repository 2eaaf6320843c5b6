import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findBun } from './find-bun.mjs';

/**
 * Keeps memory once it is used, in large pages if the system has them: returning and requesting it again
 * would cost each order a page fault, a tenth of its time.
 */
const memory = { MIMALLOC_PURGE_DELAY: '-1', MIMALLOC_ALLOW_THP: '1' };
/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 250;

/**
 * Runs Bun with these arguments: with the same input, output and working directory, forwarding signals, and
 * exiting with its exit code or signal.
 *
 * @param {string[]} args
 * @param {{ lifeline?: boolean }} [options] `lifeline` opens a pipe that closes when this process ends in any
 *   way, and passes its descriptor in BUTTONWOOD_LAUNCHER_FD (see src/node/launcher.ts)
 */
export function runBun(args, { lifeline = false } = {}) {
  const child = spawn(locate(), args, {
    stdio: lifeline ? ['inherit', 'inherit', 'inherit', 'pipe'] : 'inherit',
    env: { ...memory, ...process.env, ...(lifeline ? { BUTTONWOOD_LAUNCHER_FD: '3' } : {}) },
  });
  for (const signal of forwarded) {
    process.on(signal, () => {
      // A Windows console signals both processes, and a kill there ends the child at once.
      if (process.platform !== 'win32') child.kill(signal);
    });
  }
  if (lifeline && isNpmScript()) stopWithParent(child);
  child.on('error', (error) => fail(`Cannot run Bun: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal) dieBy(signal);
    process.exit(code ?? 1);
  });
}

function isNpmScript() {
  return ['start', 'npx'].includes(process.env.npm_lifecycle_event ?? '');
}

/**
 * Stops the child when the parent of this process has ended: npm forwards signals, but cannot forward its own
 * kill -9, and a shell between them forwards nothing.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithParent(child) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, parentCheckMs);
}

function locate() {
  try {
    return findBun();
  } catch (error) {
    return fail(/** @type {Error} */ (error).message);
  }
}

/** @param {NodeJS.Signals} signal */
function dieBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Reached only as the first process of a container, which the kernel does not kill.
  process.exit(128 + constants.signals[signal]);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
