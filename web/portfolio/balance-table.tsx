import { signal } from '@preact/signals';
import { Faucet, hasFaucet } from '../components/faucet.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { BalanceCards } from './balance-cards.tsx';
import {
  AmountCell,
  Asset,
  AssetLinks,
  AvailableCell,
  AverageCost,
  Price,
  Realized,
  Unrealized,
  ValueCell,
} from './balance-cells.tsx';
import { METHOD_LABELS, method } from './gains.ts';
import { balances, loadHoldings } from './holdings.ts';
import { type Row, rows, shownRows, smallBalances } from './rows.ts';

const phone = matchMedia('(max-width: 720px)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** Balances with their costs and gains. */
export function BalanceTable() {
  const shown = shownRows.value;
  return (
    <section class="panel balances" aria-labelledby="balances-title">
      <header>
        <h2 id="balances-title">{t('Balances')}</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={smallBalances.value === 'hidden'}
            onChange={({ currentTarget }) => {
              smallBalances.value = currentTarget.checked ? 'hidden' : 'shown';
            }}
          />
          {t('Hide small balances')}
        </label>
        <Faucet onAdded={() => loadHoldings().catch(announceError)} />
      </header>
      {isPhone.value && shown.length > 0 ? (
        <BalanceCards rows={shown} />
      ) : (
        <Table
          caption={t('Balances')}
          columns={COLUMNS}
          rows={shown}
          rowKey={({ asset }) => asset}
          empty={emptyText()}
        />
      )}
      <p class="balances-foot muted">
        <span>
          {t('Cost method')}: <a href="#gains">{t(METHOD_LABELS[method.value])}</a>
        </span>
        <span>
          {t('History')}: <a href="/deposit">{t('Deposits')}</a>,{' '}
          <a href="/withdraw">{t('Withdrawals')}</a>
        </span>
      </p>
    </section>
  );
}

function emptyText(): string {
  if (balances.value === undefined) return t('Loading…');
  if (rows.value.length > 0) return t('All balances are small.');
  if (hasFaucet()) return t('No assets yet. Get demo funds from the faucet above.');
  return t('No assets yet. Make a deposit to start trading.');
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <Asset asset={asset} /> },
  {
    key: 'total',
    title: msg('Amount'),
    numeric: true,
    cell: (row) => <AmountCell row={row} />,
  },
  {
    key: 'available',
    title: msg('Available'),
    numeric: true,
    cell: (row) => <AvailableCell row={row} />,
  },
  {
    key: 'cost',
    title: msg('Average cost'),
    numeric: true,
    cell: (row) => <AverageCost row={row} />,
  },
  {
    key: 'price',
    title: msg('Price'),
    numeric: true,
    cell: ({ asset, gains: found }) => <Price asset={asset} price={found?.price} />,
  },
  {
    key: 'value',
    title: msg('Value'),
    numeric: true,
    cell: (row) => <ValueCell row={row} />,
  },
  {
    key: 'unrealized',
    title: msg('Unrealized P&L'),
    numeric: true,
    cell: (row) => <Unrealized row={row} />,
  },
  {
    key: 'realized',
    title: msg('Realized P&L'),
    numeric: true,
    cell: (row) => <Realized row={row} />,
  },
  {
    key: 'links',
    title: msg('Actions'),
    hiddenTitle: true,
    numeric: true,
    cell: ({ asset }) => <AssetLinks asset={asset} />,
  },
];
