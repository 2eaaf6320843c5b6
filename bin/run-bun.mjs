import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findBun } from './find-bun.mjs';

/**
 * Memory once used is kept, in large pages where the system gives them when asked: handing it back and
 * asking for it again costs each order a page fault, a tenth of its time.
 */
const memory = { MIMALLOC_PURGE_DELAY: '-1', MIMALLOC_ALLOW_THP: '1' };
/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 250;

/**
 * Runs Bun with these arguments in place of this process: same input, output and working directory,
 * signals passed on, and its exit code or signal taken over.
 *
 * @param {string[]} args
 * @param {{ lifeline?: boolean }} [options] `lifeline` opens a pipe that ends when this process ends,
 *   however it ends, and names it in BUTTONWOOD_LAUNCHER_FD (see src/node/launcher.ts)
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
 * Stops the child when the parent of this process is gone: npm passes signals on, but not its own
 * death by kill -9, nor anything to what a shell runs for it.
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
  // Still here: the kernel spares the first process of a container.
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
