import { CloseCode } from './close-codes.ts';

const CHECK_EVERY_MS = 1000;
/** An election among the log's servers takes less time and must not move all clients. */
const MAX_FAILED_CHECKS = 5;

/**
 * Checks whether this node reaches the clustered log. While it does not, it misses every event, even the
 * revocation of a key. After a few seconds its streams are closed, so that clients go to another node.
 */
export class Reachability {
  private readonly timer: ReturnType<typeof setInterval>;
  /** Consecutive failed checks. */
  private failedChecks = 0;

  constructor(
    private readonly isUnreachable: () => boolean,
    private readonly closeAll: (code: number, reason: string) => void,
  ) {
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS);
    this.timer.unref();
  }

  /** Whether the log has been unreachable for so long that this node accepts no streams. */
  get isLost(): boolean {
    return this.failedChecks > MAX_FAILED_CHECKS && this.isUnreachable();
  }

  check(): void {
    this.failedChecks = this.isUnreachable() ? this.failedChecks + 1 : 0;
    if (this.isLost) {
      this.closeAll(CloseCode.tryAgainLater, 'this node cannot reach the log: connect again');
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
