import { version } from '../../package.json';
import { COMMON_OPTIONS } from './arguments.ts';
import type { Command, Option } from './command.ts';
import { CONNECTION_OPTIONS } from './connection.ts';
import { SECRETS, settingOptions } from './run-options.ts';

const RUN = section('Run an exchange', [
  ['start [--reset]', 'the sandbox: funded accounts and keys to play with; --reset begins anew'],
  ['serve', 'a real exchange, without any of that'],
]);

const SETTINGS_NOTE = `A flag goes before its variable, that before the file. In the file a setting has the flag's name, written
logStream for --log-stream. Passwords are not for flags, which all users of a machine can see: a variable
with _FILE behind its name gives the file to read one from (${SECRETS}).
"buttonwood config" shows what comes of it all.`;

/** The help for `start` and `serve`. */
export function runHelp(isSandbox: boolean): string {
  return [
    RUN,
    section('Settings', settingOptions(isSandbox).map(optionRow)),
    SETTINGS_NOTE,
    EXIT_CODES,
  ].join('\n\n');
}

const EXIT_CODES = section('Exit codes', [
  ['0', 'done'],
  ['1', 'refused or failed'],
  ['2', 'wrong usage'],
  ['3', 'no node answers'],
]);

/** The help for all. */
export function overview(commands: readonly Command[]): string {
  return [
    `Buttonwood ${version}, a cryptocurrency exchange`,
    'Usage: buttonwood COMMAND … [options]',
    RUN,
    section('Ask a running node', commands.filter(isOnline).map(summaryRow)),
    section(
      'While the node is stopped',
      commands.filter((command) => !isOnline(command)).map(summaryRow),
    ),
    section('Options', [...COMMON_OPTIONS, ...CONNECTION_OPTIONS].map(optionRow)),
    EXIT_CODES,
  ].join('\n\n');
}

/** The help for the commands of one kind, such as `account`. */
export function groupHelp(commands: readonly Command[]): string {
  return section('Commands', commands.map(summaryRow));
}

/** The help for one command. */
export function commandHelp(command: Command): string {
  return [
    `${command.name}: ${command.summary}`,
    usageOf(command),
    section('Options', [...command.options, ...COMMON_OPTIONS].map(optionRow)),
    EXIT_CODES,
  ].join('\n\n');
}

/** How a command is written. */
export function usageOf({ name, positionals, options }: Command): string {
  const required = options.filter((option) => option.isRequired).map(optionUsage);
  return `Usage: ${['buttonwood', name, ...positionals, ...required, '[options]'].join(' ')}`;
}

/** What the help says, for programs. */
export function helpData(commands: readonly Command[]) {
  return {
    commands: commands.map(({ name, summary, positionals, options }) => ({
      name,
      summary,
      positionals,
      options: [...options, ...COMMON_OPTIONS],
    })),
  };
}

function isOnline(command: Command): boolean {
  return command.options.some((option) => CONNECTION_OPTIONS.includes(option));
}

function summaryRow({ name, positionals, summary }: Command): [string, string] {
  return [[name, ...positionals].join(' '), summary];
}

function optionRow(option: Option): [string, string] {
  return [optionUsage(option), option.help];
}

function optionUsage({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** A heading over two columns; what has several lines stays in its column. */
function section(heading: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const indent = `\n${' '.repeat(width + 4)}`;
  const lines = rows.map(
    ([left, right]) => `  ${left.padEnd(width)}  ${right.replaceAll('\n', indent)}`,
  );
  return [heading, ...lines].join('\n');
}
