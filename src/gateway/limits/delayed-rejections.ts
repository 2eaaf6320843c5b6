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

/** A rejection that waits; those of an address are linked, the oldest first. */
interface Delayed {
  readonly dueTick: number;
  readonly send: () => void;
  next: Delayed | undefined;
}

/**
 * Delays the rejections of addresses that flood the exchange: by DELAY_MS, and then by queues that are served at a
 * fixed rate, which leaves the serving thread to everyone else. A client with many connections or operations in
 * progress waits for all of them in turn. Addresses take turns, so that it does not delay the rejections of others.
 */
export class FloodRejections {
  readonly count = new Counter(
    'buttonwood_flood_refusals_total',
    'Rejections delayed because their address had too many in a minute.',
  );
  /** By address; the one served longest ago first. */
  private readonly queues = new Map<string, { first: Delayed; last: Delayed }>();
  private ticks = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** Resolves when a rejection for an address that is made now may be sent. */
  delay(scope: string): Promise<void> {
    this.count.add();
    return new Promise((send) => {
      const dueTick = this.ticks + DELAY_MS / GROUP_MS;
      const delayed: Delayed = { dueTick, send, next: undefined };
      const queue = this.queues.get(scope);
      if (queue === undefined) this.queues.set(scope, { first: delayed, last: delayed });
      else {
        queue.last.next = delayed;
        queue.last = delayed;
      }
      this.timer ??= setInterval(() => this.release(), GROUP_MS);
    });
  }

  private release(): void {
    this.ticks++;
    let sent = 0;
    // An address that is served moves to the end, where this loop meets it again.
    for (const [scope, queue] of this.queues) {
      const { first } = queue;
      if (first.dueTick > this.ticks) continue;
      this.queues.delete(scope);
      if (first.next !== undefined) {
        queue.first = first.next;
        this.queues.set(scope, queue);
      }
      first.send();
      sent++;
      if (sent === FLOOD_GROUP_SIZE) return;
    }
    if (this.queues.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
