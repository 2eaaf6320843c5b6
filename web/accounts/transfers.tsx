import { useSignal } from '@preact/signals';
import type { InternalTransfer } from '../../src/client/index.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import type { Resource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
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
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
];

const PAGE_SIZE = 20;

/** The transfers of the last 24 hours, a page at first. */
export function Transfers({ transfers }: { transfers: Resource<readonly Row[]> }) {
  const shownCount = useSignal(PAGE_SIZE);
  const lead = isSubAccount.value
    ? t('From and to this account, last 24 hours')
    : t('From and to all your accounts, last 24 hours');
  return (
    <Panel title={t('Transfers')} lead={lead} flush>
      <Loaded resource={transfers}>
        {(rows) => (
          <>
            <Table
              caption={t('Transfers')}
              columns={COLUMNS}
              rows={rows.slice(0, shownCount.value)}
              rowKey={({ id }) => id}
              empty={t('No transfers in the last 24 hours')}
            />
            {rows.length > shownCount.value ? (
              <p class="more">
                <button
                  type="button"
                  class="button small"
                  onClick={() => (shownCount.value += PAGE_SIZE)}
                >
                  {t('Show more ({count, number})', { count: rows.length - shownCount.value })}
                </button>
              </p>
            ) : null}
          </>
        )}
      </Loaded>
      <p class="earlier-transfers muted">
        <T
          text="Earlier transfers are in a <a>ledger report</a>, as entries of the type internal_transfer."
          a={(children) => <a href="/portfolio#reports">{children}</a>}
        />
      </p>
    </Panel>
  );
}
