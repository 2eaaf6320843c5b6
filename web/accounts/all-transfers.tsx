import type { LedgerEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { PagedTable } from '../components/paged-table.tsx';
import type { Page } from '../components/pages.ts';
import { readCells } from '../components/row-card.ts';
import type { Column } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';

type Row = LedgerEntry<string>;

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'direction',
    title: msg('Type'),
    cell: ({ amount }) => (isSent(amount) ? t('Sent') : t('Received')),
  },
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: signedAmount },
  {
    key: 'after',
    title: msg('Available after'),
    numeric: true,
    cell: ({ asset, after }) => <Amount asset={asset} amount={after} />,
  },
  { key: 'id', title: msg('Transfer ID'), cell: ({ reference }) => reference },
];

/** All transfers of the selected account, from its ledger, which does not name the other account. */
export function AllTransfers() {
  return (
    <PagedTable
      caption={t('Transfers')}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      card={transferCard}
      empty={t('No transfers yet')}
      fetchPage={fetchTransfers}
    />
  );
}

async function fetchTransfers(cursor: string | undefined): Promise<Page<Row>> {
  const page = { type: 'internal_transfer', limit: PAGE_SIZE, cursor } as const;
  const { entries, nextCursor } = await api.getLedger(page);
  return { rows: entries, nextCursor };
}

function isSent(amount: string): boolean {
  return amount.startsWith('-');
}

/** The sign carries the meaning for users who do not see the color. */
function signedAmount({ asset, amount }: Row) {
  const sent = isSent(amount);
  return (
    <span class={sent ? 'sell' : 'buy'}>
      {sent ? '−' : '+'}
      <Amount asset={asset} amount={sent ? amount.slice(1) : amount} />
    </span>
  );
}

/** A transfer on a phone: its direction and amount, then time and id, and what was available after it. */
function transferCard(entry: Row, columns: readonly Column<Row>[]) {
  const cell = readCells(entry, columns);
  return (
    <div class="row-card">
      <span>{cell('direction')}</span>
      <span class="row-end">
        {cell('amount')} {cell('asset')}
      </span>
      <span class="muted">
        {cell('time')} · {entry.reference}
      </span>
      <span class="row-end muted">
        {t('Available after')} {cell('after')}
      </span>
    </div>
  );
}
