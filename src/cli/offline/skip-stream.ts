import type { JetStreamConfig } from '../../config.ts';
import { ByteWriter } from '../../engine/bytes.ts';
import { CommandKind } from '../../engine/command.ts';
import { encodeBatch } from '../../log/codec.ts';
import { NOTHING_APPLIED } from '../../log/envelope.ts';
import { machineClock } from '../../log/message-stream.ts';
import { StreamLog } from '../../log/stream-log.ts';
import { TOKEN_BYTES } from '../../log/stream-state.ts';
import type { ObjectSnapshots } from '../../replica/object-snapshots.ts';
import type { Result } from '../command.ts';
import { refusal } from './finding.ts';
import { isOfNats, type LogStream, withLogStream } from './log-stream.ts';
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

/** For how long the servers are asked to take it: without a majority they take nothing. */
const APPEND_WITHIN_MS = 15_000;

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

/** Appends the skip, alone in its batch, as a node of its own; gives that batch's place once it is in the log. */
async function append(
  stream: LogStream,
  search: StopSearch,
  place: Place,
): Promise<NonNullable<StopSearch['record']>> {
  const failure = Promise.withResolvers<never>();
  const log = new StreamLog({
    stream: stream.messages,
    node: `skip-${crypto.getRandomValues(new Uint8Array(4)).toHex()}`,
    token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
    state: search.log,
    clock: machineClock,
    onFailure: failure.reject,
  });
  const wait = machineClock.after(APPEND_WITHIN_MS);
  const tooLong = wait.over.then(() => {
    throw unknown(`NATS has not taken it in ${APPEND_WITHIN_MS / 1000} s`);
  });
  try {
    return await Promise.race([record(log, search, place), failure.promise, tooLong]);
  } catch (error) {
    throw isOfNats(error) ? unknown(error.message) : error;
  } finally {
    wait.stop();
  }
}

async function record(log: StreamLog, search: StopSearch, place: Place) {
  await log.follow((batch) => search.note(batch));
  await log.join();
  search.refuseIfApplied();
  // Another operator may have been faster.
  if (search.record !== undefined) return search.record;
  const payload = encodeBatch(new ByteWriter(), [{ kind: CommandKind.skip, ...place }]);
  const { sequence, count } = await log.append(Date.now(), 1, payload, NOTHING_APPLIED);
  await log.close();
  if (count > 0) return { sequence, reason: place.reason };
  throw refusal('LATE', 'NATS took it after its deadline, so that it does nothing. Run it again.');
}

function unknown(reason: string) {
  return refusal(
    'UNKNOWN',
    `${reason}: whether the log has the skip is not known. See that most of the NATS servers run, then run the same again: what is recorded is not recorded twice.`,
  );
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
