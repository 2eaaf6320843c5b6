/** Half of what Retry-After asks for: who is told later tries again no later. */
const HOLD_MS = 500;
/** Refusals that come within this time are answered together: a timer for each would cost as much as they do. */
const GROUP_MS = 10;

/**
 * Holds the refusals of an exchange that has no time. The server reads requests for as long as there are
 * any, before it looks what the disk has done: clients that are refused at once and ask again at once kept it
 * from that for seconds. Who waits for a refusal asks for nothing meanwhile.
 */
export class DelayedRejections {
  private group: Promise<void> | undefined;

  /** Resolves when a refusal that comes now may be answered. */
  hold(): Promise<void> {
    this.group ??= new Promise((resolve) => {
      setTimeout(resolve, HOLD_MS);
      setTimeout(() => {
        this.group = undefined;
      }, GROUP_MS);
    });
    return this.group;
  }
}

/** Refusals of a flood that are answered in GROUP_MS: 1,000 a second, a few per cent of the serving thread's time. */
const FLOOD_GROUP_SIZE = 10;

/**
 * Holds the refusals of addresses that flood the exchange: for as long as those of an exchange that has no time,
 * then in the order in which they came, at a rate that leaves the exchange to everyone else. A client with many
 * connections waits for all of them in turn; each connection has one request at most.
 */
export class FloodRejections {
  private readonly held: { readonly dueTick: number; readonly answer: () => void }[] = [];
  private ticks = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** Resolves when a refusal that comes now may be answered. */
  hold(): Promise<void> {
    return new Promise((answer) => {
      this.held.push({ dueTick: this.ticks + HOLD_MS / GROUP_MS, answer });
      this.timer ??= setInterval(() => this.release(), GROUP_MS);
    });
  }

  private release(): void {
    this.ticks++;
    const isDue = (place: number) => (this.held[place]?.dueTick ?? Infinity) <= this.ticks;
    let count = 0;
    while (count < FLOOD_GROUP_SIZE && isDue(count)) count++;
    for (const { answer } of this.held.splice(0, count)) answer();
    if (this.held.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
