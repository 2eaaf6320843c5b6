import { createInterface } from 'node:readline/promises';
import type { Arguments } from './arguments.ts';
import type { Option } from './command.ts';
import { CliError, ExitCode, usageError } from './failure.ts';

/** Confirms a command that deletes something, for scripts. */
export const YES_OPTION: Option = { name: 'yes', help: 'do not ask for confirmation' };

/** The terminal in which a question is asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

// The output of the command itself stays what scripts read.
const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Asks the user to confirm a command, unless it has the option `--yes`.
 * @param consequence What the command does, as a sentence.
 * @throws CliError USAGE if there is no terminal to ask in, CANCELED if the answer is not yes
 */
export async function confirm(
  args: Arguments,
  consequence: string,
  { input, output }: Terminal = TERMINAL,
): Promise<void> {
  if (args.has(YES_OPTION.name)) return;
  if (input.isTTY !== true) throw usageError(`${consequence} Add --yes if that is what you want.`);
  const lines = createInterface({ input, output });
  try {
    const answer = await lines.question(`${consequence} Continue? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    lines.close();
  }
  throw new CliError(ExitCode.failed, 'CANCELED', 'Nothing was changed.');
}
