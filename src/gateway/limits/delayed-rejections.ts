import { Counter } from '../../monitoring/metrics.ts';

/** Half of Retry-After, so that the delay does not postpone the client's next attempt. */
const DELAY_MS = 500;
/** Rejections within this time share a timer, because a timer for each would cost as much as the rejection. */
const GROUP_MS = 10;

/**
 * Delays the rejections of an overloaded exchange. The server reads all pending requests before it looks at completed
 * disk writes, so clients that retry at once could keep it from them for seconds. A client that waits for a rejection
 * sends nothing in the meantime.
 */
export class DelayedRejections {
  private group: Promise<void> | undefined;

  /** Resolves when a rejection that is made now may be sent. */
  delay(): Promise<void> {
    this.group ??= new Promise((resolve) => {
      setTimeout(resolve, DELAY_MS);
      setTimeout(() => {
        this.group = undefined;
      }, GROUP_MS);
    });
    return this.group;
  }
}

/** Maximum flood rejections sent per GROUP_MS: 1,000 per second, a few per cent of the serving thread's time. */
const FLOOD_GROUP_SIZE = 10;

/**
 * Delays the rejections of addresses that flood the exchange: by DELAY_MS, and then by a queue that is served at a
 * fixed rate, which leaves the serving thread to everyone else. A client with many connections waits for all of them
 * in turn, because each connection has at most one request.
 */
export class FloodRejections {
  readonly count = new Counter(
    'buttonwood_flood_refusals_total',
    'Rejections delayed because their address had too many in a minute.',
  );
  private readonly queue: { readonly dueTick: number; readonly send: () => void }[] = [];
  private ticks = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** Resolves when a rejection that is made now may be sent. */
  delay(): Promise<void> {
    this.count.add();
    return new Promise((send) => {
      this.queue.push({ dueTick: this.ticks + DELAY_MS / GROUP_MS, send });
      this.timer ??= setInterval(() => this.release(), GROUP_MS);
    });
  }

  private release(): void {
    this.ticks++;
    const isDue = (place: number) => (this.queue[place]?.dueTick ?? Infinity) <= this.ticks;
    let count = 0;
    while (count < FLOOD_GROUP_SIZE && isDue(count)) count++;
    for (const { send } of this.queue.splice(0, count)) send();
    if (this.queue.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
