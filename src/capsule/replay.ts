import type { Command } from '../engine/command.ts';
import type { Event } from '../engine/event.ts';
import { ENGINE_VERSION, Exchange } from '../engine/exchange.ts';
import { ByteReader } from '../engine/numbers/bytes.ts';
import { InvariantError } from '../engine/rejection.ts';
import { writeSnapshot } from '../engine/snapshot/snapshot.ts';
import { decodeCommand } from '../log/codec.ts';
import type { Batch } from '../log/log.ts';
import type { ExpectedBatch } from './batches.ts';
import type { Capsule } from './capsule.ts';
import { CapsuleError } from './errors.ts';
import { differs, type Failure, type Trace, traceBatch } from './trace.ts';

/** The effect of a command. */
export interface Effect {
  /** The state's digest after it; 0 if it was not applied. */
  readonly digest: number;
  /** The code of its rejection; 0 if it was not rejected. */
  readonly rejection: number;
  /** The invariant that it broke. */
  readonly failure: string | undefined;
}

/** The numbers and texts of an event, in the units of the log. */
export type EventValues = Readonly<Record<string, number | bigint | string | boolean>>;

/** The first command that does not do the same as when the capsule was written. */
export interface Difference {
  readonly batch: Pick<Batch, 'sequence' | 'time'>;
  readonly index: number;
  readonly command: Command;
  /** Its events in this release; undefined if it was not applied, or broke an invariant. */
  readonly events: readonly EventValues[] | undefined;
  readonly expected: Effect;
  readonly actual: Effect;
}

/** The result of replaying a capsule. */
export interface CapsuleReplay {
  /** The exchange at the end, or after the batch of the difference. */
  readonly exchange: Exchange;
  readonly difference: Difference | undefined;
  /** SHA-256 of the state at the end; null after a failure or a difference. */
  readonly stateHash: string | null;
}

/**
 * Replays a capsule with the engine of this release, up to the first difference.
 * @param onBatch Called before each batch.
 * @throws CapsuleError if the capsule needs a newer release, or is damaged
 */
export function replayCapsule(
  capsule: Capsule,
  onBatch: (batch: Batch) => void = () => {},
): CapsuleReplay {
  const { summary, skips } = capsule;
  if (summary.engineVersion > ENGINE_VERSION) {
    throw new CapsuleError(
      `The capsule needs engine version ${summary.engineVersion}, this release has ${ENGINE_VERSION}. Use a newer release.`,
    );
  }
  const exchange = new Exchange();
  for (const each of capsule.batches()) {
    onBatch(each.batch);
    const known = summary.failure?.sequence === each.batch.sequence ? summary.failure : null;
    const difference = rejectUndecodable(each.batch, () =>
      compareBatch(exchange, each, skips, known),
    );
    if (difference !== undefined) return { exchange, difference, stateHash: null };
  }
  const stateHash =
    summary.failure === null ? Bun.SHA256.hash(writeSnapshot(exchange), 'hex') : null;
  return { exchange, difference: undefined, stateHash };
}

/** @param known The command of this batch that broke an invariant when the capsule was written. */
function compareBatch(
  exchange: Exchange,
  { batch, expected }: ExpectedBatch,
  skips: ReadonlySet<string>,
  known: Failure | null,
): Difference | undefined {
  let events: Difference['events'];
  const actual = traceBatch(exchange, batch, skips, (trace, index) => {
    if (events !== undefined || !differs(expected, trace, index)) return;
    // Kept now: the next command overwrites the events.
    events = exchange.events.map(keepValues);
  });
  const { failure = null } = actual;
  const index = findDifference(expected, actual, known, failure);
  if (index === undefined) return undefined;
  return {
    batch,
    index,
    command: decodeAt(batch, index),
    events,
    expected: toEffect(expected, known, index),
    actual: toEffect(actual, failure, index),
  };
}

/** Returns the index of the first command that differs; undefined if none does. */
function findDifference(
  expected: Trace,
  actual: Trace,
  known: Failure | null,
  failure: Failure | null,
): number | undefined {
  const indexes = expected.digests.keys();
  const index = indexes.find((each) => differs(expected, actual, each));
  if (index !== undefined) return index;
  // Both fail at the same command, whose digest is zero in both.
  return failure?.message === known?.message ? undefined : (failure ?? known)!.index;
}

function decodeAt({ payload }: Batch, index: number): Command {
  const reader = new ByteReader(payload);
  for (let before = 0; before < index; before++) decodeCommand(reader);
  return decodeCommand(reader);
}

/** Returns the numbers and texts of an event, without the parts of the state that it refers to. */
function keepValues(event: Event): EventValues {
  const values = Object.entries(event).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(values) as EventValues;
}

function toEffect({ digests, rejections }: Trace, failure: Failure | null, index: number): Effect {
  return {
    digest: digests[index]!,
    rejection: rejections[index]!,
    failure: failure?.index === index ? failure.message : undefined,
  };
}

/** @throws CapsuleError if the commands of the batch cannot be decoded */
function rejectUndecodable<T>({ sequence }: Batch, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof InvariantError)) throw error;
    throw new CapsuleError(`Batch ${sequence} of the capsule cannot be decoded: ${error.message}.`);
  }
}
