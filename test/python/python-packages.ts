import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { inherited } from '../process/inherited.ts';

/** A Python with the packages that tests need. */
export interface PythonTools {
  readonly python: string;
  /** Folder with the packages, which all test runs share. */
  readonly packages: string;
  /** Folder for files that make a later run faster. */
  readonly cache: string;
}

const MIN_VERSION = '(3, 10)';
const PROBE = `import sys, venv, pip; assert sys.version_info >= ${MIN_VERSION}; print(sys.version_info[:2])`;

/** Options and variables of an installation that is not the usual one. */
export interface InstallTerms {
  /** Further options of `pip install`. */
  readonly options: readonly string[];
  /** Further variables in its environment. */
  readonly env: Readonly<Record<string, string>>;
}

const USUAL: InstallTerms = { options: [], env: {} };

/**
 * Finds Python 3.10 or later with pip, and installs the pinned packages into the user's cache unless an earlier run has.
 * @returns What was found, or the reason why the tests cannot run.
 */
export function findPython(requirements: string, terms = USUAL): PythonTools | string {
  const candidates = [process.env.PYTHON ?? '', 'python3', 'python'].filter(Boolean);
  for (const python of candidates) {
    const probe = Bun.which(python) ? run([python, '-c', PROBE]) : undefined;
    if (probe?.exitCode === 0) return install(python, probe.output, requirements, terms);
  }
  return 'there is no Python 3.10 or later with venv and pip';
}

function install(
  python: string,
  version: string,
  requirements: string,
  { options, env }: InstallTerms,
): PythonTools | string {
  const cache = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'buttonwood',
    Bun.SHA256.hash(readFileSync(requirements, 'utf8') + version, 'hex').slice(0, 16),
  );
  const packages = join(cache, 'packages');
  if (!existsSync(packages)) {
    mkdirSync(cache, { recursive: true });
    // Moved when complete, so that a run that was killed leaves nothing behind that looks installed.
    const incomplete = mkdtempSync(join(cache, 'incomplete-'));
    const pip = [python, '-m', 'pip', 'install', '--disable-pip-version-check', '--quiet'];
    const command = [...pip, ...options, '--target', incomplete, '-r', requirements];
    const { exitCode, output } = run(command, { env: { ...inherited(), ...env } });
    if (exitCode !== 0) {
      return `pip cannot install the packages of ${basename(requirements)}: ${output.trim().split('\n').at(-1)}`;
    }
    // Another run may have been faster.
    if (!existsSync(packages)) renameSync(incomplete, packages);
  }
  return { python, packages, cache };
}

/** Creates a virtual environment that also has the shared packages. @returns Its Python. */
export function createEnvironment({ python, packages }: PythonTools, path: string): string {
  const created = run([python, '-m', 'venv', '--without-pip', path]);
  if (created.exitCode !== 0) throw new Error(created.output);
  const own = join(path, 'bin', 'python');
  writeFileSync(join(findPackages(own), 'shared.pth'), `${packages}\n`);
  return own;
}

/** Returns the folder in which an environment has its packages. */
export function findPackages(python: string): string {
  return run([python, '-c', 'import site; print(site.getsitepackages()[0])']).output.trim();
}

/** Maximum run time of a program, below the limit of the tests, which cannot end it. */
const MAX_RUN_MS = 280_000;

/** Runs a program. @returns Its exit code, and its output and errors together. */
export function run(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): { exitCode: number; output: string } {
  const limits = { stdin: 'ignore', timeout: MAX_RUN_MS } as const;
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { ...options, ...limits });
  return { exitCode, output: `${stdout}${stderr}` };
}
