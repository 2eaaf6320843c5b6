import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';

/** Called with the outcome of a command once it is durable and applied. */
export type Reply = (outcome: Outcome) => void;
/**
 * Called when a command has no outcome: at once with AccountBacklogError or CommandTooLargeError, or later, on a
 * clustered log only, with CommandNotAppliedError or OutcomeUnknownError.
 */
export type OnError = (error: Error) => void;

/** Commands taken from the queue as one batch, with their callbacks and encoded bytes. */
export interface BatchCommands {
  readonly commands: readonly Command[];
  readonly replies: readonly Reply[];
  readonly fails: readonly OnError[];
  /** Valid until the next `take`. */
  readonly payload: Uint8Array;
}

/** A batch on its way into the log, and the reads that wait for it. */
export interface InFlightBatch extends BatchCommands {
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

/** The default for commands submitted to a single node's log, where no failure is reported: the process ends. */
export function raise(error: Error): never {
  throw error;
}
