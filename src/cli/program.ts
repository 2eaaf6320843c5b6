import {
  Argument,
  CommanderError,
  InvalidArgumentError,
  Command as Program,
  Option as ProgramOption,
} from 'commander';
import { version } from '../../package.json';
import { Arguments } from './arguments.ts';
import type { Command, Option } from './command.ts';
import { CONNECTION_OPTIONS } from './connection.ts';
import { usageError } from './failure.ts';
import { describeFault, POSITIONALS } from './forms.ts';
import { SETTINGS_NOTE, settingOptions } from './run-options.ts';

const RUN = 'Run an exchange:';
const ONLINE = 'Commands for a running node:';
const OFFLINE = 'Commands for a stopped node:';
const EXIT_CODES = `
Exit codes:
  0  done
  1  rejected or failed
  2  wrong usage
  3  no node answers`;
const SEE_HELP = 'Run "buttonwood help" for a list of commands.';
const RUNNERS = ['start', 'serve'] as const;
type Runner = (typeof RUNNERS)[number];

/** Every command takes it; `runCli` reads it. */
const JSON_OPTION: Option = {
  name: 'json',
  help: 'print one JSON object with exact numbers; errors as JSON too',
};
const RESET: Option = { name: 'reset', help: 'start with an empty sandbox' };

/** A command to run, or a requested help text and the commands that it describes. */
export type Parsed =
  | { readonly command: Command; readonly args: Arguments }
  | { readonly text: string; readonly commands: readonly Command[] };

type OnFound = (command: Command, args: Arguments) => void;

/**
 * Parses what follows `buttonwood`, without `--json`.
 * @throws CliError USAGE
 */
export function parse(commands: readonly Command[], argv: readonly string[]): Parsed {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  if (/^-(?!h$|-help$)/.test(words[0] ?? '')) {
    throw usageError(`Options go after the command: ${words[0]}. ${SEE_HELP}`);
  }
  let parsed: Parsed | undefined;
  let text = '';
  const possible = possibleCommands(commands, words[0]);
  const program = buildProgram(possible, possible === commands, words, (command, args) => {
    parsed = { command, args };
  });
  overrideExit(program, (part) => {
    text += part;
  });
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) {
      throw usageError(`${toSentence(error.message)} ${helpHint(commands, words)}`);
    }
    return { text: text.trimEnd(), commands: describedCommands(commands, words) };
  }
  return parsed!;
}

/** Parses the options of `start` or `serve`. @throws CliError USAGE */
export function parseRunOptions(name: Runner, argv: readonly string[]): Arguments {
  const run: Command = {
    name,
    positionals: [],
    // Settings of the sandbox too: `serve` rejects them with a message of its own.
    options: [...settingOptions(true), RESET],
    summary: '',
    run: () => Promise.reject(new Error('not run by the command line')),
  };
  const parsed = parse([run], [name, ...argv]);
  if ('text' in parsed) throw usageError(`Use "buttonwood help ${name}" for help.`);
  return parsed.args;
}

function overrideExit(program: Program, write: (text: string) => void): void {
  program.exitOverride().configureOutput({ writeOut: write, writeErr: () => {} });
  for (const command of program.commands) overrideExit(command, write);
}

/** Returns the commands that begin with a word, all if none does: building the others would take most of a short command's time. */
function possibleCommands(
  commands: readonly Command[],
  word: string | undefined,
): readonly Command[] {
  const found = commands.filter(({ name }) => {
    const [first] = name.split(' ');
    return word === first || word === `${first}s`;
  });
  return found.length > 0 ? found : commands;
}

function buildProgram(
  commands: readonly Command[],
  hasRunners: boolean,
  argv: readonly string[],
  onFound: OnFound,
): Program {
  const program = new Program('buttonwood')
    .description(`Buttonwood ${version}, a cryptocurrency exchange`)
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'print help for a command')
    .version(version, '--version', 'print the version')
    // Otherwise every command would take --version.
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({
      visibleCommands: listLeaves,
      subcommandTerm: formatTerm,
      helpWidth: 110,
    })
    .addHelpText('afterAll', EXIT_CODES);
  if (hasRunners) for (const name of RUNNERS) addRunner(program, name);
  for (const command of commands) addCommand(program, command, argv, onFound);
  return program;
}

/** Adds `start` or `serve` for the help; src/main.ts runs them. */
function addRunner(program: Program, name: Runner): void {
  const isSandbox = name === 'start';
  const summary = isSandbox
    ? 'run a sandbox: funded accounts with API keys, and live markets'
    : 'run a real exchange';
  const runner = program.command(name).description(summary).helpGroup(RUN);
  for (const option of [...settingOptions(isSandbox), ...(isSandbox ? [RESET] : [])]) {
    runner.addOption(new ProgramOption(formatFlags(option), option.help));
  }
  runner.addHelpText('after', `\n${SETTINGS_NOTE}`);
}

function addCommand(
  program: Program,
  command: Command,
  argv: readonly string[],
  onFound: OnFound,
): void {
  const words = command.name.split(' ');
  const parent = words.slice(0, -1).reduce(findOrAddGroup, program);
  const one = parent
    .command(words.at(-1)!)
    .description(command.summary)
    .helpGroup(command.group ?? (isOnline(command) ? ONLINE : OFFLINE))
    // Not inherited from the group, which reports unknown subcommands itself.
    .allowUnknownOption(false)
    .allowExcessArguments(false);
  for (const name of command.positionals) {
    const { description } = POSITIONALS[name];
    one.addArgument(
      new Argument(`<${name}>`, description).argParser((value, before: readonly string[] = []) => [
        ...before,
        notEmpty(value),
      ]),
    );
  }
  for (const option of command.options) one.addOption(programOption(option, argv));
  one.option(`--${JSON_OPTION.name}`, JSON_OPTION.help);
  one.action(() => {
    const args = readArguments(command, one);
    checkForms(command, args);
    onFound(command, args);
  });
}

