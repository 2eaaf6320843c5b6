/** The newest changes of a book by key, each with the sequence of its update. Kept only while readers hold it. */
export class ChangeLog {
  /** Key → sequence of its latest change, in that order. */
  private readonly changes = new Map<number, number>();
  /** The log has every change after this sequence. */
  private from: number;
  private readonly readers = new Set<object>();

  constructor(
    private readonly maxChanges: number,
    sequence: number,
  ) {
    this.from = sequence;
  }

  /** Logs changes after `sequence`, until every reader that holds the log has released it. */
  hold(reader: object, sequence: number): void {
    if (this.readers.size === 0) {
      this.changes.clear();
      this.from = sequence;
    }
    this.readers.add(reader);
  }

  release(reader: object): void {
    this.readers.delete(reader);
    if (this.readers.size === 0) this.changes.clear();
  }

  record(keys: Iterable<number>, sequence: number): void {
    const { changes } = this;
    if (this.readers.size === 0) return;
    for (const key of keys) {
      changes.delete(key);
      changes.set(key, sequence);
    }
    for (const [key, changedAt] of changes) {
      if (changes.size <= this.maxChanges) break;
      changes.delete(key);
      this.from = changedAt;
    }
  }

  /** Returns the keys that changed after a sequence, or undefined if some of them are no longer known. */
  since(sequence: number): number[] | undefined {
    if (sequence < this.from) return undefined;
    const keys: number[] = [];
    for (const [key, changedAt] of this.changes) if (changedAt > sequence) keys.push(key);
    return keys;
  }
}
