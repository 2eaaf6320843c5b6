import type { TransferRecord } from '../../engine/event.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, integer, money, text } from './columns.ts';

const columns = new Columns<TransferRecord>({
  id: bigint('id'),
  account: integer('account'),
  asset: integer('asset'),
  amount: money('amount'),
  reference: text('reference'),
  time: bigint('time'),
});

/** Transfers, stored so that a reference that the engine has dropped cannot be used a second time. */
export const transfersTable: Table<TransferRecord> = {
  name: 'transfers',
  columns: columns.all,
  write: (transfer, values, at) => columns.write(transfer, values, at),
};

export function readTransfer(row: Row): TransferRecord {
  return columns.read(row);
}
