import { ConfigError, showConfig } from '../config.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Environment, Result } from './command.ts';
import { CliError, ExitCode } from './failure.ts';
import { flagsOf, settingOptions } from './run-options.ts';
import { table } from './text.ts';

/** Shows what a start with the same flags and environment would take, or why it would refuse. */
export const configCommand: Command = {
  name: 'config',
  positionals: [],
  options: [
    { name: 'sandbox', help: 'as "buttonwood start" takes it, not "buttonwood serve"' },
    ...settingOptions(true),
  ],
  summary: 'show every setting, where it comes from, and whether a start would take it',
  run: async (args, env) => {
    try {
      return show(args, env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new CliError(ExitCode.failed, 'CONFIG', error.message);
    }
  },
};

function show(args: Arguments, env: Environment): Result {
  const shown = showConfig(env, args.has('sandbox'), flagsOf(args));
  const data = Object.fromEntries(
    shown.map(({ name, value, from }) => [name, { value: value ?? null, from }]),
  );
  const rows = shown.map(({ name, value, from }) => [name, value, from]);
  return { data, text: table(['Setting', 'Value', 'From'], rows) };
}
