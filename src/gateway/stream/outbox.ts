const MAX_REST_MS = 10;
/** What takes less is not worth a timer. */
const LEAST_REST_MS = 1;

/**
 * The updates of one topic on their way to all who hear it. Writing to 2,000 sockets takes some
 * 20 ms, however little is written, so that a topic rests for as long as its last writes took, 10 ms
 * at most: a third of the thread is left to orders, however many listen, and what comes meanwhile
 * leaves in one write.
 */
export class Outbox {
  private waiting: string[] = [];
  private isResting = false;

  /** @param unsent Outboxes with messages that are not published yet. This one keeps its own entry up to date. */
  constructor(
    private publish: (text: string) => void,
    private readonly unsent: Set<Outbox>,
  ) {}

  push(text: string): void {
    this.waiting.push(text);
    if (this.isResting) this.unsent.add(this);
    else this.flush();
  }

  /** Sends a message in place of the last one, if that waits still. */
  replaceLast(text: string): void {
    this.waiting.pop();
    this.push(text);
  }

  /** Sends all that waits. */
  flush(): void {
    if (this.waiting.length === 0) return;
    for (const text of this.waiting) this.publish(text);
    this.drop();
    if (!this.isResting) this.rest();
  }

  /** Forgets what waits: everyone is sent something that is newer. */
  drop(): void {
    this.waiting = [];
    this.unsent.delete(this);
  }

  /** Sends nothing more: the topic has ended, and another may have its name. */
  close(): void {
    this.publish = () => {};
    this.drop();
  }

  private rest(): void {
    this.isResting = true;
    const start = performance.now();
    // The server writes at the end of the event loop's turn: the first of these is before it.
    setImmediate(() =>
      setImmediate(() => {
        const tookMs = performance.now() - start;
        if (tookMs < LEAST_REST_MS) this.wake();
        else setTimeout(() => this.wake(), Math.min(tookMs, MAX_REST_MS));
      }),
    );
  }

  private wake(): void {
    this.isResting = false;
    this.flush();
  }
}
