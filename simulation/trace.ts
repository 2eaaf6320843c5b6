const KEPT_LINES = 40;

/** What happened in a run, step by step: a hash over all of it, and the last lines to read. */
export class Trace {
  private readonly hasher = new Bun.SHA256();
  private readonly last: string[] = [];
  steps = 0;

  note(line: string): void {
    this.steps++;
    this.hasher.update(line);
    this.hasher.update('\n');
    this.last.push(line);
    if (this.last.length > 2 * KEPT_LINES) this.last.splice(0, KEPT_LINES);
  }

  /** The newest lines, oldest first. */
  tail(): string[] {
    return this.last.slice(-KEPT_LINES);
  }

  /** Equal for two runs that did the same. Ends the trace. */
  hash(): string {
    return this.hasher.digest('hex').slice(0, 16);
  }
}
