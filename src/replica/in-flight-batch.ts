import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import type { Batch } from '../log/log.ts';

/** Called with the outcome of a command once it is durable and applied, and with its place in the log. */
export type Reply = (outcome: Outcome, batch: Batch, index: number) => void;
/**
 * Called if a command has no outcome: at once with AccountBacklogError or CommandTooLargeError, or later, in a cluster,
 * with CommandNotAppliedError or OutcomeUnknownError.
 */
export type OnError = (error: Error) => void;

/** Commands taken from the queue as one batch, with their callbacks and encoded bytes. */
export interface BatchCommands {
  readonly commands: readonly Command[];
  readonly replies: readonly Reply[];
  readonly onErrors: readonly OnError[];
  /** Valid until the next `take`. */
  readonly payload: Uint8Array;
}

/** A batch on its way into the log, and the reads that wait for it. */
export interface InFlightBatch extends BatchCommands {
  /** Reads that wait until everything before them in the log is applied. */
  reads: readonly Read[];
  /** Ticks, a quarter of a second apart, since it was sent. Counted because clocks may jump. */
  ticks: number;
  /** Whether its outcome was already reported as unknown. */
  isGivenUp: boolean;
}

export interface Read {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The default on a single node, where a command that is accepted cannot fail unless the process ends. */
export function raise(error: Error): never {
  throw error;
}
