import { computed } from '@preact/signals';
import Big from 'big.js';
import { Faucet, hasFaucet } from '../components/faucet.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { divide } from '../decimal.ts';
import { fixed, grouped, percent, rounded } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { toneClass } from './allocation.tsx';
import { gains } from './gains.ts';
import {
  balances,
  type Holding,
  holdings,
  loadHoldings,
  shownQuote,
  total,
  valueDecimals,
} from './holdings.ts';
import type { Gains } from './performance.ts';
import { share } from './rates.ts';
import { Gain } from './summary.tsx';

/** An asset that the account has, or has sold with a gain or loss. */
interface Row extends Partial<Holding> {
  readonly asset: string;
  /** Place by value. */
  readonly place: number;
  /** Undefined until loaded. */
  readonly gains: Gains['assets'][number] | undefined;
}

/** Balances with a lower value are small, as a part of the whole. */
const SMALL_SHARE_PERCENT = 0.01;

const smallBalances = preference('small-balances', ['shown', 'hidden'], 'shown');

const rows = computed<readonly Row[]>(() => {
  const found = new Map(gains.value?.assets.map((each) => [each.asset, each]));
  const owned = holdings.value.map((holding, place) => {
    const { asset } = holding.balance;
    return { ...holding, asset, place, gains: found.get(asset) };
  });
  const present = new Set(owned.map(({ asset }) => asset));
  const sold = [...found.values()]
    .filter(({ asset, realized }) => !present.has(asset) && !new Big(realized).eq(0))
    .map((each) => ({ asset: each.asset, place: Infinity, gains: each }));
  return [...owned, ...sold];
});

const shownRows = computed(() =>
  smallBalances.value === 'shown' ? rows.value : rows.value.filter((row) => !isSmall(row)),
);

function isSmall({ value, balance }: Row): boolean {
  if (balance === undefined) return true;
  return value !== undefined && share(value, total.value).lt(SMALL_SHARE_PERCENT);
}

/** Balances with their costs and gains. */
export function BalanceTable() {
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
        <div class="portfolio-actions">
          <a class="button small" href="/deposit">
            {t('Deposit')}
          </a>
          <a class="button small" href="/withdraw">
            {t('Withdraw')}
          </a>
          <Faucet onAdded={() => loadHoldings().catch(announceError)} />
        </div>
      </header>
      <Table
        caption={t('Balances')}
        columns={COLUMNS}
        rows={shownRows.value}
        rowKey={({ asset }) => asset}
        empty={emptyText()}
      />
    </section>
  );
}

function emptyText(): string {
  if (balances.value === undefined) return t('Loading…');
  if (rows.value.length > 0) return t('All balances are small.');
  if (hasFaucet()) return t('No assets yet. Get demo funds from the faucet above.');
  return t('No assets yet. Make a deposit to start trading.');
}

/** Returns a price with as many decimals as are of use; `title` has all of them. */
function Price({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return <>–</>;
  const size = new Big(text).abs();
  const decimals = size.gte(1000) ? 2 : size.gte(1) ? 4 : 8;
  return <span title={grouped(text)}>{rounded(text, decimals)}</span>;
}

function Unrealized({ row: { asset, gains: found, value } }: { row: Row }) {
  if (found === undefined || value === undefined || asset === shownQuote.value) return <>–</>;
  const gain = value.minus(found.cost);
  const cost = new Big(found.cost);
  const change = cost.gt(0) ? divide(gain.times(100), cost, 4, Big.roundHalfUp) : undefined;
  return (
    <span class="stacked">
      <Gain value={gain} />
      {change === undefined ? null : <small class="muted">{percent(change.toFixed())}</small>}
    </span>
  );
}

function AverageCost({ row: { asset, gains: found } }: { row: Row }) {
  if (asset === shownQuote.value) return <>–</>;
  return (
    <>
      <Price text={found?.averageCost} />
      {found?.hasUnknownCost ? (
        <abbr title={t('Some of this had no price when it arrived and counts as free.')}> *</abbr>
      ) : null}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'asset',
    title: msg('Asset'),
    cell: ({ asset, place, value }) => (
      <span class="asset-name">
        <span class={`swatch ${value === undefined ? '' : toneClass(place)}`} aria-hidden="true" />
        <b>{asset}</b>
      </span>
    ),
  },
  {
    key: 'total',
    title: msg('Amount'),
    numeric: true,
    cell: ({ balance }) => grouped(balance?.total ?? '0'),
  },
  {
    key: 'available',
    title: msg('Available'),
    numeric: true,
    cell: ({ balance }) => grouped(balance?.available ?? '0'),
  },
  {
    key: 'held',
    title: msg('In orders'),
    numeric: true,
    cell: ({ balance }) => grouped(balance?.held ?? '0'),
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
    cell: ({ gains: found }) => <Price text={found?.price} />,
  },
  {
    key: 'value',
    title: msg('Value'),
    numeric: true,
    cell: ({ value, balance }) => {
      if (balance === undefined) return '–';
      return value === undefined ? t('No price') : fixed(value, valueDecimals.value);
    },
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
    cell: ({ gains: found }) => (found === undefined ? '–' : <Gain value={found.realized} />),
  },
];
