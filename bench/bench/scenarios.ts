import { join } from 'node:path';
import { $ } from 'bun';

const ROOT = join(import.meta.dir, '../..');

interface Report {
  readonly scenarios: readonly {
    readonly passed: boolean;
    readonly isRepeatable: boolean;
    readonly runs: readonly { readonly stateHash?: string; readonly durationMs: number }[];
  }[];
}

/** Runs every scenario of the library several times. Returns how many ended with the same state each time. */
export async function measureScenarios(runs: number): Promise<Readonly<Record<string, number>>> {
  const files = [...new Bun.Glob('scenarios/*.yaml').scanSync(ROOT)].sort();
  const command = $`node bin/bun.mjs src/main.ts scenario run --json --repeat ${runs} ${files}`;
  const { scenarios } = (await command.cwd(ROOT).quiet().nothrow().json()) as Report;
  const times = scenarios.flatMap((each) => each.runs.map(({ durationMs }) => durationMs));
  return {
    scenarios: scenarios.length,
    runsOfEach: runs,
    passed: scenarios.filter(({ passed }) => passed).length,
    equal: scenarios.filter(({ isRepeatable }) => isRepeatable).length,
    secondsPerRun: Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length / 10) / 100,
  };
}
