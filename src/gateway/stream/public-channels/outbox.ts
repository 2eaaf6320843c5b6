const MAX_PAUSE_MS = 10;
/** Timers do not resolve shorter pauses. */
const MIN_PAUSE_MS = 1;

/**
 * The updates of one topic on their way to its subscribers. Writing to 2,000 sockets takes about 20 ms
 * however little is written, so after a write the topic pauses for as long as the write took, up to 10 ms.
 * A third of the thread is thus left to orders, and the updates of a pause are sent in one write.
 */
export class Outbox {
  private waiting: string[] = [];
  private isPaused = false;

  /** @param unsent Outboxes with unpublished messages; this one adds and removes itself. */
  constructor(
    private publish: (text: string) => void,
    private readonly unsent: Set<Outbox>,
  ) {}

  push(text: string): void {
    this.pushAll([text]);
  }

  /** Sends messages that leave together. */
  pushAll(texts: readonly string[]): void {
    for (const text of texts) this.waiting.push(text);
    if (this.isPaused) this.unsent.add(this);
    else this.flush();
  }

  /** Sends a message in place of the last one if that is still waiting. */
  replaceLast(text: string): void {
    this.waiting.pop();
    this.push(text);
  }

  /** Sends all waiting messages now. */
  flush(): void {
    if (this.waiting.length === 0) return;
    for (const text of this.waiting) this.publish(text);
    this.drop();
    if (!this.isPaused) this.pause();
  }

  /** Drops waiting messages, because every subscriber gets a newer snapshot. */
  drop(): void {
    this.waiting = [];
    this.unsent.delete(this);
  }

  /** Sends nothing more. Another topic of the same name may replace this one. */
  close(): void {
    this.publish = () => {};
    this.drop();
  }

  private pause(): void {
    this.isPaused = true;
    const start = performance.now();
    // The server writes at the end of this event loop turn, so the second callback runs after the write.
    setImmediate(() =>
      setImmediate(() => {
        const tookMs = performance.now() - start;
        if (tookMs < MIN_PAUSE_MS) this.resume();
        else setTimeout(() => this.resume(), Math.min(tookMs, MAX_PAUSE_MS));
      }),
    );
  }

  private resume(): void {
    this.isPaused = false;
    this.flush();
  }
}
