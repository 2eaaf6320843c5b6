import { showConfig } from '../../config/config.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Environment, Result } from '../command.ts';
import { readSettings, selectFlags, settingOptions } from '../run-options.ts';
import { table } from '../text.ts';

/** Prints the settings that a start with the same flags and environment would use, or why it would fail. */
export const configCommand: Command = {
  name: 'config',
  positionals: [],
  options: [
    {
      name: 'sandbox',
      help: 'check the settings of "buttonwood start" instead of "buttonwood serve"',
    },
    ...settingOptions(true),
  ],
  summary: 'show every setting and its source, and check them',
  run: async (args, env) => readSettings(() => show(args, env)),
};

function show(args: Arguments, env: Environment): Result {
  const shown = showConfig(env, args.has('sandbox'), selectFlags(args));
  const data = Object.fromEntries(
    shown.map(({ name, value, from }) => [name, { value: value ?? null, from }]),
  );
  const rows = shown.map(({ name, value, from }) => [name, value, from]);
  return { data, text: table(['Setting', 'Value', 'From'], rows) };
}
