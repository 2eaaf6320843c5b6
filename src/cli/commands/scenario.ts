import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../../monitoring/operator-error.ts';
import { withProgress } from '../../monitoring/progress.ts';
import type { FailedRun } from '../../scenario/run/exchange.ts';
import type { ScenarioResult } from '../../scenario/run/results.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { CliError, ExitCode, usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { table } from '../text.ts';

const GROUP = 'Test a bot:';
const FILES = 'FILE...';

export const scenarioCommands: readonly Command[] = [
  {
    name: 'scenario run',
    group: GROUP,
    positionals: [FILES],
    options: [
      {
        name: 'bot',
        value: 'FILE',
        help: 'run this bot in place of the one that the scenarios name: a module, or a program',
      },
      { name: 'naive', help: "run the scenarios' naive bots, which fail" },
      {
        name: 'repeat',
        value: 'N',
        help: 'run each scenario N times; all runs must end in the same state',
        form: FORMS.runs,
      },
      { name: 'junit', value: 'FILE', help: 'write the results as JUnit XML' },
      {
        name: 'capsules',
        value: 'DIR',
        help: 'directory for the capsules of failed runs (default: the current one)',
      },
    ],
    summary: 'run scenarios with their bots and check the results',
    run,
  },
  {
    name: 'scenario check',
    group: GROUP,
    positionals: [FILES],
    options: [],
    summary: 'check scenarios without running them',
    run: check,
  },
  {
    name: 'scenario list',
    group: GROUP,
    positionals: [],
    options: [],
    summary: 'list the scenarios that come with Buttonwood',
    run: list,
  },
];

async function run(args: Arguments): Promise<Result> {
  if (args.has('bot') && args.has('naive')) {
    throw usageError('Use either --bot or --naive, not both.');
  }
  const read = await readAll(args.allPositionals(FILES));
  const bot = args.has('naive') ? 'naive' : args.option('bot');
  const file = args.option('bot');
  if (file !== undefined && !existsSync(file)) throw usageError(`There is no file ${file}.`);
  const without = read.find(({ content }) => bot === 'naive' && content.naive === undefined);
  if (without !== undefined) throw usageError(`${without.file} has no naive bot.`);
  const capsules = args.option('capsules') ?? '.';
  if (args.has('capsules')) writing(capsules, () => mkdirSync(capsules, { recursive: true }));
  // Loaded only now, because other commands do not need it.
  const { runScenario, junitReport, textReport } = await import('../../scenario/run-scenario.ts');
  const results: ScenarioResult[] = [];
  for (const scenario of read) {
    const repeat = args.integer('repeat') ?? 1;
    const log = (line: string) => process.stderr.write(`${line}\n`);
    results.push(await runScenario(scenario, { repeat, bot, writeCapsule, capsules, log }));
  }
  const junit = args.option('junit');
  if (junit !== undefined) writing(junit, () => writeFileSync(junit, junitReport(results)));
  const passed = results.every((result) => result.passed);
  const exitCode = passed ? ExitCode.done : ExitCode.failed;
  return { data: { passed, scenarios: results }, text: textReport(results), exitCode };
}

async function check(args: Arguments): Promise<Result> {
  const read = await readAll(args.allPositionals(FILES));
  const files = read.map(({ file, content }) => ({ file, title: content.title }));
  const text = read.map(({ file }) => `${file} is a valid scenario.`).join('\n');
  return { data: { scenarios: files }, text };
}

async function list(): Promise<Result> {
  const { listLibrary } = await import('../../scenario/library.ts');
  const scenarios = listLibrary().map(({ file, content }) => ({
    file,
    title: content.title,
    lesson: content.lesson.trim(),
  }));
  const rows = scenarios.map(({ title, file }) => [title, file]);
  return { data: { scenarios }, text: table(['SCENARIO', 'FILE'], rows) };
}

/** Reads scenarios. @throws CliError INVALID_SCENARIO with everything that is wrong in any of them */
async function readAll(files: readonly string[]): Promise<readonly Scenario[]> {
  const { readScenario, ScenarioFileError } = await import('../../scenario/scenario.ts');
  const scenarios: Scenario[] = [];
  const errors: InstanceType<typeof ScenarioFileError>[] = [];
  for (const file of files) {
    try {
      scenarios.push(readScenario(file));
    } catch (error) {
      if (!(error instanceof ScenarioFileError)) throw error;
      errors.push(error);
    }
  }
  if (errors.length === 0) return scenarios;
  const described = errors.map((error) => error.message).join('\n\n');
  const message = `Scenarios that cannot be used: ${errors.length} of ${files.length}.\n\n${described}`;
  const problems = errors.flatMap((error) => error.problems);
  throw new CliError(ExitCode.usage, 'INVALID_SCENARIO', message, { problems });
}

/** Writes the capsule of a failed run, in place of an older one. */
async function writeCapsule(file: string, run: FailedRun): Promise<void> {
  const { createCapsule } = await import('../offline/capsule.ts');
  const { dataDirectory: data, position, failures, title, seed, scenario } = run;
  const at = position === undefined ? undefined : { position };
  const about = { title, seed, scenario, failures: [...failures] };
  rmSync(file, { force: true });
  await withProgress((progress) => createCapsule(file, { data, at, about }, progress));
}

/** @throws OperatorError if a file cannot be written */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${(error as Error).message}.`);
  }
}
