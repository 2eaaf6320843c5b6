import {
  DepositStatus,
  depositStatusName,
  WithdrawalStatus,
  withdrawalStatuses,
} from '../../engine/custody/statuses.ts';
import type { DepositRecord, WithdrawalRecord } from '../../engine/event.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { isoTime, number, text, timeOrNull } from './account-columns.ts';
import type { ReportColumn } from './columns.ts';

/** Statuses of a deposit in which its amount is part of the account's balance. */
const CREDITED: readonly number[] = [
  DepositStatus.credited,
  DepositStatus.frozen,
  DepositStatus.released,
];

/** Returns what a deposit has added to the balance, in minor units. */
export function creditedAmount({ status, amount }: DepositRecord): Exact {
  return CREDITED.includes(status) ? amount : 0;
}

/** Returns what a withdrawal has taken from the balance, its fee included, in minor units. */
export function paidAmount({ status, amount, fee }: WithdrawalRecord): Exact {
  return status === WithdrawalStatus.confirmed ? sum(amount, fee) : 0;
}

/** Returns the asset of a deposit or withdrawal. */
export function paymentAsset({ parts, assets }: State, { network }: { readonly network: number }) {
  return assets[parts.custody.store.networks.get(network)!.asset]!;
}

type Payment = DepositRecord | WithdrawalRecord;

/** The columns of deposits. */
export function depositColumns(state: State): readonly ReportColumn<DepositRecord>[] {
  return [
    text('createdAt', ({ createdAt }) => isoTime(createdAt)),
    text('depositId', ({ id }) => String(id)),
    ...placeColumns(state),
    text('transaction', ({ transaction }) => transaction),
    text('index', ({ index }) => String(index)),
    text('status', (deposit) => depositStatusName(deposit)),
    text('confirmations', ({ confirmations }) => String(confirmations)),
    amountColumn('amount', state, ({ amount }) => amount),
    amountColumn('credited', state, creditedAmount),
    amountColumn('held', state, ({ held }) => held),
    text('creditedAt', ({ creditedAt }) => timeOrNull(creditedAt)),
    text('updatedAt', ({ updatedAt }) => isoTime(updatedAt)),
  ];
}

/** The columns of withdrawals. */
export function withdrawalColumns(state: State): readonly ReportColumn<WithdrawalRecord>[] {
  return [
    text('createdAt', ({ createdAt }) => isoTime(createdAt)),
    text('withdrawalId', ({ id }) => String(id)),
    text('clientId', ({ clientId }) => clientId),
    ...placeColumns(state),
    text('transaction', ({ transaction }) => transaction || null),
    text('status', ({ status }) => withdrawalStatuses[status]),
    amountColumn('amount', state, ({ amount }) => amount),
    amountColumn('fee', state, ({ fee }) => fee),
    amountColumn('paid', state, paidAmount),
    text('reason', ({ reason }) => reason || null),
    text('updatedAt', ({ updatedAt }) => isoTime(updatedAt)),
  ];
}

function placeColumns(state: State): readonly ReportColumn<Payment>[] {
  return [
    text('asset', (payment) => paymentAsset(state, payment).asset),
    text('network', ({ network }) => state.parts.custody.store.networks.get(network)!.name),
    text('address', ({ address }) => address),
    text('memo', ({ memo }) => memo || null),
  ];
}

function amountColumn<Item extends Payment>(
  name: string,
  state: State,
  amount: (item: Item) => Exact,
): ReportColumn<Item> {
  return number(name, (item) => formatUnits(amount(item), paymentAsset(state, item).decimals));
}
