import { basename, extname, join, resolve } from 'node:path';
import type { Program } from './format/schema.ts';
import type { StartExchange, WriteCapsule } from './run/exchange.ts';
import type { RunResult, ScenarioResult } from './run/results.ts';
import { runOnce } from './run/run.ts';
import { startSandboxExchange } from './sandbox-exchange.ts';
import type { Scenario } from './scenario.ts';

export { junitReport } from './reports/junit.ts';
export { textReport } from './reports/text.ts';

/** Files that are loaded as modules; others are run as programs. */
const MODULE_EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

export interface ScenarioOptions {
  /** By default a sandbox in a process of its own. */
  readonly startExchange?: StartExchange;
  /** Number of runs; all must end in the same state. */
  readonly repeat: number;
  /** The bot that takes the place of the scenario's: a file of the user, or the naive bot of the scenario. */
  readonly bot?: string | 'naive' | undefined;
  /** Writes the capsules of failed runs; without it there are none. */
  readonly writeCapsule?: WriteCapsule | undefined;
  /** Directory of capsules; by default the current one. */
  readonly capsules?: string | undefined;
  readonly log: (line: string) => void;
}

/** Runs a scenario, as often as wanted. */
export async function runScenario(
  scenario: Scenario,
  options: ScenarioOptions,
): Promise<ScenarioResult> {
  const { repeat, bot, capsules = '.', startExchange = startSandboxExchange } = options;
  const { writeCapsule, log } = options;
  const program = findProgram(scenario, bot);
  const name = basename(scenario.file, extname(scenario.file));
  const runs: RunResult[] = [];
  for (let turn = 1; turn <= repeat; turn++) {
    const file = repeat === 1 ? `${name}.capsule` : `${name}-${turn}.capsule`;
    const capsuleFile = join(capsules, file);
    const run = { startExchange, program, writeCapsule, capsuleFile, log };
    runs.push(await runOnce(scenario, run));
  }
  const isRepeatable = new Set(runs.map(({ stateHash }) => stateHash)).size === 1;
  const { title, lesson, seed } = scenario.content;
  return {
    file: scenario.file,
    title,
    lesson,
    bot: describeProgram(scenario, bot),
    seed,
    passed: isRepeatable && runs.every(({ passed }) => passed),
    isRepeatable,
    runs,
  };
}

/** Returns the name of the program to run, as its author wrote it. */
function describeProgram({ content }: Scenario, bot: string | undefined): string {
  if (bot !== undefined && bot !== 'naive') return bot;
  const { module, command } = bot === 'naive' ? content.naive! : content.bot;
  return module ?? command!.join(' ');
}

/** Returns the program to run, with the absolute path of a module. */
function findProgram({ content, resolve: toPath }: Scenario, bot: string | undefined): Program {
  if (bot !== undefined && bot !== 'naive') {
    const path = resolve(bot);
    return MODULE_EXTENSIONS.includes(extname(path)) ? { module: path } : { command: [path] };
  }
  const { module, command } = bot === 'naive' ? content.naive! : content.bot;
  return module === undefined ? { command } : { module: toPath(module) };
}
