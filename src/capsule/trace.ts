import { applyBatch, PoisonedCommandError, type Skips } from '../archivist/recovery.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { Batch } from '../log/log.ts';

/** The effects of the commands of a batch, one element per command. A command that was not applied has zeros. */
export interface Trace {
  /** The state's digest after the command. */
  readonly digests: Uint32Array;
  /** The code of its rejection; 0 if it was not rejected. */
  readonly rejections: Uint8Array;
}

/** A command that breaks an invariant. Nothing after it is applied. */
export interface Failure {
  readonly sequence: number;
  readonly index: number;
  readonly message: string;
}

/** The result of applying a batch. */
export interface Traced extends Trace {
  readonly failure: Failure | undefined;
}

/** Called after each command that was applied, with the trace up to it; its events are in `exchange.events`. */
export type OnApplied = (trace: Trace, index: number) => void;

/** Applies a batch and records what its commands did. @throws EngineVersionError, RangeError if it cannot be decoded */
export function traceBatch(
  exchange: Exchange,
  batch: Batch,
  skips: Skips,
  onApplied: OnApplied = () => {},
): Traced {
  const digests = new Uint32Array(batch.count);
  const rejections = new Uint8Array(batch.count);
  let failure: Failure | undefined;
  try {
    applyBatch(exchange, batch, skips, (_batch, index, _command, outcome) => {
      digests[index] = exchange.state.digest;
      rejections[index] = outcome.kind === 'rejected' ? outcome.code : 0;
      onApplied({ digests, rejections }, index);
    });
  } catch (error) {
    if (!(error instanceof PoisonedCommandError)) throw error;
    const { sequence, index, cause } = error;
    failure = { sequence, index, message: cause.message };
  }
  return { digests, rejections, failure };
}

/** Returns whether a command did something else. */
export function differs(expected: Trace, actual: Trace, index: number): boolean {
  return (
    expected.digests[index] !== actual.digests[index] ||
    expected.rejections[index] !== actual.rejections[index]
  );
}
