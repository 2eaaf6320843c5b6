import type { Arguments } from './arguments.ts';
import type { ExitCode } from './failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** What stands for the value in the help; without it the option is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** What a command came to. */
export interface Result {
  /** For programs: one JSON object, numbers exact. */
  readonly data: unknown;
  /** For people. */
  readonly text: string;
  /** 0 unless given. */
  readonly exitCode?: ExitCode;
}

/** One thing that can be asked for. The help is made of these too. */
export interface Command {
  /** One or two words: `account create`, `state`. */
  readonly name: string;
  /** What the arguments behind the name are called in the help. */
  readonly positionals: readonly string[];
  readonly options: readonly Option[];
  /** A line without a full stop. */
  readonly summary: string;
  readonly run: (args: Arguments, env: Environment) => Promise<Result>;
}
