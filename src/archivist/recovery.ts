import { type Command, CommandKind, type Skip } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { ByteReader } from '../engine/numbers/bytes.ts';
import { EngineVersionError } from '../engine/rejection.ts';
import { readSnapshot } from '../engine/snapshot/snapshot.ts';
import { HistoryForeignError } from '../history/errors.ts';
import { decodeCommand } from '../log/codec.ts';
import type { Batch, Log, Position } from '../log/log.ts';
import * as logger from '../monitoring/logger.ts';
import { StoredDataError } from '../monitoring/operator-error.ts';
import { SnapshotDamagedError, type SnapshotStore } from './snapshots/snapshots.ts';

export const GENESIS: Position = { sequence: 0, hash: new Uint8Array(32) };

/** An exchange and the last batch that it applied. */
export interface Recovered {
  readonly exchange: Exchange;
  readonly position: Position;
}

/** Commands that an operator has skipped, as `sequence index`. */
export type Skips = ReadonlySet<string>;

/** A command broke an invariant. It is durable, so every start fails at it until an operator skips it. */
export class PoisonedCommandError extends StoredDataError {
  override readonly name = 'PoisonedCommandError';
  /** @param log Command line options that name the log. */
  constructor(
    readonly sequence: number,
    readonly index: number,
    override readonly cause: Error,
    log = '--data DIR',
  ) {
    super(
      `Command ${index} of batch ${sequence} breaks an invariant: ${cause.message}. No later command was answered. ` +
        `Report it with the log. To continue without it: buttonwood skip ${log} --sequence ${sequence} --index ${index} --reason "…"`,
      { cause },
    );
  }
}

const TOGETHER =
  'If this is the database of another exchange, set the database of this one. If the database or the log was restored ' +
  'from a backup, restore both from the same backup. Never drop the history of a cluster or delete its snapshots: its ' +
  'log is trimmed, so neither could be rebuilt.';

/**
 * Adapts the advice of an error to a log on NATS: commands name the stream, and nothing can be rebuilt from a log that
 * is trimmed.
 */
export function inStream(error: Error, stream: string): Error {
  if (error instanceof HistoryForeignError) return new HistoryForeignError(error.finding, TOGETHER);
  if (!(error instanceof PoisonedCommandError)) return error;
  const log = `--log nats://… --log-stream ${stream}`;
  return new PoisonedCommandError(error.sequence, error.index, error.cause, log);
}

/**
 * Loads the newest snapshot at or before `limit`, or an empty exchange if there is none. Damaged snapshots are skipped:
 * the log holds everything.
 */
export function loadNewest(
  snapshots: SnapshotStore,
  limit = Number.POSITIVE_INFINITY,
  warn: (message: string) => void = logger.warn,
): Recovered {
  for (const sequence of snapshots.sequences()) {
    if (sequence > limit) continue;
    try {
      const { position, state } = snapshots.read(sequence);
      return { exchange: readSnapshot(state), position };
    } catch (error) {
      if (!(error instanceof SnapshotDamagedError)) throw error;
      warn(error.message);
    }
  }
  return { exchange: new Exchange(), position: GENESIS };
}

/**
 * Brings an exchange up to the end of the log.
 * @param visit Called with every command's outcome; its events are in `exchange.events`.
 * @returns The end of the log.
 */
export function replay(log: Pick<Log, 'read'>, from: Recovered, visit?: Visit): Position {
  const skips = skipsAfter(log, from.position);
  let { position } = from;
  for (const batch of log.read(position.sequence, position.hash)) {
    applyBatch(from.exchange, batch, skips, visit);
    position = { sequence: batch.sequence, hash: batch.hash };
  }
  return position;
}

/** A log that may have to be waited for, because parts of it are in an archive. */
export interface ReadableLog {
  read(afterSequence: number, hash?: Uint8Array): Iterable<Batch> | AsyncIterable<Batch>;
}

/** Replays the log in turns, so that the thread does its other work, such as heartbeats, in between. */
export async function replayInTurns(log: ReadableLog, from: Recovered): Promise<void> {
  const { sequence, hash } = from.position;
  const skips = new Set<string>();
  await inTurns(log.read(sequence, hash), (batch) => noteSkip(batch, skips));
  await inTurns(log.read(sequence, hash), (batch) => applyBatch(from.exchange, batch, skips));
}

const TURN_MS = 20;

async function inTurns(
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  take: (batch: Batch) => void,
): Promise<void> {
  let until = performance.now() + TURN_MS;
  for await (const batch of batches) {
    take(batch);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    until = performance.now() + TURN_MS;
  }
}

export type Visit = (batch: Batch, index: number, command: Command, outcome: Outcome) => void;

/** Applies one batch of the log. @throws PoisonedCommandError */
export function applyBatch(exchange: Exchange, batch: Batch, skips: Skips, visit?: Visit): void {
  const reader = new ByteReader(batch.payload);
  const commands = Array.from({ length: batch.count }, () => decodeCommand(reader));
  if (isDuplicateGenesis(exchange, commands)) return;
  exchange.prefetch(commands);
  for (let index = 0; index < batch.count; index++) {
    const command = commands[index]!;
    if (skips.size > 0 && skips.has(`${batch.sequence} ${index}`)) continue;
    const outcome = applyCommand(exchange, batch, index, command);
    visit?.(batch, index, command, outcome);
  }
}

/**
 * Returns whether a batch creates an exchange that exists already. If several nodes create one at the same time, the
 * first batch counts and the others are skipped. `open` alone in a batch is an error of its sender instead.
 */
export function isDuplicateGenesis({ state }: Exchange, commands: readonly Command[]): boolean {
  return commands.length > 1 && commands[0]!.kind === CommandKind.open && state.version !== 0;
}

/** Applies one command. @throws PoisonedCommandError if it breaks an invariant */
export function applyCommand(
  exchange: Exchange,
  batch: Pick<Batch, 'sequence' | 'time'>,
  index: number,
  command: Command,
): Outcome {
  try {
    return exchange.apply(command, batch.time);
  } catch (error) {
    // A later release accepts the command, so it must not be skipped.
    if (error instanceof EngineVersionError) throw error;
    throw new PoisonedCommandError(batch.sequence, index, error as Error);
  }
}

/**
 * Collects the skips that the log holds after a position. They come after the commands that they skip, so they are
 * collected before anything is applied. A skip is always alone in its batch.
 */
export function skipsAfter(log: Pick<Log, 'read'>, position: Position): Skips {
  const skips = new Set<string>();
  for (const batch of log.read(position.sequence, position.hash)) noteSkip(batch, skips);
  return skips;
}

export function noteSkip(batch: Batch, skips: Set<string>): void {
  for (const skip of skipsIn(batch)) skips.add(skip);
}

/** Returns the command that a batch skips, as `sequence index`; a skip is always alone in its batch. */
export function skipsIn(batch: Batch): string[] {
  if (batch.payload[0] !== CommandKind.skip) return [];
  const skip = decodeCommand(new ByteReader(batch.payload)) as Skip;
  return [`${skip.sequence} ${skip.index}`];
}
