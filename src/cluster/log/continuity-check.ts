import type { StoredMessage } from './message-stream.ts';
import { incomparable } from './stream-state.ts';

/** Bytes of messages held at most while one is read again. Beyond that they are asked for once more. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Of a message that is held, beside its own bytes. */
const OVERHEAD_BYTES = 200;

/**
 * Passes messages on. Where they come by a new way, after an outage, the last one that was passed on is first read
 * again: servers that have lost it may have grown beyond its number since, and what follows would seem to fit.
 *
 * A way may begin with what was passed on already: a server before 2.11 whose copy is behind the others' by a little
 * does not wait for the number that is asked for, it begins where its own copy ends. Of what is known to be there
 * still, that is passed over.
 */
export class ContinuityCheck {
  private way: string | undefined;
  private last: StoredMessage | undefined;
  /** What came by new ways meanwhile. */
  private held: Held[] | undefined;
  private heldBytes = 0;
  /** Whether messages after those that are held were dropped. */
  private hasDropped = false;

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
    /** Asks for the messages after a sequence once more, by a new way: this one has dropped them. */
    private readonly again: (after: number) => void,
  ) {}

  /** Takes the next message. @param way Another one after each outage. */
  next(message: StoredMessage, way: string): void {
    if (this.held !== undefined) this.hold({ message, way });
    else this.go(message, way);
  }

  private go(message: StoredMessage, way: string): void {
    const isNew = this.way !== way;
    this.way = way;
    if (isNew && this.last !== undefined) {
      this.held = [];
      void this.compare(this.last, message);
    } else this.pass(message);
  }

  private hold(one: Held): void {
    // After a gap nothing fits.
    if (this.hasDropped) return;
    this.heldBytes += one.message.bytes.length + OVERHEAD_BYTES;
    if (this.heldBytes > MAX_HELD_BYTES) this.hasDropped = true;
    else this.held!.push(one);
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
    this.release(held);
  }

  private release(all: readonly Held[]): void {
    for (const one of all) {
      // Another outage may have come meanwhile: what is behind it is held again.
      if (this.held !== undefined) (this.held as Held[]).push(one);
      else this.go(one.message, one.way);
    }
    if (this.held !== undefined) return;
    this.heldBytes = 0;
    if (!this.hasDropped) return;
    this.hasDropped = false;
    this.again(this.last!.sequence);
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

interface Held {
  readonly message: StoredMessage;
  readonly way: string;
}

/**
 * Whether both are one message. A publisher sends the same bytes again after the servers have lost them: stored at
 * another time, they may do something else. The client library rounds the time of a message by up to 1 ms.
 */
function isSameMessage(one: StoredMessage, other: StoredMessage): boolean {
  const isSameTime = Math.abs(one.storedAt - other.storedAt) <= 1;
  return isSameTime && Buffer.compare(one.bytes, other.bytes) === 0;
}
