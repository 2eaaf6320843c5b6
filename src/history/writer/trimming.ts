import { checksumRow, select } from '../database/checksum.ts';
import type { Queries, Statements, Table } from '../database/database.ts';
import { HistoryDamagedError } from '../errors.ts';
import { bigint, Columns } from '../tables/columns.ts';
import { depositChangesTable, withdrawalChangesTable } from '../tables/custody.ts';
import { entriesTable } from '../tables/entries.ts';
import { fillsTable } from '../tables/fills.ts';
import { ordersTable } from '../tables/orders.ts';

/** The time from which history is kept moves in steps, so that few commits change it. */
const STEP_MS = 3_600_000;
/** Rows read in one step. */
const PAGE = 100;
/** Rows that a commit looks at; more if it stores more, so that old rows do not accumulate. */
const MIN_ROWS = 1_000;
/** A step costs about as much as so many rows, apart from those that it looks at. */
const STEP_ROWS = 20;

/** A table whose old rows are deleted. */
interface TrimmedTable {
  readonly table: Table<never>;
  /** Column of the ids, which grow with the time of `begins`. */
  readonly id: string;
  /** Column of the time that grows with the ids and is never after `ends`. */
  readonly begins: string;
  /** Column of the time by which a row is old. */
  readonly ends: string;
}

/** An order is old once it ended long ago, whenever it was placed. */
const TRIMMED: readonly TrimmedTable[] = [
  { table: ordersTable, id: 'id', begins: 'created_at', ends: 'updated_at' },
  { table: fillsTable, id: 'trade_id', begins: 'time', ends: 'time' },
  { table: entriesTable, id: 'id', begins: 'time', ends: 'time' },
  ...[depositChangesTable, withdrawalChangesTable].map((table) => ({
    ...{ table, id: 'changed_in', begins: 'updated_at', ends: 'updated_at' },
  })),
];

/** Column of the time by which a table's rows are old, by name; tables without one are kept whole. */
export const TIME_COLUMNS: ReadonlyMap<string, string> = new Map(
  TRIMMED.map(({ table, ends }) => [table.name, ends]),
);

/**
 * Deletes orders, fills and ledger entries that are older than a period, a few with each commit and in its transaction. The
 * time from which rows are kept is stored before any of them is deleted and never goes back, so rows before it may be there or not.
 */
export class Trimming {
  /** Rows from this time on are kept, milliseconds since 1970; undefined before the first commit. */
  private since: number | undefined;
  /** The place at which the next step continues: a pass goes through the accounts of each table. */
  private table = 0;
  private account = 0;
  private after = 0;
  /** Whether a pass has ended since the time moved. */
  private isDone = false;

  /** @param keptMs Milliseconds. */
  constructor(private readonly keptMs: number) {}

  /**
   * @param time The log's time at the end of the commit, milliseconds since 1970.
   * @param stored Rows that the commit stores.
   */
  async work(statements: Statements, time: number, stored: number): Promise<void> {
    const since = Math.floor((time - this.keptMs) / STEP_MS) * STEP_MS;
    if (since <= 0) return;
    if (this.since === undefined || since > this.since) {
      await moveKeptSince(statements, since);
      this.since = since;
      this.isDone = false;
    }
    let rest = Math.max(MIN_ROWS, 2 * stored);
    while (rest > 0 && !this.isDone) rest -= STEP_ROWS + (await this.step(statements));
  }

  /** Deletes old rows among the next ones of an account. @returns the number of rows that it looked at */
  private async step(statements: Statements): Promise<number> {
    const { table, id, begins, ends } = TRIMMED[this.table]!;
    const { account, after } = this;
    const since = this.since!;
    const rows = await statements.query(
      `SELECT ${id} AS id, ${begins} AS begins FROM ${table.name}
        WHERE account = $1 AND ${id} > $2 ORDER BY ${id} LIMIT ${PAGE}`,
      account,
      after,
    );
    const old = rows.filter((row) => Number(row.begins) < since);
    if (old.length > 0) {
      this.after = Number(old.at(-1)!.id);
      await statements.run(
        `DELETE FROM ${table.name}
          WHERE account = $1 AND ${id} > $2 AND ${id} <= $3 AND ${ends} < $4`,
        account,
        after,
        this.after,
        since,
      );
    }
    if (old.length < PAGE) await this.nextAccount(statements, table.name);
    return rows.length;
  }

  /** Moves to the next account with rows, or to the next table. */
  private async nextAccount(queries: Queries, table: string): Promise<void> {
    this.after = 0;
    const [next] = await queries.query(
      `SELECT account FROM ${table} WHERE account > $1 ORDER BY account LIMIT 1`,
      this.account,
    );
    this.account = next === undefined ? 0 : Number(next.account);
    if (next !== undefined) return;
    this.table = (this.table + 1) % TRIMMED.length;
    this.isDone = this.table === 0;
  }
}

/** Returns the time from which all orders, fills and entries are kept, milliseconds since 1970; 0 if all are. @throws HistoryDamagedError */
export async function readKeptSince(database: Queries): Promise<number> {
  const [row] = await select(database, keptTable, 'SELECT * FROM kept');
  if (row === undefined) throw new HistoryDamagedError('the time from which it is kept is missing');
  return columns.read(row).since;
}

/** Another node of a cluster may have moved it further. */
async function moveKeptSince(statements: Statements, since: number): Promise<void> {
  await statements.run(
    'UPDATE kept SET since = $1, checksum = $2 WHERE since < $1',
    since,
    checksumRow([since], 0, 1),
  );
}

const columns = new Columns<{ since: number }>({ since: bigint('since') });

const keptTable: Table<{ since: number }> = {
  name: 'kept',
  columns: columns.all,
  write: (kept, values, at) => columns.write(kept, values, at),
};
