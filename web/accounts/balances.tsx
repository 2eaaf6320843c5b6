import type { Balance } from '../../src/client/index.ts';
import { Panel } from '../components/panel.tsx';
import { type Column, Table } from '../components/table.tsx';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { shownQuote } from '../portfolio/holdings.ts';
import { group } from '../selected-account.ts';
import { AccountName } from './account-name.tsx';
import { balanceValue, valueNumber, valueText } from './values.ts';

interface Row {
  readonly accountId: string;
  readonly balance: Balance<string>;
}

/** The balances of all accounts that are not zero. */
export function GroupBalances() {
  const rows = group.value.flatMap(({ accountId, balances }) =>
    balances.filter(({ total }) => total !== '0').map((balance) => ({ accountId, balance })),
  );
  return (
    <Panel title={t('Balances')} flush>
      <Table
        caption={t('Balances of all accounts')}
        columns={buildColumns()}
        rows={rows}
        rowKey={({ accountId, balance }) => `${accountId} ${balance.asset}`}
        card={balanceCard}
        empty={t('No assets yet')}
      />
    </Panel>
  );
}

/** A balance on a phone: account and asset with the whole amount and its value, then its parts. */
function balanceCard({ accountId, balance }: Row) {
  const { asset, total, available, held } = balance;
  return (
    <div class="row-card">
      <span>
        <AccountName accountId={accountId} />
      </span>
      <b class="row-end">
        <Amount asset={asset} amount={total} hasUnit />
      </b>
      <span class="muted">
        {t('Available')} <Amount asset={asset} amount={available} />
        {held === '0' ? null : (
          <>
            <br />
            {t('On hold')} <Amount asset={asset} amount={held} />
          </>
        )}
      </span>
      <span class="row-end muted">{valueText(balanceValue(balance))}</span>
    </div>
  );
}

function buildColumns(): readonly Column<Row>[] {
  const amount = (key: 'total' | 'available' | 'held', title: string): Column<Row> => ({
    key,
    title,
    numeric: true,
    cell: ({ balance }) => <Amount asset={balance.asset} amount={balance[key]} />,
  });
  return [
    {
      key: 'account',
      title: msg('Account'),
      cell: ({ accountId }) => <AccountName accountId={accountId} />,
    },
    { key: 'asset', title: msg('Asset'), cell: ({ balance }) => <b>{balance.asset}</b> },
    amount('total', msg('Total')),
    amount('available', msg('Available')),
    amount('held', msg('On hold')),
    {
      key: 'value',
      title: t('Value ({asset})', { asset: shownQuote.value }),
      numeric: true,
      cell: ({ balance }) => valueNumber(balanceValue(balance)),
    },
  ];
}
