import { once } from 'node:events';
import { version } from '../../package.json';
import type { Command, Environment, Result } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import { describeFailure, ExitCode } from './failure.ts';
import { parse } from './program.ts';
import { checkVariables } from './variables.ts';

/** Output of a command; both functions take a line without its end. */
export interface Output {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Resolves once a slow reader has caught up. */
  readonly drained: () => Promise<unknown>;
}

const CONSOLE: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  },
};

/**
 * Runs a command of the command line.
 * @param argv The arguments after `buttonwood`.
 * @returns The exit code: 0 done, 1 rejected or failed, 2 wrong usage, 3 no node answers.
 */
export async function runCli(
  argv: readonly string[],
  env: Environment,
  output: Output = CONSOLE,
): Promise<number> {
  if (output === CONSOLE) process.stdout.once('error', endWithReader);
  const isJson = argv.includes('--json');
  try {
    const { data, text, lines = [], exitCode = ExitCode.done } = await run(argv, env);
    output.out(isJson ? JSON.stringify(data) : text);
    await printLines(lines, output);
    return exitCode;
  } catch (error) {
    const failure = describeFailure(error);
    if (failure === undefined) throw error;
    output.error(isJson ? JSON.stringify(failure.data) : `buttonwood: ${failure.text}`);
    return failure.exitCode;
  }
}

async function printLines(lines: Iterable<string>, output: Output): Promise<void> {
  for (const line of lines) {
    output.out(line);
    await output.drained();
  }
}

/** Ends the process if the reader of its output has ended, as `head` does. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(ExitCode.done);
}

async function run(argv: readonly string[], env: Environment): Promise<Result> {
  const words = argv.filter((word) => word !== '--json');
  if (words[0] === '--version') return { data: { version }, text: version };
  const parsed = parse(COMMANDS, words.length === 0 ? ['help'] : words);
  if ('command' in parsed) {
    checkVariables(env);
    return parsed.command.run(parsed.args, env);
  }
  const { text, commands } = parsed;
  const exitCode = words.length === 0 ? ExitCode.usage : ExitCode.done;
  return { data: { text, commands: commands.map(describe) }, text, exitCode };
}

/** Returns the description of a command for `help --json`. */
function describe({ name, summary, positionals, options }: Command) {
  return { name, summary, positionals, options };
}
