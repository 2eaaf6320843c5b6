import type { StoredMessage } from './message-stream.ts';
import { incomparable } from './stream-state.ts';

/** Maximum bytes of messages held while one is read again. Later ones are dropped and requested again. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Memory of a held message in addition to its own bytes. */
const OVERHEAD_BYTES = 200;

/**
 * Delivers messages and checks that a new consumer, after an outage, continues the same log: the last delivered message
 * is first read again. Servers that lost it may have stored other messages up to its sequence since, and the next one
 * would seem to fit.
 *
 * A consumer may start with messages that were delivered already: a NATS server before 2.11 whose replica of the stream
 * lags does not wait for the requested sequence, but starts where its replica ends. Such messages are skipped if the
 * servers are known to hold them still.
 */
export class ContinuityCheck {
  private consumer: string | undefined;
  private last: StoredMessage | undefined;
  /** Messages that arrived while the last one was being read again. */
  private held: Held[] | undefined;
  private heldBytes = 0;
  /** Whether messages after the held ones were dropped. */
  private hasDropped = false;

  /**
   * @param known Sequence up to which the servers hold the delivered messages; undefined once the consumer is past it.
   * @param onEnd Called if the last message was purged and cannot be compared; no message is delivered after that.
   */
  constructor(
    private readonly take: (message: StoredMessage) => void,
    /** Reads a message from the servers; undefined if it was purged. */
    private readonly read: (sequence: number) => Promise<StoredMessage | undefined>,
    private known: number | undefined,
    private readonly onEnd: (reason: Error) => void,
    /** Requests the messages after a sequence again, from a new consumer, because they were dropped. */
    private readonly again: (after: number) => void,
  ) {}

  /** Takes the next message. @param consumer Name of the consumer, a new one after each outage. */
  next(message: StoredMessage, consumer: string): void {
    if (this.held !== undefined) this.hold({ message, consumer });
    else this.check(message, consumer);
  }

  private check(message: StoredMessage, consumer: string): void {
    const isNew = this.consumer !== consumer;
    this.consumer = consumer;
    if (isNew && this.last !== undefined) {
      this.held = [];
      void this.compare(this.last, message);
    } else this.deliver(message);
  }

  private hold(one: Held): void {
    // Messages after a gap are useless.
    if (this.hasDropped) return;
    this.heldBytes += one.message.bytes.length + OVERHEAD_BYTES;
    if (this.heldBytes > MAX_HELD_BYTES) this.hasDropped = true;
    else this.held!.push(one);
  }

  /** @param first First message of the new consumer. */
  private async compare(last: StoredMessage, first: StoredMessage): Promise<void> {
    const again = await this.read(last.sequence);
    // A lower sequence shows by itself that the servers lost messages. The next sequence proves nothing: a different
    // log may have grown past the last message and been trimmed exactly there.
    if (again === undefined && first.sequence > last.sequence) {
      this.onEnd(incomparable(last.sequence));
      return;
    }
    const isSame = again !== undefined && isSameMessage(again, last);
    // The receiver finds that this sequence was already delivered, and stops.
    if (again !== undefined && !isSame) this.take(again);
    this.known = isSame ? last.sequence : undefined;
    const held = this.held!;
    this.held = undefined;
    this.deliver(first);
    this.release(held);
  }

  private release(all: readonly Held[]): void {
    for (const one of all) {
      // After another outage in the meantime, the later messages are held again.
      if (this.held !== undefined) (this.held as Held[]).push(one);
      else this.check(one.message, one.consumer);
    }
    if (this.held !== undefined) return;
    this.heldBytes = 0;
    if (!this.hasDropped) return;
    this.hasDropped = false;
    this.again(this.last!.sequence);
  }

  private deliver(message: StoredMessage): void {
    const { known, last } = this;
    if (known !== undefined && message.sequence <= known) {
      const isDifferent = message.sequence === last?.sequence && !isSameMessage(message, last);
      if (isDifferent) this.take(message);
      return;
    }
    this.known = undefined;
    this.last = message;
    this.take(message);
  }
}

interface Held {
  readonly message: StoredMessage;
  readonly consumer: string;
}

/**
 * Returns whether both are the same stored message. A publisher sends the same bytes again if the servers lost them, and
 * stored at another time they may have another effect. The client library rounds the time of a message by up to 1 ms.
 */
function isSameMessage(one: StoredMessage, other: StoredMessage): boolean {
  const isSameTime = Math.abs(one.storedAt - other.storedAt) <= 1;
  return isSameTime && Buffer.compare(one.bytes, other.bytes) === 0;
}
