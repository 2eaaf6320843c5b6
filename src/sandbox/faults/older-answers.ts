/** Maximum length of all answers that are remembered, UTF-16 units. */
const MAX_UNITS = 8 * 1024 * 1024;

/** The last answer of each read, for reads that are answered by a replica that lags behind. */
export class OlderAnswers {
  /** By the read, the least recently answered first. */
  private readonly answers = new Map<string, string>();
  private units = 0;

  /** Remembers the answer of a read. @returns The answer before it; undefined if there is none or it is the same. */
  replace(read: string, answer: string): string | undefined {
    const older = this.answers.get(read);
    if (older !== undefined) this.forget(read, older);
    this.answers.set(read, answer);
    this.units += read.length + answer.length;
    for (const [first, text] of this.answers) {
      if (this.units <= MAX_UNITS) break;
      this.forget(first, text);
    }
    return older === answer ? undefined : older;
  }

  clear(): void {
    this.answers.clear();
    this.units = 0;
  }

  private forget(read: string, answer: string): void {
    this.answers.delete(read);
    this.units -= read.length + answer.length;
  }
}
