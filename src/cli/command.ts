import type { Arguments } from './arguments.ts';
import type { ExitCode } from './failure.ts';
import type { Form, Positional } from './forms.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Option {
  /** Name without dashes. */
  readonly name: string;
  /** Placeholder of the value in the help; an option without it is a switch. */
  readonly value?: string;
  readonly help: string;
  /** The form of the value; without it the command checks the value itself. */
  readonly form?: Form;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** Result of a command. */
export interface Result {
  /** Output with `--json`: one object with exact numbers. */
  readonly data: unknown;
  /** Output without `--json`. */
  readonly text: string;
  /** Further output with and without `--json`, line by line, for output that is too large for memory. */
  readonly lines?: Iterable<string>;
  /** Default 0. */
  readonly exitCode?: ExitCode;
}

/** A command, and its help. */
export interface Command {
  /** One to three words: `state`, `account create`, `sandbox fault add`. */
  readonly name: string;
  /** Names of the arguments after the command's name, as in the help. */
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  /** One line without a full stop. */
  readonly summary: string;
  /** Heading in the help; by default that of commands for a running or for a stopped node. */
  readonly group?: string;
  readonly run: (args: Arguments, env: Environment) => Promise<Result>;
}
