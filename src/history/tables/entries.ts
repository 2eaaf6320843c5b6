import type { EntryEvent } from '../../engine/event.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, integer, money } from './columns.ts';

const columns = new Columns<Omit<EntryEvent, 'kind'>>({
  account: integer('account'),
  id: bigint('id'),
  asset: integer('asset'),
  type: integer('type'),
  amount: money('amount'),
  after: money('available_after'),
  reference: bigint('reference'),
  time: bigint('time'),
});

/** Ledger entries that no fill represents: holds, releases without a trade, transfers. */
export const entriesTable: Table<EntryEvent> = {
  name: 'entries',
  columns: columns.all,
  write: (entry, values, at) => columns.write(entry, values, at),
};

export function readEntry(row: Row): EntryEvent {
  const { id, ...rest } = columns.read(row);
  return { kind: 'entry', id, ...rest };
}
