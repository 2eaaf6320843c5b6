import { checksumRow, select } from '../database/checksum.ts';
import type { Queries, Statements, Table } from '../database/database.ts';
import { VERSION } from '../database/schema.ts';
import { HistoryConflictError, HistoryDamagedError } from '../errors.ts';
import { auditTable } from '../tables/audit.ts';
import { auditSubjectsTable } from '../tables/audit-subjects.ts';
import { storeCandles } from '../tables/candles.ts';
import { bigint, Columns, text } from '../tables/columns.ts';
import {
  depositChangesTable,
  depositsTable,
  withdrawalChangesTable,
  withdrawalsTable,
} from '../tables/custody.ts';
import { entriesTable } from '../tables/entries.ts';
import { fillsTable } from '../tables/fills.ts';
import { ordersTable } from '../tables/orders.ts';
import {
  alertCasesTable,
  alertReviewsTable,
  alertsTable,
  detectorsTable,
  latestReviews,
} from '../tables/surveillance.ts';
import { transfersTable } from '../tables/transfers.ts';
import type { PendingRows } from './pending.ts';
import { RowsByAccount } from './rows-by-account.ts';

/** The last batch in history. */
export interface Position {
  readonly sequence: number;
  /** The log's chained hash at that batch. */
  readonly hash: Uint8Array;
}

/**
 * Stores the rows between two positions, within a transaction.
 * @param trim Called in the end with the number of rows.
 * @throws HistoryConflictError if the database is not at `from`
 */
export async function store(
  statements: Statements,
  from: Position,
  to: Position,
  parts: readonly PendingRows[],
  trim?: (rows: number) => Promise<void> | undefined,
): Promise<void> {
  await advance(statements, from, to);
  const orders = parts.map((part) => part.orders);
  await statements.insert(ordersTable, RowsByAccount.all(orders));
  const fills = parts.map((part) => part.fills);
  await statements.insert(fillsTable, RowsByAccount.all(fills));
  const entries = parts.map((part) => part.entries);
  await statements.insert(entriesTable, RowsByAccount.all(entries));
  await statements.insert(
    auditTable,
    parts.flatMap((part) => part.audit),
  );
  const auditSubjects = parts.map((part) => part.auditSubjects);
  await statements.insert(auditSubjectsTable, RowsByAccount.all(auditSubjects));
  for (const { transfers, deposits, withdrawals } of parts) {
    await statements.insert(transfersTable, transfers);
    await statements.insert(depositsTable, deposits);
    await statements.insert(withdrawalsTable, withdrawals);
  }
  const depositChanges = parts.map((part) => part.depositChanges);
  await statements.insert(depositChangesTable, RowsByAccount.all(depositChanges));
  const withdrawalChanges = parts.map((part) => part.withdrawalChanges);
  await statements.insert(withdrawalChangesTable, RowsByAccount.all(withdrawalChanges));
  await statements.insert(
    alertsTable,
    parts.flatMap((part) => part.alerts),
  );
  const reviews = parts.flatMap((part) => part.reviews);
  await statements.insert(alertReviewsTable, reviews);
  await statements.insert(alertCasesTable, [...latestReviews(reviews).values()]);
  await statements.insert(detectorsTable, latestDetectors(parts));
  await storeCandles(
    statements,
    parts.map((part) => part.candles),
  );
  await trim?.(parts.reduce((sum, part) => sum + part.rows, 0));
}

/** Returns the latest states of detectors in these parts. */
export function latestDetectors(parts: readonly PendingRows[]): PendingRows['detectors'] {
  return parts.findLast(({ detectors }) => detectors.length > 0)?.detectors ?? [];
}

/** Advances the position if it still equals `from` and the schema is this release's. @throws HistoryConflictError */
async function advance(statements: Statements, from: Position, to: Position): Promise<void> {
  const changed = await statements.run(
    `UPDATE position SET sequence = $1, hash = $2, checksum = $3 WHERE sequence = $4 AND hash = $5
      AND EXISTS (SELECT 1 FROM schema_version WHERE version = $6)`,
    to.sequence,
    to.hash.toHex(),
    checksumRow([to.sequence, to.hash.toHex()], 0, 2),
    from.sequence,
    from.hash.toHex(),
    VERSION,
  );
  if (changed !== 1) throw new HistoryConflictError(from.sequence);
}

export async function readPosition(database: Queries): Promise<Position> {
  const [row] = await select(database, positionTable, 'SELECT * FROM position');
  if (row === undefined) throw new HistoryDamagedError('its position is missing');
  return columns.read(row);
}

const columns = new Columns<Position>({
  sequence: bigint('sequence'),
  hash: {
    ...text('hash'),
    write: (hash) => hash.toHex(),
    read: (value) => Uint8Array.fromHex(String(value)),
  },
});

const positionTable: Table<Position> = {
  name: 'position',
  columns: columns.all,
  write: (position, values, at) => columns.write(position, values, at),
};
