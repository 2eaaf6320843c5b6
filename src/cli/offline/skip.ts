import { exactNumber, isExactNumber } from '../../client/exact-number.ts';
import { ByteReader, ByteWriter } from '../../engine/bytes.ts';
import { type Command, CommandKind, type Skip } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import type { State } from '../../engine/state.ts';
import { decodeCommand, encodeBatch } from '../../log/codec.ts';
import { FileLog } from '../../log/file-log.ts';
import {
  GENESIS,
  loadNewest,
  PoisonedCommandError,
  replay,
  skipsAfter,
} from '../../replica/recovery.ts';
import type { Result } from '../command.ts';
import { fields } from '../text.ts';
import { type DataDirectory, withDataDirectory } from './data-directory.ts';
import { refusal } from './finding.ts';

type Place = Omit<Skip, 'kind'>;

/**
 * Stores in the log that a command which stops every start is passed over.
 * @throws CliError unless the command is there, was never applied, and is what stops a replay.
 */
export function skip(path: string, place: Place): Promise<Result> {
  return withDataDirectory(path, async (directory) => {
    const { command, time } = findCommand(directory, place);
    refuseIfApplied(directory, place);
    const { cause, state } = findStop(directory, place);
    const data = {
      sequence: place.sequence,
      index: place.index,
      time: new Date(time).toISOString(),
      command: describe(command, state),
      cause,
      reason: place.reason,
      recordedAs: await record(directory, place),
    };
    return { data, text: textOf(data) };
  });
}

function findCommand(directory: DataDirectory, { sequence, index }: Place) {
  const end = directory.tail.end.sequence;
  if (sequence > end) {
    throw refusal('NO_SUCH_COMMAND', `There is no batch ${sequence}: the log ends at ${end}.`);
  }
  const [batch] = directory.log.read(sequence - 1);
  const { count, payload, time } = batch!;
  if (index >= count) {
    const last = count - 1;
    throw refusal(
      'NO_SUCH_COMMAND',
      `Batch ${sequence} has no command ${index}: its last one is ${last}.`,
    );
  }
  const reader = new ByteReader(payload);
  for (let before = 0; before < index; before++) decodeCommand(reader);
  return { command: decodeCommand(reader), time };
}

/** A snapshot holds what every command before it did. */
function refuseIfApplied(directory: DataDirectory, { sequence, index }: Place): void {
  const later = directory.snapshotSequences.find((snapshot) => snapshot >= sequence);
  if (later === undefined) return;
  throw refusal(
    'APPLIED',
    `Command ${index} of batch ${sequence} was applied: the snapshot of batch ${later} holds what it did. Nothing was changed.`,
  );
}

/** Why the command stops a replay, and the state in which it does. To skip a sound one would lose it. */
function findStop(directory: DataDirectory, { sequence, index }: Place) {
  const { log, snapshots, snapshotSequences } = directory;
  const from =
    snapshotSequences.length === 0
      ? { exchange: new Exchange(), position: GENESIS }
      : // A damaged snapshot is for verify to tell of.
        loadNewest(snapshots, sequence, () => {});
  try {
    replay(log, from);
  } catch (error) {
    if (!(error instanceof PoisonedCommandError)) throw error;
    if (error.sequence === sequence && error.index === index) {
      return { cause: (error.cause as Error).message, state: from.exchange.state };
    }
    throw refusal(
      'NOT_THE_CAUSE',
      `It is command ${error.index} of batch ${error.sequence} that stops a replay. Nothing was changed.`,
    );
  }
  const isSkipped = skipsAfter(log, from.position).has(`${sequence} ${index}`);
  throw refusal(
    'SOUND',
    `Command ${index} of batch ${sequence} ${isSkipped ? 'is skipped already' : 'stops nothing: to skip it would lose it'}. Nothing was changed.`,
  );
}

/** Appends the skip, alone in its batch; gives that batch's sequence once it is durable. */
async function record(directory: DataDirectory, place: Place): Promise<number> {
  const log = await FileLog.open({
    storage: directory.storage,
    directory: directory.logDirectory,
  });
  const payload = encodeBatch(new ByteWriter(), [{ kind: CommandKind.skip, ...place }]);
  const { sequence } = await log.append(Date.now(), 1, payload);
  await log.close();
  return sequence;
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
    'It stands in the audit. Start the node again; "buttonwood verify" proves that the books balance.',
  ].join('\n\n');
}
