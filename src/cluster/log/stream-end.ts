import type { Clock, MessageStream } from './message-stream.ts';

/** Twelve seconds: servers that have lost the others know it by then. */
const MOST_LOOKS = 7;
const LOOK_AGAIN_MS = 2000;

/**
 * Where a stream ends that is known to hold a message: it was acknowledged, seen, or is in history. A leader that was
 * stopped, or is cut off from the other servers, answers for some seconds with what it had: only what still holds then
 * is believed.
 * @param seen Sequence of the last message that has been seen meanwhile, by whoever follows the stream.
 * @returns Of the last message. Less than `sequence` where the servers hold no more, after twelve seconds.
 * @throws what `lastSequence` rejects with
 */
export async function endReaching(
  sequence: number,
  { lastSequence }: Pick<MessageStream, 'lastSequence'>,
  clock: Pick<Clock, 'after'>,
  seen: () => number = () => 0,
): Promise<number> {
  for (let looks = 1; ; looks++) {
    const end = await lastSequence();
    if (end >= sequence || looks === MOST_LOOKS) return end;
    await clock.after(LOOK_AGAIN_MS).over;
    if (seen() > sequence) return seen();
  }
}
