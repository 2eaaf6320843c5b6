import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { EntryType } from '../../engine/terms.ts';
import { AccountPayments, DEPOSITS, WITHDRAWALS } from './account-payments.ts';
import type { ReportColumn } from './columns.ts';
import { LedgerMismatchError } from './ledger-sums.ts';
import {
  creditedAmount,
  depositColumns,
  paidAmount,
  paymentAsset,
  withdrawalColumns,
} from './payment-columns.ts';
import { type Job, type Maker, passedPart, RowWriter } from './report-rows.ts';

/** The columns of a kind of payment, and its traces in the ledger. */
interface PaymentKind<Item> {
  readonly list: 'deposits' | 'withdrawals';
  readonly columns: readonly ReportColumn<Item>[];
  /** Name of the sum of what moved. */
  readonly movedName: 'credited' | 'paid';
  /** Returns the amount that it has added to the balance, or taken from it, in minor units. */
  moved(item: Item): Exact;
  /** Types of the ledger entries by which it moves the balance. */
  readonly entries: readonly number[];
  /** 1 if what moved increases the balance, otherwise -1. */
  readonly direction: 1 | -1;
}

/** Makes the deposits that were first reported in the period. @throws LedgerMismatchError */
export function makeDeposits(job: Job): Maker {
  const payments = new AccountPayments(job.source, job.terms, DEPOSITS);
  return makePayments<DepositRecord>(job, payments, {
    list: 'deposits',
    columns: depositColumns(job.source.state),
    movedName: 'credited',
    moved: creditedAmount,
    entries: [EntryType.deposit],
    direction: 1,
  });
}

/** Makes the withdrawals that were requested in the period. @throws LedgerMismatchError */
export function makeWithdrawals(job: Job): Maker {
  const payments = new AccountPayments(job.source, job.terms, WITHDRAWALS);
  return makePayments<WithdrawalRecord>(job, payments, {
    list: 'withdrawals',
    columns: withdrawalColumns(job.source.state),
    movedName: 'paid',
    moved: paidAmount,
    entries: [EntryType.withdrawal, EntryType.withdrawalFee],
    direction: -1,
  });
}

async function* makePayments<Item extends DepositRecord | WithdrawalRecord>(
  job: Job,
  payments: AccountPayments<Item>,
  kind: PaymentKind<Item>,
): Maker {
  const { source, terms, records, making } = job;
  const rows = new RowWriter(job, kind.columns);
  const totals = new Map<number, { payments: number; moved: Exact }>();
  /** The sum of the ledger entries that each payment must have, by id. */
  const expected = new Map<number, Exact>();
  for await (const page of payments.pages()) {
    for (const item of page) {
      rows.write(item);
      const moved = kind.moved(item);
      expected.set(item.id, kind.direction === 1 ? moved : difference(0, moved));
      const { index } = paymentAsset(source.state, item);
      const total = totals.get(index) ?? { payments: 0, moved: 0 };
      totals.set(index, { payments: total.payments + 1, moved: sum(total.moved, moved) });
    }
    making.progress = passedPart(terms, records, page.at(-1)!.createdAt) / 2;
    yield;
  }
  yield* checkLedger(job, expected, kind.entries);
  return rows.end(kind.list, `"totals":${totalsText(totals, kind, source.state)},`);
}

/** Compares payments with the entries of the ledger, from the beginning of the period to the position. @throws LedgerMismatchError */
async function* checkLedger(
  { records, making }: Job,
  expected: ReadonlyMap<number, Exact>,
  types: readonly number[],
): AsyncGenerator<void, void> {
  const left = new Map([...expected].filter(([, amount]) => amount !== 0));
  let first: number | undefined;
  for await (const page of records.entriesWithoutTrade()) {
    first ??= page[0]!.id;
    for (const { type, reference, amount } of page) {
      if (!types.includes(type) || !expected.has(reference)) continue;
      const rest = difference(left.get(reference) ?? 0, amount);
      if (rest === 0) left.delete(reference);
      else left.set(reference, rest);
    }
    making.progress = 0.5 + records.entryProgress(first, page.at(-1)!.id) / 2;
    yield;
  }
  for (const [id, rest] of left) {
    throw new LedgerMismatchError(`the ledger lacks ${rest} minor units of payment ${id}`);
  }
}

function totalsText(
  totals: ReadonlyMap<number, { readonly payments: number; readonly moved: Exact }>,
  { list, movedName }: Pick<PaymentKind<never>, 'list' | 'movedName'>,
  { assets }: State,
): string {
  const texts = [...totals].map(([index, { payments, moved }]) => {
    const { asset, decimals } = assets[index]!;
    return `{"asset":"${asset}","${list}":${payments},"${movedName}":${formatUnits(moved, decimals)}}`;
  });
  return `[${texts.join(',')}]`;
}
