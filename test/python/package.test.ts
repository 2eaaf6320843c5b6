import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWherePossible } from '../describe-where-possible.ts';
import { freePort } from '../free-ports.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { inherited } from '../process/inherited.ts';
import { createEnvironment, findPackages, findPython, run } from './python-packages.ts';

/** Builds the Python package, installs its wheel, and runs its checks and its tests against a sandbox. */

const LIMIT_MS = 300_000;
const ROOT = join(import.meta.dir, '../..');
const PYTHON = join(ROOT, 'python');
const tools = findPython(join(PYTHON, 'requirements-dev.txt'));
const problem = typeof tools === 'string' ? tools : undefined;
const directory = temporaryDirectory();
afterAll(directory.remove);

describeWherePossible('the Python package', problem, 'install python3 with pip', () => {
  /** Python of the environment that has the wheel. */
  let python: string;

  /** Runs a module of Python in python/. @returns Its output, if it succeeds; the test shows it otherwise. */
  function runModule(...command: string[]): string {
    const env = {
      ...inherited(),
      TEST_PORT: `${freePort()}`,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { exitCode, output } = run([python, '-m', ...command], { cwd: PYTHON, env });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${output}`);
    return output;
  }

  const mypy = (...paths: string[]) => {
    const { cache } = tools as Exclude<typeof tools, string>;
    return runModule('mypy', '--strict', '--cache-dir', join(cache, 'mypy'), ...paths);
  };

  test(
    'is built, and its wheel installed',
    () => {
      if (typeof tools === 'string') throw new Error(tools);
      python = createEnvironment(tools, join(directory.path, 'environment'));
      const built = join(directory.path, 'built');
      runModule('build', '--no-isolation', '--outdir', built, '.');
      const names = readdirSync(built).sort();
      expect(names).toEqual(['buttonwood-0.1.0-py3-none-any.whl', 'buttonwood-0.1.0.tar.gz']);
      const { output } = run(['tar', '-tzf', join(built, names[1]!)]);
      expect(output).toContain('buttonwood-0.1.0/examples/quickstart.py\n');
      const pip = [
        '-m',
        'pip',
        'install',
        '--disable-pip-version-check',
        '--no-deps',
        '--no-index',
      ];
      const target = ['--target', findPackages(python), join(built, names[0]!)];
      expect(run([tools.python, ...pip, ...target])).toMatchObject({ exitCode: 0 });
    },
    LIMIT_MS,
  );

  test(
    'has types without an error, and so do its tests and examples with the wheel',
    () => {
      expect(mypy('src')).toContain('no issues found');
      expect(mypy('tests', 'examples')).toContain('no issues found');
    },
    LIMIT_MS,
  );

  test('is formatted and linted', () => {
    runModule('ruff', 'check', '--no-cache', '.');
    runModule('ruff', 'format', '--no-cache', '--check', '.');
  });

  test(
    'passes its tests',
    () => {
      const output = runModule('pytest', '-q', '--tb=short');
      expect(Number(/(\d+) passed/.exec(output)?.[1])).toBeGreaterThan(100);
      expect(output).not.toContain('skipped');
    },
    LIMIT_MS,
  );
});
