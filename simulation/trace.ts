const KEPT_LINES = 40;

/** The steps of a run: a hash of all, and the last ones as text. */
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

  /** Returns the hash, which is equal for two runs with the same steps. Ends the trace. */
  hash(): string {
    return this.hasher.digest('hex').slice(0, 16);
  }
}
