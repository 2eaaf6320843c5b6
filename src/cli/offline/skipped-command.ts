import type { PoisonedCommandError } from '../../archivist/recovery.ts';
import { exactNumber, isExactNumber } from '../../client/exact-number.ts';
import { type Command, CommandKind, type Skip } from '../../engine/command.ts';
import { ByteReader } from '../../engine/numbers/bytes.ts';
import type { State } from '../../engine/state.ts';
import { decodeCommand } from '../../log/codec.ts';
import type { Batch } from '../../log/log.ts';
import type { Result } from '../command.ts';
import { fields } from '../text.ts';
import { refusal } from './finding.ts';

/** Which command is to be passed over, and why. */
export type Place = Omit<Skip, 'kind'>;

/** @throws CliError where the log ends before that batch. */
export function refuseBeyond(end: number, { sequence }: Place): void {
  if (sequence <= end) return;
  throw refusal('NO_SUCH_COMMAND', `There is no batch ${sequence}: the log ends at ${end}.`);
}

/** @throws CliError where the batch has no such command. */
export function commandIn({ count, payload }: Batch, { sequence, index }: Place): Command {
  if (index >= count) {
    const has = count === 0 ? 'no command' : `no command ${index}: its last one is ${count - 1}`;
    throw refusal('NO_SUCH_COMMAND', `Batch ${sequence} has ${has}.`);
  }
  const reader = new ByteReader(payload);
  for (let before = 0; before < index; before++) decodeCommand(reader);
  return decodeCommand(reader);
}

/** A snapshot holds what every command before it did. @throws CliError where there is a later one. */
export function refuseIfApplied(snapshots: readonly number[], { sequence, index }: Place): void {
  const later = snapshots.find((snapshot) => snapshot >= sequence);
  if (later === undefined) return;
  throw refusal(
    'APPLIED',
    `Command ${index} of batch ${sequence} was applied: the snapshot of batch ${later} holds what it did. Nothing was changed.`,
  );
}

/**
 * Why the command stops a replay. To skip a sound one would lose it.
 * @param stop What stopped it, if anything did.
 * @throws CliError where it is another command, or none.
 */
export function causeOf(stop: PoisonedCommandError | undefined, { sequence, index }: Place) {
  if (stop?.sequence === sequence && stop.index === index) return stop.cause.message;
  if (stop === undefined) {
    throw refusal(
      'SOUND',
      `Command ${index} of batch ${sequence} stops nothing: to skip it would lose it. Nothing was changed.`,
    );
  }
  throw refusal(
    'NOT_THE_CAUSE',
    `It is command ${stop.index} of batch ${stop.sequence} that stops a replay. Nothing was changed.`,
  );
}

export function skippedAlready({ sequence, index }: Place) {
  return refusal(
    'SOUND',
    `Command ${index} of batch ${sequence} is skipped already. Nothing was changed.`,
  );
}

/** A command that is passed over from now on. */
export interface Skipped {
  readonly place: Place;
  readonly command: Command;
  /** Of its batch, milliseconds since 1970. */
  readonly time: number;
  readonly cause: string;
  /** The state in which it breaks an invariant. */
  readonly state: State;
  /** The batch that says so. */
  readonly recordedAs: number;
}

/** @param next What to do now. */
export function resultOf(skipped: Skipped, next: string): Result {
  const { place, command, time, cause, state, recordedAs } = skipped;
  const data = {
    sequence: place.sequence,
    index: place.index,
    time: new Date(time).toISOString(),
    command: describe(command, state),
    cause,
    reason: place.reason,
    recordedAs,
  };
  return { data, text: `${textOf(data)}\n\nIt stands in the audit. ${next}` };
}

/** A command as the log holds it, with names for the indexes in it. */
function describe({ kind, ...parts }: Command, state: State) {
  const names: Record<string, (index: number) => string | undefined> = {
    account: (index) => state.accounts[index]?.id,
    owner: (index) => state.accounts[index]?.id,
    key: (index) => state.keys[index]?.apiKey,
    market: (index) => state.markets[index]?.symbol,
    asset: (index) => state.assets[index]?.asset,
  };
  const described = Object.entries(parts).map(([name, value]): [string, unknown] => {
    if (typeof value === 'number' && names[name] !== undefined) {
      return [name, names[name](value) ?? null];
    }
    if (typeof value === 'bigint') return [name, exactNumber(String(value))];
    return [name, value instanceof Uint8Array ? value.toHex() : value];
  });
  const kindName = Object.entries(CommandKind).find(([, number]) => number === kind)![0];
  return { kind: kindName, ...Object.fromEntries(described) } as Record<string, unknown>;
}

function textOf(data: {
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
