const LOOK_EVERY_MS = 1000;
/** An election among the servers of the log takes less, and must not send everybody elsewhere. */
const MAX_LOOKS = 5;
/** As of a node that goes away (IANA, try again later): another may reach the log. */
const TRY_AGAIN = 1013;

/**
 * Looks whether this node reaches the log that nodes share. One that does not hears of nothing, not even that a key
 * was revoked: after some seconds its streams are ended, so that clients go to another node.
 */
export class Reachability {
  private readonly timer: ReturnType<typeof setInterval>;
  /** In a row that found it out of reach. */
  private looks = 0;

  constructor(
    private readonly isOutOfReach: () => boolean,
    private readonly endAll: (code: number, reason: string) => void,
  ) {
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  /** Whether it was out of reach for so long that nobody is to begin a stream here. */
  get isLost(): boolean {
    return this.looks > MAX_LOOKS && this.isOutOfReach();
  }

  look(): void {
    this.looks = this.isOutOfReach() ? this.looks + 1 : 0;
    if (this.isLost) this.endAll(TRY_AGAIN, 'this node does not reach the log: connect again');
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