/** Returns the parent of commands of several words, such as `account create`; its plural names it too. */
function findOrAddGroup(program: Program, name: string): Program {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = program.command(name).argument('[subcommand]').usage('SUBCOMMAND [options]');
  if (!name.endsWith('s')) group.alias(`${name}s`);
  group.allowUnknownOption().allowExcessArguments();
  return group.action((word?: string) => {
    const names = group.commands.map((command) => command.name()).join(', ');
    throw usageError(
      word === undefined
        ? `"${name}" needs a subcommand: ${names}.`
        : `"${name}" has no subcommand "${word}". Use one of: ${names}.`,
    );
  });
}

function programOption(option: Option, argv: readonly string[]): ProgramOption {
  const made = new ProgramOption(formatFlags(option), option.help);
  if (option.isRequired) made.makeOptionMandatory();
  if (option.value === undefined) return made;
  return made.argParser((value: string, before: readonly string[] | undefined) => {
    const isInline = argv.includes(`--${option.name}=${value}`);
    if (value.startsWith('-') && !isInline) {
      throw new InvalidArgumentError(`Write --${option.name}=${value} if that is the value.`);
    }
    if (before !== undefined && !option.isRepeatable) {
      throw new InvalidArgumentError('The option was given twice.');
    }
    return [...(before ?? []), notEmpty(value)];
  });
}

function notEmpty(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('It is empty.');
}

function readArguments({ positionals, options }: Command, one: Program): Arguments {
  const values = one.opts<Record<string, readonly string[] | boolean>>();
  const given = one.options.flatMap((option): [string, readonly string[]][] => {
    const value = values[option.attributeName()];
    if (value === undefined || !options.some(({ name }) => name === option.name())) return [];
    return [[option.name(), Array.isArray(value) ? value : []]];
  });
  const texts = one.processedArgs as string[][];
  return new Arguments(
    new Map(positionals.map((name, index) => [name, texts[index]!])),
    new Map(given),
  );
}

/** @throws CliError USAGE naming the first value that does not have its form */
function checkForms({ name, positionals, options }: Command, args: Arguments): void {
  const faults = [
    ...positionals.flatMap((each) =>
      args.allPositionals(each).map((text) => describeFault(each, POSITIONALS[each], text)),
    ),
    ...options.flatMap(({ name: option, form }) =>
      form === undefined
        ? []
        : args.all(option).map((text) => describeFault(`--${option}`, form, text)),
    ),
  ];
  const fault = faults.find((each) => each !== undefined);
  if (fault !== undefined) throw usageError(`${fault} ${pointToHelp(name)}`);
}

function formatFlags({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

function isOnline({ options }: Command): boolean {
  return options.some((option) => CONNECTION_OPTIONS.includes(option));
}

/** Returns the commands below one that can be run: those without subcommands, and those with arguments of their own. */
function listLeaves(program: Program): Program[] {
  return program.commands.flatMap((command) => {
    const leaves = listLeaves(command);
    const isRunnable = leaves.length === 0 || command.registeredArguments[0]?.required === true;
    return isRunnable ? [command, ...leaves] : leaves;
  });
}

/** Returns `account create ID`. */
function formatTerm(command: Program): string {
  const names: string[] = [];
  for (let one = command; one.parent !== null; one = one.parent) names.unshift(one.name());
  return [...names, ...command.registeredArguments.map((argument) => argument.name())].join(' ');
}

/** Returns where to find help about the command that the words name, or about all. */
function helpHint(commands: readonly Command[], words: readonly string[]): string {
  const [first = '', second, third] = words.filter((word) => !word.startsWith('-'));
  const names: readonly string[] = [...RUNNERS, ...commands.map(({ name }) => name)];
  const candidates = [
    `${first} ${second} ${third}`,
    `${first} ${second}`,
    `${first.replace(/s$/, '')} ${second}`,
    first,
  ];
  const name = candidates.find((each) => names.includes(each));
  return name === undefined ? SEE_HELP : pointToHelp(name);
}

function pointToHelp(name: string): string {
  return `Run "buttonwood help ${name}" for help.`;
}

/** Returns the commands that a help text describes. @throws CliError USAGE if there is no such command */
function describedCommands(commands: readonly Command[], argv: readonly string[]): Command[] {
  const words = argv.filter((word) => !word.startsWith('-'));
  if (words.length === 0 || RUNNERS.some((name) => name === words[0])) return [...commands];
  const starts = [
    words.slice(0, 3).join(' '),
    words.slice(0, 2).join(' '),
    words[0]!,
    words[0]!.replace(/s$/, ''),
  ];
  for (const start of starts) {
    const found = commands.filter(({ name }) => name === start || name.startsWith(`${start} `));
    if (found.length > 0) return found;
  }
  throw usageError(`There is no command "${words[0]}". ${SEE_HELP}`);
}

/** Returns a message of the parser as a sentence: "error: unknown command 'stat'" and what it suggests. */
function toSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)/, '. Did you mean $1?');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}
