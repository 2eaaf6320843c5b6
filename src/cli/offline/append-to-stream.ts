import { NOTHING_APPLIED } from '../../cluster/log/envelope.ts';
import { machineClock } from '../../cluster/log/message-stream.ts';
import { StreamLog } from '../../cluster/log/stream-log.ts';
import { type StreamState, TOKEN_BYTES } from '../../cluster/log/stream-state.ts';
import { isNatsFailure } from '../../cluster/stream/connection.ts';
import type { Command } from '../../engine/command.ts';
import { ByteWriter } from '../../engine/numbers/bytes.ts';
import { encodeBatch } from '../../log/codec.ts';
import { refusal } from './finding.ts';
import type { LogStream } from './log-stream.ts';

/** Maximum time for following the log to its end and appending to it. */
const WITHIN_MS = 60_000;

/**
 * Does `work` with the log opened under a node name of its own. `work` follows it and joins before it appends.
 * @param state Where to continue; it moves with the log.
 * @param unknown What to do where it is not known whether the log has what was appended.
 * @throws CliError where NATS does not take it in time
 */
export async function asNode<T>(
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
    ...{ state, clock: machineClock, onFailure: failure.reject },
  });
  const wait = machineClock.after(WITHIN_MS);
  const isUnknown = (reason: string) => refusal('UNKNOWN', `${reason}: ${unknown}`);
  const tooLong = wait.over.then(() => {
    throw isUnknown(`NATS has not taken it in ${WITHIN_MS / 1000} s`);
  });
  try {
    return await Promise.race([work(log), failure.promise, tooLong]);
  } catch (error) {
    throw isNatsFailure(error) ? isUnknown(error.message) : error;
  } finally {
    wait.stop();
    await log.close();
  }
}

/** Appends commands as a batch of their own; returns that batch's sequence. @throws CliError if it came too late */
export async function appendAlone(log: StreamLog, commands: readonly Command[]): Promise<number> {
  const payload = encodeBatch(new ByteWriter(), commands);
  const { sequence, count } = await log.append(
    Date.now(),
    commands.length,
    payload,
    NOTHING_APPLIED,
  );
  if (count > 0) return sequence;
  throw refusal('LATE', 'NATS took it after its deadline, so that it does nothing. Run it again.');
}
