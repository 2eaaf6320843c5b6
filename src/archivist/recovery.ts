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

/** An exchange and the batch it has applied last. */
export interface Recovered {
  readonly exchange: Exchange;
  readonly position: Position;
}

/** Commands that an operator has had passed over, as `sequence index`. */
export type Skips = ReadonlySet<string>;

/**
 * A command broke an invariant. It is durable, so it would do so at every start: only a `skip`
 * lets the exchange go on without it.
 */
export class PoisonedCommandError extends StoredDataError {
  override readonly name = 'PoisonedCommandError';
  /** @param log Names the log it stands in, in the words of the command line. */
  constructor(
    readonly sequence: number,
    readonly index: number,
    override readonly cause: Error,
    log = '--data DIR',
  ) {
    super(
      `Command ${index} of batch ${sequence} breaks an invariant: ${cause.message}. Nothing after it was answered. ` +
        `Report it with the log. To go on without it: buttonwood skip ${log} --sequence ${sequence} --index ${index} --reason "…"`,
      { cause },
    );
  }
}

const TOGETHER =
  'If this is the database of another exchange, name the one that this exchange has had. If either was put back from ' +
  'a copy, restore database and log together, from one backup. Never drop the history of an exchange of many nodes or ' +
  'delete its snapshots: its log is trimmed, and neither could be made again.';

/**
 * An error of who reads a log on NATS: a command to type names that log in it, and what can be made again from a log
 * in files, which hold all of it, cannot be from one that is trimmed.
 */
export function inStream(error: Error, stream: string): Error {
  if (error instanceof HistoryForeignError) return new HistoryForeignError(error.finding, TOGETHER);
  if (!(error instanceof PoisonedCommandError)) return error;
  const log = `--log nats://… --log-stream ${stream}`;
  return new PoisonedCommandError(error.sequence, error.index, error.cause, log);
}

/**
 * The newest whole snapshot at or before `limit`, or the empty exchange where there is none.
 * A damaged one is passed over: the log holds all that it held.
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
 * @param visit Sees every command's outcome; its events stand in `exchange.events`.
 * @returns Where the log ended.
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

/** The same in turns: what else the thread has to do, such as to say that it lives, is done in between. */
export async function replayInTurns(log: Pick<Log, 'read'>, from: Recovered): Promise<void> {
  const { sequence, hash } = from.position;
  const skips = new Set<string>();
  await inTurns(log.read(sequence, hash), (batch) => noteSkip(batch, skips));
  await inTurns(log.read(sequence, hash), (batch) => applyBatch(from.exchange, batch, skips));
}

const TURN_MS = 20;

async function inTurns(batches: Iterable<Batch>, take: (batch: Batch) => void): Promise<void> {
  let until = performance.now() + TURN_MS;
  for (const batch of batches) {
    take(batch);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    until = performance.now() + TURN_MS;
  }
}

export type Visit = (batch: Batch, index: number, command: Command, outcome: Outcome) => void;

/** Applies one batch as the log holds it. @throws PoisonedCommandError */
export function applyBatch(exchange: Exchange, batch: Batch, skips: Skips, visit?: Visit): void {
  const reader = new ByteReader(batch.payload);
  const commands = Array.from({ length: batch.count }, () => decodeCommand(reader));
  if (beginsAnew(exchange, commands)) return;
  exchange.prefetch(commands);
  for (let index = 0; index < batch.count; index++) {
    const command = commands[index]!;
    if (skips.size > 0 && skips.has(`${batch.sequence} ${index}`)) continue;
    const outcome = applyCommand(exchange, batch, index, command);
    visit?.(batch, index, command, outcome);
  }
}

/**
 * Of nodes that begin an exchange together one is first: what the others begin it with is passed over. That is
 * always more than `open` alone, which is a mistake wherever an exchange is open.
 */
export function beginsAnew({ state }: Exchange, commands: readonly Command[]): boolean {
  return commands.length > 1 && commands[0]!.kind === CommandKind.open && state.version !== 0;
}

/** Applies one command, naming its place should it break an invariant. */
export function applyCommand(
  exchange: Exchange,
  batch: Pick<Batch, 'sequence' | 'time'>,
  index: number,
  command: Command,
): Outcome {
  try {
    return exchange.apply(command, batch.time);
  } catch (error) {
    // A later release takes it: nothing is to be passed over.
    if (error instanceof EngineVersionError) throw error;
    // Whatever it throws, it would throw at every start.
    throw new PoisonedCommandError(batch.sequence, index, error as Error);
  }
}

/**
 * The skips that the log holds after a position. They stand behind the commands they speak of, so
 * they are gathered before anything is applied. A skip is always alone in its batch.
 */
export function skipsAfter(log: Pick<Log, 'read'>, position: Position): Skips {
  const skips = new Set<string>();
  for (const batch of log.read(position.sequence, position.hash)) noteSkip(batch, skips);
  return skips;
}

export function noteSkip(batch: Batch, skips: Set<string>): void {
  if (batch.payload[0] !== CommandKind.skip) return;
  const skip = decodeCommand(new ByteReader(batch.payload)) as Skip;
  skips.add(`${skip.sequence} ${skip.index}`);
}
