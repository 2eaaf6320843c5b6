/** Half of what Retry-After asks for: who is told later tries again no later. */
const HOLD_MS = 500;
/** Refusals that come within this time are answered together: a timer for each would cost as much as they do. */
const GROUP_MS = 10;

/**
 * Holds the refusals of an exchange that has no time. The server reads requests for as long as there are
 * any, before it looks what the disk has done: clients that are refused at once and ask again at once kept it
 * from that for seconds. Who waits for a refusal asks for nothing meanwhile.
 */
export class HeldRefusals {
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
