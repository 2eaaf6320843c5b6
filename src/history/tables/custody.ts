import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import type { Row, Table } from '../database/database.ts';
import { bigint, Columns, integer, jsonOrNull, money, text, textOrNull } from './columns.ts';

/** Deposits and withdrawals that the engine has dropped, which it does some time after their end; rows never change. */

const depositColumns = new Columns<Omit<DepositRecord, 'kind'>>({
  account: integer('account'),
  id: bigint('id'),
  network: integer('network'),
  transaction: text('transaction_id'),
  index: bigint('place'),
  address: text('address'),
  memo: text('memo'),
  amount: money('amount'),
  confirmations: bigint('confirmations'),
  status: integer<DepositRecord['status']>('status'),
  report: bigint('report'),
  held: money('held'),
  createdAt: bigint('created_at'),
  updatedAt: bigint('updated_at'),
  creditedAt: bigint('credited_at'),
});

export const depositsTable: Table<DepositRecord> = {
  name: 'deposits',
  columns: depositColumns.all,
  write: (deposit, values, at) => depositColumns.write(deposit, values, at),
};

export function readDeposit(row: Row): DepositRecord {
  return { kind: 'deposit', ...depositColumns.read(row) };
}

/** A withdrawal as stored: `approvals` is null if there are none. */
type StoredWithdrawal = Omit<WithdrawalRecord, 'kind' | 'approvals'> & {
  readonly approvals: readonly number[] | null;
};

const withdrawalColumns = new Columns<StoredWithdrawal>({
  account: integer('account'),
  id: bigint('id'),
  key: integer('key'),
  network: integer('network'),
  address: text('address'),
  memo: text('memo'),
  amount: money('amount'),
  fee: money('fee'),
  clientId: textOrNull('client_id'),
  status: integer<WithdrawalRecord['status']>('status'),
  waitsUntil: bigint('waits_until'),
  approvals: jsonOrNull<readonly number[]>('approvals'),
  instruction: bigint('instruction'),
  transaction: text('transaction_id'),
  reason: text('reason'),
  report: bigint('report'),
  createdAt: bigint('created_at'),
  updatedAt: bigint('updated_at'),
});

export const withdrawalsTable: Table<WithdrawalRecord> = {
  name: 'withdrawals',
  columns: withdrawalColumns.all,
  write({ approvals, ...rest }, values, at) {
    const stored = { ...rest, approvals: approvals.length === 0 ? null : approvals };
    withdrawalColumns.write(stored, values, at);
  },
};

export function readWithdrawal(row: Row): WithdrawalRecord {
  const { approvals, ...rest } = withdrawalColumns.read(row);
  return { kind: 'withdrawal', ...rest, approvals: approvals ?? [] };
}
