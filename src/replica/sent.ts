import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import type { CommandUndoneError, OutcomeUnknownError } from './errors.ts';

/** Told what became of a command, once it is durable and applied. */
export type Reply = (outcome: Outcome) => void;
/** Told that a command was not carried out, and never will be, or that nobody can know yet: with a shared log only. */
export type Fail = (error: CommandUndoneError | OutcomeUnknownError) => void;

/** Commands that were sent together, and who waits for them. */
export interface Sent {
  readonly commands: readonly Command[];
  readonly replies: readonly Reply[];
  readonly fails: readonly Fail[];
  /** Reads that wait for all that was in the log before them. */
  reads: readonly Read[];
  /** How often the replica has looked for it in vain, every quarter of a second: clocks may jump. */
  looks: number;
  /** Those who waited were told that the outcome is unknown. */
  isGivenUp: boolean;
}

export interface Read {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The callbacks of a tick: time passes with the next batch if not with this one. */
export function ignore(): void {}

/** The default for commands submitted to a single node's log, where no failure is reported: the process ends. */
export function raise(error: Error): never {
  throw error;
}
