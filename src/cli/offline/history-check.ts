import { existsSync } from 'node:fs';
import {
  ExpectedRows,
  findDamage,
  type RowSum,
  StoredRows,
  TABLES,
} from '../../history/history.ts';
import { equalHashes } from '../../log/hash.ts';
import type { Batch, Position } from '../../log/log.ts';

const ADVICE =
  'With the node stopped, delete history.sqlite (with -wal and -shm): the next start rebuilds it from the log.';

/**
 * Compares the history in a data directory with a replay of the log: every page, every row's checksum, and each
 * table's number of rows and sum of checksums. Read-only.
 */
export class HistoryCheck {
  readonly problems: string[] = [];
  private expected = new ExpectedRows();
  /** The time from which orders, fills and entries are kept and compared, milliseconds since 1970; 0 if all are. */
  keptSince = 0;
  /** The last batch in history; undefined if there is no history. */
  private position: Position | undefined;
  private sums: Map<string, RowSum> | undefined;

  private constructor(private readonly path: string) {}

  static async open(path: string): Promise<HistoryCheck> {
    const history = new HistoryCheck(path);
    if (existsSync(path)) await history.with((stored) => history.readPosition(stored));
    return history;
  }

  /** Records a command of the replay, as a `Recorder` does. */
  record(...recorded: Parameters<ExpectedRows['record']>): void {
    const [sequence] = recorded;
    if (sequence <= (this.position?.sequence ?? 0)) this.expected.record(...recorded);
  }

  /** Ends a batch. */
  passed({ sequence, hash }: Batch): void {
    if (sequence !== this.position?.sequence) return;
    if (!equalHashes(hash, this.position.hash)) {
      this.problems.push(`History was written from another log: batch ${sequence} differs.`);
      this.position = undefined;
      return;
    }
    this.sums = new Map(TABLES.map(({ name }) => [name, this.expected.tableSum(name)]));
  }

  /** Compares all rows after the replay. @returns The last batch in history, null if not compared. */
  async finish(end: number): Promise<number | null> {
    const { position, sums } = this;
    if (position === undefined || position.sequence === 0) return position?.sequence ?? null;
    if (position.sequence > end) {
      this.problems.push(
        `History ends at batch ${position.sequence}, after the end of the log, batch ${end}.`,
      );
    }
    if (sums === undefined) return null;
    await this.with((stored) => this.compare(stored, sums));
    return position.sequence;
  }

  private async readPosition(stored: StoredRows): Promise<void> {
    if (stored.isFromEarlierRelease()) return;
    this.keptSince = await stored.keptSince();
    this.expected = new ExpectedRows(this.keptSince);
    this.position = await stored.position();
  }

  private compare(stored: StoredRows, sums: ReadonlyMap<string, RowSum>): void {
    for (const finding of stored.findings()) this.note(`SQLite reports "${finding}"`);
    stored.checkSurveillance();
    for (const table of TABLES) {
      const [expected, found] = [sums.get(table.name)!, stored.sumTable(table, this.keptSince)];
      if (expected.equals(found)) continue;
      this.note(
        expected.rows === found.rows
          ? `the rows of the table ${table.name} differ from the log`
          : `the table ${table.name} has ${found.rows} rows instead of ${expected.rows}`,
      );
    }
  }

  /** Runs `work` on the database and records damage. */
  private async with(work: (stored: StoredRows) => void | Promise<void>): Promise<void> {
    const damage = await findDamage(async () => {
      const stored = StoredRows.open(this.path);
      try {
        await work(stored);
      } finally {
        stored.close();
      }
    });
    if (damage !== undefined) this.note(damage.finding);
  }

  private note(finding: string): void {
    this.problems.push(`The history database ${this.path} is damaged: ${finding}. ${ADVICE}`);
  }
}
