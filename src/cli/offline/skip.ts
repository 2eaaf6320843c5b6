import {
  GENESIS,
  loadNewest,
  PoisonedCommandError,
  replay,
  skipsAfter,
} from '../../archivist/recovery.ts';
import { CommandKind } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteWriter } from '../../engine/numbers/bytes.ts';
import { encodeBatch } from '../../log/codec.ts';
import { FileLog } from '../../log/file-log.ts';
import type { Result } from '../command.ts';
import { type DataDirectory, refuseOtherUser, withDataDirectory } from './data-directory.ts';
import {
  checkBatchExists,
  commandIn,
  findCause,
  type Place,
  refuseIfApplied,
  skippedAlready,
  toResult,
} from './skipped-command.ts';

/**
 * Appends a record that a command which stops every start is skipped.
 * @throws CliError unless the command exists, was never applied, and stops a replay
 */
export function skip(path: string, place: Place): Promise<Result> {
  refuseOtherUser(path);
  return withDataDirectory(path, async (directory) => {
    checkBatchExists(directory.tail.end.sequence, place);
    const [batch] = directory.log.read(place.sequence - 1);
    const command = commandIn(batch!, place);
    refuseIfApplied(directory.snapshotSequences, place);
    const { cause, state } = findStop(directory, place);
    const recordedAs = await record(directory, place);
    return toResult(
      { place, command, time: batch!.time, cause, state, recordedAs },
      'Start the node again. "buttonwood verify" checks that the books balance.',
    );
  });
}

/** Returns why the command stops a replay, and the state before it. */
function findStop(directory: DataDirectory, place: Place) {
  const { log, snapshots, snapshotSequences } = directory;
  const from =
    snapshotSequences.length === 0
      ? { exchange: new Exchange(), position: GENESIS }
      : // `buttonwood verify` reports damaged snapshots.
        loadNewest(snapshots, place.sequence, () => {});
  let stop: PoisonedCommandError | undefined;
  try {
    replay(log, from);
  } catch (error) {
    if (!(error instanceof PoisonedCommandError)) throw error;
    stop = error;
  }
  const isSkipped = skipsAfter(log, from.position).has(`${place.sequence} ${place.index}`);
  if (stop === undefined && isSkipped) throw skippedAlready(place);
  return { cause: findCause(stop, place), state: from.exchange.state };
}

/** Appends the record as one batch. @returns Its sequence once it is durable. */
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
