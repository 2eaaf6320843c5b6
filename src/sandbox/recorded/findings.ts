/** Maximum lines of a file that a message names. */
const MAX_NAMED = 10;

/** Counts problems of one kind, and keeps the first ones. */
export class Findings {
  count = 0;
  private readonly named: string[] = [];

  note(line: number, problem: string): void {
    this.count++;
    if (this.named.length < MAX_NAMED) this.named.push(`line ${line}: ${problem}`);
  }

  /** Returns a line for each of the first problems, indented, and one with the number of others. */
  get lines(): readonly string[] {
    const others = this.count - this.named.length;
    const lines = this.named.map((each) => `  ${each}`);
    return others === 0 ? lines : [...lines, `  and ${others.toLocaleString('en-US')} more`];
  }
}
