/** How long a node may be behind another on which its client was before. */
const LONGEST_WAIT_MS = 5000;

interface Waiting {
  readonly isThere: () => boolean;
  readonly resolve: (isThere: boolean) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Who waits until this node has applied what another has told its client of. */
export class Arrivals {
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly longestMs = LONGEST_WAIT_MS) {}

  /** Whether it was there in time. */
  wait(isThere: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.delete(one);
        resolve(isThere());
      }, this.longestMs);
      const one = { isThere, resolve, timer };
      this.waiting.add(one);
    });
  }

  get isAwaited(): boolean {
    return this.waiting.size > 0;
  }

  /** To be called when something was applied. */
  look(): void {
    for (const one of this.waiting) {
      if (!one.isThere()) continue;
      this.waiting.delete(one);
      clearTimeout(one.timer);
      one.resolve(true);
    }
  }
}
