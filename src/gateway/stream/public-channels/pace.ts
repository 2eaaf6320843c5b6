/** Choices of `everyMs`, as text: few, because each is a topic of its own with messages of its own. */
export const PACES_MS = ['50', '100', '250', '1000'] as const;
export type PaceMs = (typeof PACES_MS)[number];

/** Runs a task at most once per interval: at once after a pause, otherwise when the interval ends. */
export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDue = false;

  constructor(
    private readonly everyMs: number,
    private readonly run: () => void,
  ) {}

  request(): void {
    if (this.timer === undefined) this.start();
    else this.isDue = true;
  }

  /** Runs the task now if it waits for the end of an interval. */
  flush(): void {
    if (!this.isDue) return;
    clearTimeout(this.timer);
    this.start();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDue = false;
  }

  private start(): void {
    this.isDue = false;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isDue) this.start();
    }, this.everyMs);
    this.run();
  }
}
