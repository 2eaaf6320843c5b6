import type { TransferRecord } from '../../engine/event.ts';
import { exact } from '../../engine/numbers/exact.ts';
import type { Row, Table } from '../database/database.ts';

/** Transfers, stored so that a reference that the engine has dropped cannot be used a second time. */
export const transfersTable: Table<TransferRecord> = {
  name: 'transfers',
  columns: ['id', 'account', 'asset', 'amount', 'reference', 'time'],
  texts: ['amount', 'reference'],
  write(transfer, values, at) {
    values[at] = transfer.id;
    values[at + 1] = transfer.account;
    values[at + 2] = transfer.asset;
    values[at + 3] = transfer.amount.toString();
    values[at + 4] = transfer.reference;
    values[at + 5] = transfer.time;
  },
};

export function readTransfer(row: Row): TransferRecord {
  return {
    id: Number(row.id),
    account: Number(row.account),
    asset: Number(row.asset),
    amount: exact(BigInt(row.amount!)),
    reference: String(row.reference),
    time: Number(row.time),
  };
}
