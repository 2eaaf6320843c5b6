import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { describeWherePossible } from '../describe-where-possible.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { inherited } from '../process/inherited.ts';
import { createEnvironment, findPython, run } from './python-packages.ts';

/** The example of tests in Python passes with `npx buttonwood`, has types, and is formatted. */

const LIMIT_MS = 300_000;
const ROOT = join(import.meta.dir, '../..');
const EXAMPLES = join(ROOT, 'examples/python');
const tools = findPython(join(ROOT, 'python/requirements-dev.txt'));
const problem = typeof tools === 'string' ? tools : undefined;
const directory = temporaryDirectory();
afterAll(directory.remove);

describeWherePossible('tests of a bot in Python', problem, 'install python3 with pip', () => {
  /** Runs a module of Python in the example's folder. @returns Its output, if it succeeds. */
  function runModule(...command: string[]): string {
    if (typeof tools === 'string') throw new Error(tools);
    const python = createEnvironment(tools, join(directory.path, command[0]!));
    const env = {
      ...inherited(),
      PYTHONPATH: join(ROOT, 'python/src'),
      MYPYPATH: join(ROOT, 'python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { exitCode, output } = run([python, '-m', ...command], { cwd: EXAMPLES, env });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${output}`);
    return output;
  }

  test(
    'they pass',
    () => {
      const output = runModule('pytest', '-q', '--tb=short', '-p', 'no:cacheprovider');
      expect(Number(/(\d+) passed/.exec(output)?.[1])).toBeGreaterThan(1);
    },
    LIMIT_MS,
  );

  test(
    'they have types, and are formatted and linted',
    () => {
      const cache = join(directory.path, 'types');
      expect(runModule('mypy', '--strict', '--cache-dir', cache, '.')).toContain('no issues found');
      const config = ['--config', join(ROOT, 'python/pyproject.toml'), '--no-cache'];
      runModule('ruff', 'check', ...config, '.');
      runModule('ruff', 'format', ...config, '--check', '.');
    },
    LIMIT_MS,
  );
});
