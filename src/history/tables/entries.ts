import type { EntryEvent } from '../../engine/event.ts';
import { exact } from '../../engine/numbers/exact.ts';
import type { Row, Table } from '../database/database.ts';

/** Ledger entries that no fill represents: holds, releases without a trade, transfers. */
export const entriesTable: Table<EntryEvent> = {
  name: 'entries',
  columns: ['account', 'id', 'asset', 'type', 'amount', 'available_after', 'reference', 'time'],
  texts: ['amount', 'available_after'],
  write(entry, values, at) {
    values[at] = entry.account;
    values[at + 1] = entry.id;
    values[at + 2] = entry.asset;
    values[at + 3] = entry.type;
    values[at + 4] = entry.amount.toString();
    values[at + 5] = entry.after.toString();
    values[at + 6] = entry.reference;
    values[at + 7] = entry.time;
  },
};

export function readEntry(row: Row): EntryEvent {
  return {
    kind: 'entry',
    id: Number(row.id),
    account: Number(row.account),
    asset: Number(row.asset),
    type: Number(row.type),
    amount: exact(BigInt(row.amount!)),
    after: exact(BigInt(row.available_after!)),
    reference: Number(row.reference),
    time: Number(row.time),
  };
}
