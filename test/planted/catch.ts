import type { Bug, Catcher, SimulatorCatcher, TestCatcher } from './bug.ts';
import type { Copy } from './copy.ts';
import { judgeTest, type Verdict } from './verdict.ts';

/** Many times the duration of the slowest catcher. */
const TEST_LIMIT_MS = 30_000;

export interface Trial extends Verdict {
  readonly seconds: number;
}

/** Runs a catcher on the sources with a bug, or without any. */
export function tryBug(copy: Copy, bug: Bug | undefined, catcher: Catcher): Promise<Trial> {
  return copy.with(bug, () =>
    typeof catcher === 'string'
      ? simulate(copy, catcher)
      : runTest(copy, catcher, bug?.isSilence ?? false),
  );
}

async function simulate(copy: Copy, catcher: SimulatorCatcher): Promise<Trial> {
  const { code, output, seconds } = await copy.run('test/planted/runs.ts', catcher);
  const place = { commands: undefined, seed: undefined };
  if (code === undefined) {
    return { isCaught: false, message: 'did not end', ...place, seconds };
  }
  if (code !== 0) return { isCaught: false, message: output.slice(-500), ...place, seconds };
  return { ...(JSON.parse(output.trimEnd().split('\n').at(-1)!) as Verdict), seconds };
}

async function runTest(
  copy: Copy,
  { file, test }: TestCatcher,
  maySilence: boolean,
): Promise<Trial> {
  const name = test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const args = ['test', `--timeout=${TEST_LIMIT_MS}`, `--test-name-pattern=${name}`, `./${file}`];
  const { code, output, seconds } = await copy.run(...args);
  return { ...judgeTest(code, output, maySilence), seconds };
}
