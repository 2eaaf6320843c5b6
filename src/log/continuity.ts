import type { StoredMessage } from './message-stream.ts';

/**
 * Passes messages on. Where they come by a new way, after an outage, the last one that was passed on is first read
 * again: servers that have lost it may have grown beyond its number since, and what follows would seem to fit.
 */
export class Continuity {
  private way: string | undefined;
  private last: StoredMessage | undefined;
  /** What came by the new way meanwhile. */
  private held: StoredMessage[] | undefined;

  constructor(
    private readonly take: (message: StoredMessage) => void,
    /** What the servers hold under a number, as soon as they answer; undefined where that is purged. */
    private readonly read: (sequence: number) => Promise<StoredMessage | undefined>,
  ) {}

  /** Takes the next message. @param way Another one after each outage. */
  next(message: StoredMessage, way: string): void {
    const isNew = this.way !== way;
    this.way = way;
    if (this.held !== undefined) this.held.push(message);
    else if (isNew && this.last !== undefined) {
      this.held = [message];
      void this.compare(this.last);
    } else this.pass(message);
  }

  private async compare(last: StoredMessage): Promise<void> {
    const again = await this.read(last.sequence);
    // Whoever takes it finds that it has seen another one there.
    if (again !== undefined && Buffer.compare(again.bytes, last.bytes) !== 0) this.take(again);
    const held = this.held!;
    this.held = undefined;
    for (const message of held) this.pass(message);
  }

  private pass(message: StoredMessage): void {
    this.last = message;
    this.take(message);
  }
}
