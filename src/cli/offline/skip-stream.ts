import type { ObjectSnapshots } from '../../archivist/snapshots/object-snapshots.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { CommandKind } from '../../engine/command.ts';
import type { Result } from '../command.ts';
import { appendBatch, withStreamLog } from './append-to-stream.ts';
import { cliError } from './finding.ts';
import { type LogStream, withLogStream } from './log-stream.ts';
import {
  checkBatchExists,
  commandIn,
  findCause,
  type Place,
  refuseIfApplied,
  skippedAlready,
  toResult,
} from './skipped-command.ts';
import { StopSearch } from './stop-search.ts';

/**
 * Skips a command that stops all nodes: appends a record to the log, then a mark in the object store, which nodes read
 * before they apply anything. If only the first succeeds, running it again completes the second.
 * @throws CliError unless the command exists, was applied by no node, and stops a replay
 */
export function skipInStream(settings: JetStreamConfig, place: Place): Promise<Result> {
  return withLogStream(settings, async (stream) => {
    const snapshots = openSnapshots(stream);
    const end = await stream.messages.lastSequence();
    checkBatchExists(end, place);
    const marked = await snapshots.skips();
    const isMarked = marked.has(`${place.sequence} ${place.index}`);
    const sequences = await snapshots.sequences();
    if (isMarked && sequences.some((each) => each >= place.sequence)) throw skippedAlready(place);
    refuseIfApplied(sequences, place);
    const search = new StopSearch(place, marked);
    await search.run(stream, snapshots, end);
    if (isMarked && search.record !== undefined) throw skippedAlready(place);
    const batch = search.batch!;
    const command = commandIn(batch, place);
    const cause = findCause(search.stop, place);
    search.refuseIfApplied();
    const { sequence: recordedAs, reason } = search.record ?? (await append(stream, search, place));
    await note(snapshots, place, recordedAs);
    const { time } = batch;
    const { state } = search.exchange;
    return toResult(
      { place: { ...place, reason }, command, time, cause, state, recordedAs },
      'Start the nodes again. "buttonwood verify" checks that the books balance.',
    );
  });
}

function openSnapshots({ name, snapshots }: LogStream): ObjectSnapshots {
  if (snapshots !== undefined) return snapshots;
  throw cliError(
    'NO_SNAPSHOTS',
    `There is no object store ${name}-snapshots for the mark. Start a node, which creates it before it stops, then run the command again.`,
  );
}

const IF_UNKNOWN =
  'it is unknown whether the log has the record. Check that most NATS servers run, then run the command again; it records nothing twice.';

/** Appends the record under its own node name. @returns The position of its batch. */
function append(
  stream: LogStream,
  search: StopSearch,
  place: Place,
): Promise<NonNullable<StopSearch['record']>> {
  return withStreamLog(stream, search.log, 'skip', IF_UNKNOWN, async (log) => {
    await log.follow((batch) => search.note(batch));
    await log.join();
    search.refuseIfApplied();
    // Another operator may have recorded it in the meantime.
    if (search.record !== undefined) return search.record;
    const sequence = await appendBatch(log, [{ kind: CommandKind.skip, ...place }]);
    return { sequence, reason: place.reason };
  });
}

/** Marks the command as skipped for the next start of each node. */
async function note(snapshots: ObjectSnapshots, place: Place, recordedAs: number): Promise<void> {
  const { sequence, index } = place;
  try {
    await snapshots.skip(sequence, index);
  } catch (error) {
    throw cliError(
      'HALF_DONE',
      `Batch ${recordedAs} records that command ${index} of batch ${sequence} is skipped, but it could not be marked in the object store (${(error as Error).message}). ` +
        'Nodes would stop there again. Run the command again; it records nothing twice.',
    );
  }
}
