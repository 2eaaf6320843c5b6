import type { StoredMessage } from './message-stream.ts';
import { incomparable } from './stream-state.ts';

/**
 * Passes messages on. Where they come by a new way, after an outage, the last one that was passed on is first read
 * again: servers that have lost it may have grown beyond its number since, and what follows would seem to fit.
 *
 * A way may begin with what was passed on already: a server before 2.11 whose copy is behind the others' by a little
 * does not wait for the number that is asked for, it begins where its own copy ends. Of what is known to be there
 * still, that is passed over.
 */
export class Continuity {
  private way: string | undefined;
  private last: StoredMessage | undefined;
  /** What came by new ways meanwhile. */
  private held: { readonly message: StoredMessage; readonly way: string }[] | undefined;

  /**
   * @param known The servers hold what is up to there, as it was passed on; undefined once the way is beyond it.
   * @param onEnd Called if the last message was purged, so that no comparison is possible; no message is passed on after it.
   */
  constructor(
    private readonly take: (message: StoredMessage) => void,
    /** What the servers hold under a number, as soon as they answer; undefined where that is purged. */
    private readonly read: (sequence: number) => Promise<StoredMessage | undefined>,
    private known: number | undefined,
    private readonly onEnd: (reason: Error) => void,
  ) {}

  /** Takes the next message. @param way Another one after each outage. */
  next(message: StoredMessage, way: string): void {
    if (this.held !== undefined) {
      this.held.push({ message, way });
      return;
    }
    const isNew = this.way !== way;
    this.way = way;
    if (isNew && this.last !== undefined) {
      this.held = [];
      void this.compare(this.last, message);
    } else this.pass(message);
  }

  /** @param first Of the new way. */
  private async compare(last: StoredMessage, first: StoredMessage): Promise<void> {
    const again = await this.read(last.sequence);
    // A lower sequence shows by itself that the servers lost messages. The next sequence proves nothing: another
    // history may have grown past the last message and been trimmed exactly there.
    if (again === undefined && first.sequence > last.sequence) {
      this.onEnd(incomparable(last.sequence));
      return;
    }
    const isSame = again !== undefined && isSameMessage(again, last);
    // Whoever takes it finds that it has seen another one there.
    if (again !== undefined && !isSame) this.take(again);
    this.known = isSame ? last.sequence : undefined;
    const held = this.held!;
    this.held = undefined;
    this.pass(first);
    // Another outage may have come meanwhile: what is behind it is held again.
    for (const { message, way } of held) this.next(message, way);
  }

  private pass(message: StoredMessage): void {
    const { known, last } = this;
    if (known !== undefined && message.sequence <= known) {
      const isOther = message.sequence === last?.sequence && !isSameMessage(message, last);
      if (isOther) this.take(message);
      return;
    }
    this.known = undefined;
    this.last = message;
    this.take(message);
  }
}

/**
 * Whether both are one message. A publisher sends the same bytes again after the servers have lost them: stored at
 * another time, they may do something else. The client library rounds the time of a message by up to 1 ms.
 */
function isSameMessage(one: StoredMessage, other: StoredMessage): boolean {
  const isSameTime = Math.abs(one.storedAt - other.storedAt) <= 1;
  return isSameTime && Buffer.compare(one.bytes, other.bytes) === 0;
}
