import { retry } from '../../monitoring/retry.ts';
import type { Clock, MessageStream } from './message-stream.ts';

/** Twelve seconds in all: by then a server that is cut off from the others knows it. */
const MAX_POLLS = 7;
const POLL_EVERY_MS = 2000;

/**
 * Returns the end of a stream that is known to hold message `sequence`, because it was acknowledged, received, or is in
 * history. A leader that was stopped or is cut off from the other servers reports an old end for some seconds, so a
 * lower one is believed only after twelve seconds.
 * @param seen Sequence of the last message that the caller has received in the meantime.
 * @returns Sequence of the last message; less than `sequence` if the servers have lost messages
 * @throws the error of `lastSequence`
 */
export function endReaching(
  sequence: number,
  { lastSequence }: Pick<MessageStream, 'lastSequence'>,
  clock: Pick<Clock, 'elapsedMs' | 'after'>,
  seen: () => number = () => 0,
): Promise<number> {
  const end = (attempt: number) => (attempt > 0 && seen() > sequence ? seen() : lastSequence());
  return retry(end, {
    every: POLL_EVERY_MS,
    maxAttempts: MAX_POLLS,
    isTransient: () => false,
    isDone: (sequenceNow) => sequenceNow >= sequence,
    clock,
  });
}
