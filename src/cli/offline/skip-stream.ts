import type { ObjectSnapshots } from '../../archivist/snapshots/object-snapshots.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { CommandKind } from '../../engine/command.ts';
import type { Result } from '../command.ts';
import { appendAlone, asNode } from './append-to-stream.ts';
import { refusal } from './finding.ts';
import { type LogStream, withLogStream } from './log-stream.ts';
import {
  causeOf,
  commandIn,
  type Place,
  refuseBeyond,
  refuseIfApplied,
  resultOf,
  skippedAlready,
} from './skipped-command.ts';
import { StopSearch } from './stop-search.ts';

/**
 * Has a command that stops all nodes passed over: appends to the log that it is, then notes it beside the
 * snapshots, where nodes look before they apply anything. Where only the first was done it is to be run again.
 * @throws CliError unless the command is there, was applied by no node, and is what stops a replay.
 */
export function skipInStream(settings: JetStreamConfig, place: Place): Promise<Result> {
  return withLogStream(settings, async (stream) => {
    const snapshots = snapshotsOf(stream);
    const end = await stream.messages.lastSequence();
    refuseBeyond(end, place);
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
    const cause = causeOf(search.stop, place);
    search.refuseIfApplied();
    const { sequence: recordedAs, reason } = search.record ?? (await append(stream, search, place));
    await note(snapshots, place, recordedAs);
    const { time } = batch;
    const { state } = search.exchange;
    return resultOf(
      { place: { ...place, reason }, command, time, cause, state, recordedAs },
      'Start the nodes again; "buttonwood verify" proves that the books balance.',
    );
  });
}

function snapshotsOf({ name, snapshots }: LogStream): ObjectSnapshots {
  if (snapshots !== undefined) return snapshots;
  throw refusal(
    'NO_SNAPSHOTS',
    `There is no object store ${name}-snapshots to note it in. Start a node: it makes one before it stops. Then run this again.`,
  );
}

const IF_UNKNOWN =
  'whether the log has the skip is not known. See that most of the NATS servers run, then run the same again: what is recorded is not recorded twice.';

/** Appends the skip as a node of its own; returns the place of its batch once it is in the log. */
function append(
  stream: LogStream,
  search: StopSearch,
  place: Place,
): Promise<NonNullable<StopSearch['record']>> {
  return asNode(stream, search.log, 'skip', IF_UNKNOWN, async (log) => {
    await log.follow((batch) => search.note(batch));
    await log.join();
    search.refuseIfApplied();
    // Another operator may have been faster.
    if (search.record !== undefined) return search.record;
    const sequence = await appendAlone(log, [{ kind: CommandKind.skip, ...place }]);
    return { sequence, reason: place.reason };
  });
}

/** Has nodes pass over the command from their next start on. */
async function note(snapshots: ObjectSnapshots, place: Place, recordedAs: number): Promise<void> {
  const { sequence, index } = place;
  try {
    await snapshots.skip(sequence, index);
  } catch (error) {
    throw refusal(
      'HALF_DONE',
      `Batch ${recordedAs} records that command ${index} of batch ${sequence} is skipped, but it could not be noted beside the snapshots (${(error as Error).message}), ` +
        'where nodes look for it: they would stop there again. Run the same again: it will be noted, and not recorded twice.',
    );
  }
}
