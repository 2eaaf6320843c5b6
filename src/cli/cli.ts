import { version } from '../../package.json';
import { Arguments } from './arguments.ts';
import type { Command, Environment, Result } from './command.ts';
import { COMMANDS } from './commands.ts';
import { describeFailure, ExitCode, usageError } from './failure.ts';
import { commandHelp, groupHelp, helpData, overview, runHelp, usageOf } from './help.ts';
import { suggestion } from './nearest.ts';
import { checkVariables } from './variables.ts';

/** Where a command writes; both take whole lines without their end. */
export interface Output {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

const CONSOLE: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
};

/**
 * Runs one command of the command line.
 * @param argv What follows `buttonwood`.
 * @returns The exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 no node answers.
 */
export async function runCli(
  argv: readonly string[],
  env: Environment,
  output: Output = CONSOLE,
): Promise<number> {
  const isJson = argv.includes('--json');
  try {
    const { data, text, exitCode = ExitCode.done } = await run(argv, env);
    output.out(isJson ? JSON.stringify(data) : text);
    return exitCode;
  } catch (error) {
    const failure = describeFailure(error);
    if (failure === undefined) throw error;
    output.error(isJson ? JSON.stringify(failure.data) : `buttonwood: ${failure.text}`);
    return failure.exitCode;
  }
}

async function run(argv: readonly string[], env: Environment): Promise<Result> {
  const words = argv
    .filter((word) => word !== '--json')
    .map((word) => (word === '-h' ? '--help' : word));
  const [first, second] = words;
  if (first === '--version') return { data: { version }, text: version };
  if (first === 'help' || first === '--help') return help(words.slice(1));
  if (words.includes('--help') && isRunner(first)) return help(words);
  if (first === undefined) return { ...help([]), exitCode: ExitCode.usage };
  if (first.startsWith('-')) throw usageError(`${first} goes behind the command. ${SEE_HELP}`);
  const command = find(words);
  if (command === undefined) {
    if (second === '--help') return help([first]);
    throw unknown(words);
  }
  const args = readArguments(command, words.slice(command.name.split(' ').length));
  if (args.has('help')) return help([command.name]);
  checkVariables(env);
  return command.run(args, env);
}

function readArguments(command: Command, words: readonly string[]): Arguments {
  try {
    return new Arguments(command, words);
  } catch (error) {
    (error as Error).message += ` ${usageOf(command)}`;
    throw error;
  }
}

const SEE_HELP = '"buttonwood help" shows all there are.';

/** Commands that src/main.ts runs itself. */
const RUNNERS = ['start', 'serve'];

function isRunner(word: string | undefined): boolean {
  return word !== undefined && RUNNERS.includes(word);
}

/** The command whose name the words begin with; a group may be written in the plural: `keys recover`. */
function find([first, ...rest]: readonly string[]): Command | undefined {
  const isPlural = first?.endsWith('s') && groupOf(first.slice(0, -1)).length > 0;
  const words = [isPlural ? first!.slice(0, -1) : first, ...rest];
  const two = words.slice(0, 2).join(' ');
  return (
    COMMANDS.find(({ name }) => name === two) ?? COMMANDS.find(({ name }) => name === words[0])
  );
}

/** `account create`, `account list` and so on, of `account`. */
function groupOf(word: string | undefined): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

function help(words: readonly string[]): Result {
  if (words.length === 0) return { data: helpData(COMMANDS), text: overview(COMMANDS) };
  if (isRunner(words[0])) {
    const text = runHelp(words[0] === 'start');
    return { data: { text }, text };
  }
  const command = find(words.join(' ').split(' '));
  if (command !== undefined) return { data: helpData([command]), text: commandHelp(command) };
  const group = groupOf(words[0]);
  if (group.length === 0 || words.length > 1) throw unknown(words);
  return { data: helpData(group), text: groupHelp(group) };
}

function unknown(words: readonly string[]): Error {
  const [first = '', second] = words;
  const group = groupOf(first);
  if (group.length > 0 && second === undefined) {
    const seconds = group.map(({ name }) => name.split(' ')[1]);
    return usageError(`Say what of "${first}": ${seconds.join(', ')}.`);
  }
  const names = COMMANDS.map(({ name }) => name);
  const ones = names.map((name) => name.split(' ')[0]!);
  const two = second === undefined ? first : `${first} ${second}`;
  const found = group.length > 0 ? group.map(({ name }) => name) : names;
  const near =
    suggestion(two, found) ||
    suggestion(`${second} ${first}`, names) ||
    suggestion(first, [...ones, ...RUNNERS, 'help']);
  const shown = group.length > 0 ? two : first;
  return usageError(`There is no command "${shown}".${near} ${SEE_HELP}`);
}
