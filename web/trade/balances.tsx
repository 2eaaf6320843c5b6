import { computed, signal, useSignalEffect } from '@preact/signals';
import Big from 'big.js';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { divide } from '../decimal.ts';
import { changeTone, grouped, percent, signed } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { method } from '../portfolio/gains.ts';
import { chooseQuote } from '../portfolio/holdings.ts';
import { countValueDecimals } from '../portfolio/market-digits.ts';
import type { Gains } from '../portfolio/performance.ts';
import { convert, findRoute, quoteAssets } from '../portfolio/rates.ts';
import { balances, type ExactBalance } from './account.ts';
import { HeldAmount } from './held-amount.tsx';
import { markets, prices } from './markets.ts';
import { Rounded } from './rounded.tsx';

/** Minimum time between two requests for the costs, while trades change the balances. */
const REFRESH_MS = 5000;
/** A long ledger takes several requests; this is the time between them. */
const CONTINUE_MS = 1000;

/** A balance with its cost, and its value at the last prices. */
interface Row {
  readonly balance: ExactBalance;
  /** Undefined if no market gives a price. */
  readonly value: Big | undefined;
  /** Undefined until loaded, and for the currency of the values. */
  readonly cost: Gains['assets'][number] | undefined;
}

/** The currency of values and costs: that of the portfolio. */
const currency = computed(() => chooseQuote(quoteAssets(markets.value)));
const costs = signal<Gains['assets']>([]);

const rows = computed<readonly Row[]>(() =>
  balances.value.map((balance) => {
    const { asset, total } = balance;
    const route = findRoute(asset, currency.value, markets.value);
    const findLast = (symbol: string) =>
      prices.value.get(symbol)?.price ?? markets.value.find((each) => each.symbol === symbol)?.last;
    const value = route === undefined ? undefined : convert(new Big(total), route, findLast);
    const cost =
      asset === currency.value ? undefined : costs.value.find((each) => each.asset === asset);
    return { balance, value, cost };
  }),
);

const order = new ResponseOrder();

/** Loads the costs of the balances. @returns Whether they include all of the ledger */
async function loadCosts(): Promise<boolean> {
  const isNewest = order.begin();
  const quote = currency.peek();
  const found = await api.getProfitAndLoss({
    quote,
    method: method.peek(),
    interval: '1d',
    limit: 1,
  });
  if (isNewest()) costs.value = found.assets;
  return found.isComplete;
}

/** Loads the costs while the table is shown, again after the balances have changed. */
function useCosts(): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isLoaded = useRef(false);
  const isOver = useRef(false);
  const load = () => {
    isLoaded.current = true;
    timer.current = undefined;
    loadCosts()
      .then((isComplete) => {
        if (!isComplete && !isOver.current) timer.current ??= setTimeout(load, CONTINUE_MS);
      })
      .catch(announceError);
  };
  useSignalEffect(() => {
    void [balances.value, method.value];
    if (currency.value === '') return;
    if (!isLoaded.current) load();
    else timer.current ??= setTimeout(load, REFRESH_MS);
  });
  useEffect(
    () => () => {
      isOver.current = true;
      clearTimeout(timer.current);
    },
    [],
  );
}

/** The balances with their values, costs and gains. */
export function Balances() {
  useCosts();
  return (
    <Table
      caption={t('Balances')}
      columns={buildColumns(currency.value)}
      rows={rows.value}
      rowKey={({ balance }) => balance.asset}
      card={balanceCard}
      empty={t('No assets yet.')}
    />
  );
}

/** A balance on a phone: asset and total, then its parts with its value and gain. */
function balanceCard(row: Row, columns: readonly Column<Row>[]) {
  const cell = readCells(row, columns);
  return (
    <div class="row-card">
      <span>{cell('asset')}</span>
      <b class="row-end">{cell('amount')}</b>
      <span class="muted">
        {t('Available')} {cell('available')}
      </span>
      <span class="row-end muted">
        {cell('value')} {currency.value}
      </span>
      <span class="muted">
        {t('On hold')} {cell('held')}
      </span>
      <span class="row-end">{cell('unrealized')}</span>
      <span class="row-line muted">
        {t('Average cost')} {cell('cost')}
      </span>
    </div>
  );
}

function Value({ value }: Pick<Row, 'value'>) {
  if (value === undefined) return <>–</>;
  return <Rounded value={value} decimals={countValueDecimals(currency.value)} />;
}

function Unrealized({ row: { value, cost } }: { row: Row }) {
  if (value === undefined || cost === undefined) return <>–</>;
  const gain = value.minus(cost.cost);
  const paid = new Big(cost.cost);
  const share = paid.gt(0) ? divide(gain.times(100), paid, 4, Big.roundHalfUp).toFixed() : '0';
  return (
    <span class={changeTone(share)} title={`${grouped(gain)} ${currency.value}`}>
      {signed(gain, countValueDecimals(currency.value))}
      {paid.gt(0) ? <span class="gain-share"> ({percent(share)})</span> : null}
    </span>
  );
}

function AverageCost({ row: { cost } }: { row: Row }) {
  if (cost?.averageCost == null) return <>–</>;
  return (
    <>
      <Rounded value={cost.averageCost} />
      {cost.hasUnknownCost ? (
        <abbr title={t('Some of this had no price when it arrived and counts as free.')}> *</abbr>
      ) : null}
    </>
  );
}

const buildColumns = (quote: string): readonly Column<Row>[] => [
  { key: 'asset', title: msg('Asset'), cell: ({ balance }) => <b>{balance.asset}</b> },
  {
    key: 'amount',
    title: msg('Total'),
    numeric: true,
    cell: ({ balance }) => <Amount asset={balance.asset} amount={balance.total} />,
  },
  {
    key: 'available',
    title: msg('Available'),
    numeric: true,
    cell: ({ balance }) => <Amount asset={balance.asset} amount={balance.available} />,
  },
  {
    key: 'held',
    title: msg('On hold'),
    numeric: true,
    cell: ({ balance: { asset, held } }) => <HeldAmount asset={asset} held={held} />,
  },
  {
    key: 'value',
    title: t('Value ({asset})', { asset: quote }),
    numeric: true,
    cell: (row) => <Value value={row.value} />,
  },
  {
    key: 'cost',
    title: msg('Average cost'),
    numeric: true,
    cell: (row) => <AverageCost row={row} />,
  },
  {
    key: 'unrealized',
    title: msg('Unrealized P&L'),
    numeric: true,
    cell: (row) => <Unrealized row={row} />,
  },
];
