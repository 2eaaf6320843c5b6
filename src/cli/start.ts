import { type Config, readConfig } from '../config/config.ts';
import type { Flags } from '../config/sources.ts';
import type { Environment } from './command.ts';
import { usageError } from './failure.ts';
import { parseRunOptions } from './program.ts';
import { selectFlags } from './run-options.ts';
import { checkVariables } from './variables.ts';

export interface StartOptions {
  readonly config: Config;
  readonly flags: Flags;
  /** Whether the sandbox is removed from the data directory first. */
  readonly isReset: boolean;
}

/**
 * Reads the options and settings of `start` (the sandbox) or `serve`.
 * @param argv The arguments after the command.
 * @throws CliError USAGE @throws ConfigError
 */
export function readStart(
  argv: readonly string[],
  env: Environment,
  isSandbox: boolean,
): StartOptions {
  const options = parseRunOptions(isSandbox ? 'start' : 'serve', argv);
  const flags = selectFlags(options);
  checkVariables(env);
  const config = readConfig(env, isSandbox, flags);
  const isReset = options.has('reset');
  if (isReset && !isSandbox)
    throw usageError('--reset is only for the sandbox. A real exchange never deletes its data.');
  return { config, flags, isReset };
}
