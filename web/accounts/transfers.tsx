import type { InternalTransfer } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { PageList } from '../components/page-list.tsx';
import type { Page, Pages } from '../components/pages.ts';
import { Panel } from '../components/panel.tsx';
import { readCells } from '../components/row-card.ts';
import type { Column } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { isSubAccount } from '../selected-account.ts';
import { AccountName } from './account-name.tsx';

type Row = InternalTransfer<string>;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'from',
    title: msg('From||account'),
    cell: ({ from }) => <AccountName accountId={from} />,
  },
  { key: 'to', title: msg('To||account'), cell: ({ to }) => <AccountName accountId={to} /> },
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  {
    key: 'amount',
    title: msg('Amount'),
    numeric: true,
    cell: ({ asset, amount }) => <Amount asset={asset} amount={amount} />,
  },
];

const PAGE_SIZE = 20;

/** Loads a page of transfers, the newest first. */
export async function fetchTransfers(cursor: string | undefined): Promise<Page<Row>> {
  const { transfers, nextCursor } = await api.listInternalTransfers({ limit: PAGE_SIZE, cursor });
  return { rows: transfers, nextCursor };
}

/** The transfers of the account, and of a main account those of its sub-accounts. */
export function Transfers({ transfers }: { transfers: Pages<Row> }) {
  const { rows, cursor, failure, load } = transfers;
  return (
    <Panel
      title={t('Transfers')}
      lead={isSubAccount.value ? t('From and to this account') : t('From and to all your accounts')}
      flush
    >
      <PageList
        caption={t('Transfers')}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        card={transferCard}
        empty={t('No transfers yet')}
        rows={rows.value}
        cursor={cursor.value}
        load={load}
        failure={failure.value}
      />
    </Panel>
  );
}

/** A transfer on a phone: its accounts and amount, then its time. */
function transferCard(transfer: Row, columns: readonly Column<Row>[]) {
  const cell = readCells(transfer, columns);
  return (
    <div class="row-card">
      <span class="transfer-accounts">
        {cell('from')} <span>→</span> {cell('to')}
      </span>
      <span class="row-end">
        <b>{cell('amount')}</b> {cell('asset')}
      </span>
      <span class="muted">{cell('time')}</span>
    </div>
  );
}
