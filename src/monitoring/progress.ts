/** The progress of a stage. */
export interface Measure {
  /** Units done so far; read whenever progress is printed. */
  readonly done: () => number;
  /** Total units, if known; then a percentage is printed. */
  readonly total?: number;
  /** Name of the unit in the plural, such as `batches`. */
  readonly unit: string;
}

/** The output for progress: standard error, or a stand-in for tests. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Interval at which the line on a terminal is rewritten. */
const REWRITE_EVERY_MS = 200;
/** Interval at which a line is printed without a terminal. */
const LINE_EVERY_MS = 10_000;
const CLEAR_LINE = '\r\x1b[K';

/**
 * Prints the progress of a long command to standard error: the stage, how much of it is done, and the elapsed time. On a
 * terminal one line is rewritten; otherwise a line is printed every ten seconds. A command that ends sooner prints nothing.
 */
export class Progress {
  private readonly startedAt: number;
  private readonly everyMs: number;
  private readonly timer: ReturnType<typeof setInterval>;
  private printedAt: number;
  private stage = 'starting';
  private measure: Measure | undefined;
  private isLineShown = false;

  /** @param now A monotonic clock, milliseconds. */
  constructor(
    private readonly stream: ProgressStream = process.stderr,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now();
    this.printedAt = this.startedAt;
    this.everyMs = stream.isTTY ? REWRITE_EVERY_MS : LINE_EVERY_MS;
    this.timer = setInterval(() => this.tick(), this.everyMs);
    this.timer.unref();
  }

  /** Starts the next stage. */
  begin(stage: string, measure?: Measure): void {
    this.stage = stage;
    this.measure = measure;
    this.tick();
  }

  /** Starts a stage that takes a known time. */
  beginTimed(stage: string, seconds: number): void {
    const startedAt = this.now();
    const done = () => Math.min(seconds, Math.floor((this.now() - startedAt) / 1000));
    this.begin(stage, { done, total: seconds, unit: 'seconds' });
  }

  /** Prints if it is due. Must be called often during work that blocks timers. */
  tick(): void {
    const now = this.now();
    if (now - this.printedAt < this.everyMs) return;
    this.printedAt = now;
    const text = `${[this.stage, ...this.amount()].join(', ')}, ${duration(now - this.startedAt)}`;
    if (this.stream.isTTY) {
      this.stream.write(`${CLEAR_LINE}${text.slice(0, (this.stream.columns || 80) - 1)}`);
      this.isLineShown = true;
    } else this.stream.write(`${text}\n`);
  }

  /** Clears the line on a terminal, so that other output can be printed; the next print restores it. */
  clear(): void {
    if (this.isLineShown) this.stream.write(CLEAR_LINE);
    this.isLineShown = false;
  }

  /** Clears the line and stops printing. */
  end(): void {
    clearInterval(this.timer);
    this.printedAt = Number.POSITIVE_INFINITY;
    this.clear();
  }

  private amount(): string[] {
    if (this.measure === undefined) return [];
    const { done, total, unit } = this.measure;
    const count = done();
    if (total === undefined) return [`${decimal(count)} ${unit}`];
    const percent = total === 0 ? 100 : Math.floor((100 * count) / total);
    return [`${percent} %`, `${decimal(count)} of ${decimal(total)} ${unit}`];
  }
}

/** Runs work that reports progress, and clears the line when it ends or fails. */
export async function withProgress<T>(work: (progress: Progress) => T | Promise<T>): Promise<T> {
  const progress = new Progress();
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

/** Yields the items, calling `note` before each. */
export function* noting<T>(items: Iterable<T>, note: (item: T) => void): Generator<T> {
  for (const item of items) {
    note(item);
    yield item;
  }
}

function decimal(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
