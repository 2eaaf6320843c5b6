import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import type { Row, Table } from '../database/database.ts';
import {
  bigint,
  Columns,
  type ColumnsByField,
  integer,
  jsonOrNull,
  money,
  text,
  textOrNull,
} from './columns.ts';

/** Deposits and withdrawals that the engine has dropped, which it does some time after their end; rows never change. */

const depositFields: ColumnsByField<Omit<DepositRecord, 'kind'>> = {
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
};
const depositColumns = new Columns(depositFields);

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

const withdrawalFields: ColumnsByField<StoredWithdrawal> = {
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
};
const withdrawalColumns = new Columns(withdrawalFields);

export const withdrawalsTable: Table<WithdrawalRecord> = {
  name: 'withdrawals',
  columns: withdrawalColumns.all,
  write: (withdrawal, values, at) => withdrawalColumns.write(toStored(withdrawal), values, at),
};

function toStored<Item extends { readonly approvals: readonly number[] }>(item: Item) {
  return { ...item, approvals: item.approvals.length === 0 ? null : item.approvals };
}

export function readWithdrawal(row: Row): WithdrawalRecord {
  const { approvals, ...rest } = withdrawalColumns.read(row);
  return { kind: 'withdrawal', ...rest, approvals: approvals ?? [] };
}

/** The place of a change in the log. */
export interface ChangePlace {
  /** Batch of the change. */
  readonly changedIn: number;
  /** Its place in the batch; grows with every change, with gaps. */
  readonly changeIndex: number;
}

/** A deposit or a withdrawal of an account after one of its changes. */
export type DepositChange = DepositRecord & ChangePlace;
export type WithdrawalChange = WithdrawalRecord & ChangePlace;
export type CustodyChange = DepositChange | WithdrawalChange;

const placeFields: ColumnsByField<ChangePlace> = {
  changedIn: bigint('changed_in'),
  changeIndex: bigint('change_index'),
};

const depositChangeColumns = new Columns<Omit<DepositChange, 'kind'>>({
  ...depositFields,
  ...placeFields,
});

/** Every change of a deposit of an account, which streams and webhooks report. */
export const depositChangesTable: Table<DepositChange> = {
  name: 'deposit_changes',
  columns: depositChangeColumns.all,
  write: (change, values, at) => depositChangeColumns.write(change, values, at),
};

export function readDepositChange(row: Row): DepositChange {
  return { kind: 'deposit', ...depositChangeColumns.read(row) };
}

const withdrawalChangeColumns = new Columns<StoredWithdrawal & ChangePlace>({
  ...withdrawalFields,
  ...placeFields,
});

/** Every change of a withdrawal. */
export const withdrawalChangesTable: Table<WithdrawalChange> = {
  name: 'withdrawal_changes',
  columns: withdrawalChangeColumns.all,
  write: (change, values, at) => withdrawalChangeColumns.write(toStored(change), values, at),
};

export function readWithdrawalChange(row: Row): WithdrawalChange {
  const { approvals, ...rest } = withdrawalChangeColumns.read(row);
  return { kind: 'withdrawal', ...rest, approvals: approvals ?? [] };
}
