import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { readCells } from '../components/row-card.ts';
import type { Column } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { networkName } from './networks.ts';

/** A payment on a phone: amount and status, network and time, then the address and the transaction that its columns show. */
export function paymentCard<Row extends Deposit<string> | Withdrawal<string>>(
  row: Row,
  columns: readonly Column<Row>[],
) {
  const cell = readCells(row, columns);
  return (
    <div class="row-card">
      <b>{`${grouped(row.amount)} ${row.asset}`}</b>
      <span class="row-end">{cell('status')}</span>
      <span class="muted">
        {networkName(row.network)}
        {'fee' in row ? ` · ${t('Fee {fee}', { fee: grouped(row.fee) })}` : null}
      </span>
      <span class="row-end muted">{dateTime(row.createdAt)}</span>
      <span>{cell('recipient')}</span>
      <span class="row-end">{cell('transaction')}</span>
      {cell('cancel')}
    </div>
  );
}
