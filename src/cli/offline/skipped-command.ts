import type { PoisonedCommandError } from '../../archivist/recovery.ts';
import { isExactNumber } from '../../client/exact-number.ts';
import type { Command, Skip } from '../../engine/command.ts';
import { ByteReader } from '../../engine/numbers/bytes.ts';
import type { State } from '../../engine/state.ts';
import { decodeCommand } from '../../log/codec.ts';
import type { Batch } from '../../log/log.ts';
import type { Result } from '../command.ts';
import { fields } from '../text.ts';
import { describeCommand } from './describe-command.ts';
import { cliError } from './finding.ts';

/** The command to skip, and the reason. */
export type Place = Omit<Skip, 'kind'>;

/** @throws CliError if the log ends before that batch */
export function checkBatchExists(end: number, { sequence }: Place): void {
  if (sequence <= end) return;
  throw cliError('NO_SUCH_COMMAND', `There is no batch ${sequence}: the log ends at ${end}.`);
}

/** @throws CliError if the batch has no such command */
export function commandIn({ count, payload }: Batch, { sequence, index }: Place): Command {
  if (index >= count) {
    const has = count === 0 ? 'no command' : `no command ${index}: its last one is ${count - 1}`;
    throw cliError('NO_SUCH_COMMAND', `Batch ${sequence} has ${has}.`);
  }
  const reader = new ByteReader(payload);
  for (let before = 0; before < index; before++) decodeCommand(reader);
  return decodeCommand(reader);
}

/** Rejects a command that was applied, as later snapshots show. @throws CliError */
export function refuseIfApplied(snapshots: readonly number[], { sequence, index }: Place): void {
  const later = snapshots.find((snapshot) => snapshot >= sequence);
  if (later === undefined) return;
  throw cliError(
    'APPLIED',
    `Command ${index} of batch ${sequence} was applied: the snapshot of batch ${later} includes it. Nothing was changed.`,
  );
}

/**
 * Returns why the command stops a replay; skipping a sound command would lose it.
 * @param stop The command that stopped the replay, if any.
 * @throws CliError if another command or none stopped it
 */
export function findCause(stop: PoisonedCommandError | undefined, { sequence, index }: Place) {
  if (stop?.sequence === sequence && stop.index === index) return stop.cause.message;
  if (stop === undefined) {
    throw cliError(
      'SOUND',
      `Command ${index} of batch ${sequence} does not stop a replay, so skipping would lose it. Nothing was changed.`,
    );
  }
  throw cliError(
    'NOT_THE_CAUSE',
    `Command ${stop.index} of batch ${stop.sequence} stops the replay, not this one. Nothing was changed.`,
  );
}

export function skippedAlready({ sequence, index }: Place) {
  return cliError(
    'SOUND',
    `Command ${index} of batch ${sequence} is already skipped. Nothing was changed.`,
  );
}

/** A command that is skipped from now on. */
export interface Skipped {
  readonly place: Place;
  readonly command: Command;
  /** Time of its batch, milliseconds since 1970. */
  readonly time: number;
  readonly cause: string;
  /** The state in which it breaks an invariant. */
  readonly state: State;
  /** Sequence of the batch with the record. */
  readonly recordedAs: number;
}

/** @param next Advice on the next step. */
export function toResult(skipped: Skipped, next: string): Result {
  const { place, command, time, cause, state, recordedAs } = skipped;
  const data = {
    sequence: place.sequence,
    index: place.index,
    time: new Date(time).toISOString(),
    command: describeCommand(command, state),
    cause,
    reason: place.reason,
    recordedAs,
  };
  return { data, text: `${describeSkip(data)}\n\nIt is recorded in the audit. ${next}` };
}

function describeSkip(data: {
  readonly sequence: number;
  readonly index: number;
  readonly time: string;
  readonly command: Record<string, unknown>;
  readonly cause: string;
  readonly reason: string;
  readonly recordedAs: number;
}): string {
  const { sequence, index, time, command, cause, reason, recordedAs } = data;
  return [
    `Command ${index} of batch ${sequence} is skipped from now on; batch ${recordedAs} records it.`,
    fields([
      ['Cause', cause],
      ['Reason', reason],
      ['Time', time],
    ]),
    `The command, in the units of the log:\n${fields(
      Object.entries(command).map(([name, value]) => [
        `  ${name}`,
        isExactNumber(value) || value === null ? value : String(value),
      ]),
    )}`,
  ].join('\n\n');
}
