import { machineClock, NOTHING_APPLIED } from '../../cluster/log/clustered-log.ts';
import { StreamLog } from '../../cluster/log/stream-log.ts';
import { type StreamState, TOKEN_BYTES } from '../../cluster/log/stream-state.ts';
import { isNatsFailure } from '../../cluster/stream/connection.ts';
import type { Command } from '../../engine/command.ts';
import { ByteWriter } from '../../engine/numbers/bytes.ts';
import { encodeBatch } from '../../log/codec.ts';
import { cliError } from './finding.ts';
import type { LogStream } from './log-stream.ts';

/** Maximum time for following the log to its end and appending to it. */
const WITHIN_MS = 60_000;

/**
 * Runs `work` with the log opened under its own node name. `work` follows the log and joins before it appends.
 * @param state The position to continue from; updated while following.
 * @param unknown Advice if it is unknown whether the log has the batch.
 * @throws CliError if NATS does not accept it in time
 */
export async function withStreamLog<T>(
  stream: LogStream,
  state: StreamState,
  purpose: string,
  unknown: string,
  work: (log: StreamLog) => Promise<T>,
): Promise<T> {
  const failure = Promise.withResolvers<never>();
  const log = new StreamLog({
    stream: stream.messages,
    node: `${purpose}-${crypto.getRandomValues(new Uint8Array(4)).toHex()}`,
    token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
    state,
    clock: machineClock,
    onFailure: failure.reject,
  });
  const wait = machineClock.after(WITHIN_MS);
  const unknownOutcome = (reason: string) => cliError('UNKNOWN', `${reason}: ${unknown}`);
  const tooLong = wait.over.then(() => {
    throw unknownOutcome(`NATS has not accepted it in ${WITHIN_MS / 1000} s`);
  });
  try {
    return await Promise.race([work(log), failure.promise, tooLong]);
  } catch (error) {
    throw isNatsFailure(error) ? unknownOutcome(error.message) : error;
  } finally {
    wait.stop();
    await log.close();
  }
}

/** Appends commands as one batch. @returns Its sequence. @throws CliError if it came too late */
export async function appendBatch(log: StreamLog, commands: readonly Command[]): Promise<number> {
  const payload = encodeBatch(new ByteWriter(), commands);
  const { sequence, count } = await log.append(
    Date.now(),
    commands.length,
    payload,
    NOTHING_APPLIED,
  );
  if (count > 0) return sequence;
  throw cliError(
    'LATE',
    'NATS accepted it after its deadline, so it has no effect. Run the command again.',
  );
}
