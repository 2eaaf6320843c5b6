import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LedgerEntry } from '../../../src/client/index.ts';
import { api } from '../../api.ts';
import { PageList, type PageListProps } from '../../components/page-list.tsx';
import { type Page, usePages } from '../../components/pages.ts';
import { readCells } from '../../components/row-card.ts';
import type { Column } from '../../components/table.tsx';
import { t } from '../../i18n/index.ts';
import { clock } from '../../preferences.ts';
import { balances, cursors, fills, loadFills, loadPastOrders, pastOrders } from '../account.ts';
import { fillColumns, LEDGER_COLUMNS, pastColumns } from '../order-columns.tsx';
import { showOrder } from '../order-details/shown-order.ts';
import { FillCard, OrderCard } from '../phone/order-cards.tsx';
import type { ExactFill, ExactOrder } from '../records.ts';
import { countFilters, findPeriod, type HistoryFilter, selects } from './filter.ts';
import {
  fillFilter,
  HistoryFilterBar,
  type LedgerFilter,
  LedgerFilterBar,
  ledgerFilter,
  orderFilter,
} from './filter-bar.tsx';

const PAGE_SIZE = 50;
const FILE_PAGE_SIZE = 1000;
/** Minimum time between two requests for new ledger entries. */
const REFRESH_MS = 5000;

const isUtc = () => clock.value === 'utc';

async function fetchOrders(
  filter: HistoryFilter,
  limit: number,
  cursor?: string,
): Promise<Page<ExactOrder>> {
  const { orders, nextCursor } = await api.listOrders({
    status: filter.status || 'closed',
    symbol: filter.symbol || undefined,
    side: filter.side || undefined,
    ...findPeriod(filter, isUtc()),
    limit,
    cursor,
  });
  return { rows: orders.filter((order) => selects(filter, order, isUtc())), nextCursor };
}

async function fetchFills(
  filter: HistoryFilter,
  limit: number,
  cursor?: string,
): Promise<Page<ExactFill>> {
  const period = findPeriod(filter, isUtc());
  const symbol = filter.symbol || undefined;
  const page = await api.getFills({ symbol, ...period, limit, cursor });
  const rows = page.fills.filter((fill) => selects(filter, fill, isUtc()));
  return { rows, nextCursor: page.nextCursor };
}

async function fetchLedger(
  filter: LedgerFilter,
  limit: number,
  cursor?: string,
): Promise<Page<LedgerEntry<string>>> {
  const asset = filter.asset || undefined;
  const period = findPeriod(filter, isUtc());
  const type = filter.type || undefined;
  const { entries, nextCursor } = await api.getLedger({ asset, type, ...period, limit, cursor });
  return { rows: entries, nextCursor };
}

/** The code of downloads is loaded when it is first needed. */
export async function downloadOrders(): Promise<void> {
  const { downloadCsv, toOrderTable } = await import('./export.ts');
  const filter = orderFilter.value;
  await downloadCsv(
    'orders',
    (cursor) => fetchOrders(filter, FILE_PAGE_SIZE, cursor),
    toOrderTable,
  );
}

export async function downloadFills(): Promise<void> {
  const { downloadCsv, toFillTable } = await import('./export.ts');
  const filter = fillFilter.value;
  await downloadCsv('fills', (cursor) => fetchFills(filter, FILE_PAGE_SIZE, cursor), toFillTable);
}

export async function downloadLedger(): Promise<void> {
  const { downloadCsv, toLedgerTable } = await import('./export.ts');
  const filter = ledgerFilter.value;
  await downloadCsv(
    'ledger',
    (cursor) => fetchLedger(filter, FILE_PAGE_SIZE, cursor),
    toLedgerTable,
  );
}

/** Orders that have ended. */
export function OrderHistory() {
  const filter = orderFilter.value;
  const list = {
    caption: t('Order history'),
    columns: pastColumns(showOrder),
    onOpen: showOrder,
    card: (order: ExactOrder) => <OrderCard order={order} isOpen={false} />,
    rowKey: ({ orderId }: ExactOrder) => orderId,
  };
  return (
    <FilterableList bar={<HistoryFilterBar filter={orderFilter} hasStatus />}>
      {countFilters(filter) === 0 ? (
        <PageList
          {...list}
          rows={pastOrders.value}
          empty={t('No order history yet.')}
          cursor={cursors.value.orders}
          load={loadPastOrders}
        />
      ) : (
        <FilteredList
          key={JSON.stringify([filter, isUtc()])}
          {...list}
          live={(pastOrders.value ?? []).filter((order) => selects(filter, order, isUtc()))}
          fetchPage={(cursor) => fetchOrders(filter, PAGE_SIZE, cursor)}
        />
      )}
    </FilterableList>
  );
}

export function Fills() {
  const filter = fillFilter.value;
  const list = {
    caption: t('Fills'),
    columns: fillColumns(showOrder),
    onOpen: showOrder,
    card: (fill: ExactFill) => <FillCard fill={fill} />,
    rowKey: ({ id, orderId }: ExactFill) => `${id} ${orderId}`,
  };
  return (
    <FilterableList bar={<HistoryFilterBar filter={fillFilter} hasStatus={false} />}>
      {countFilters(filter) === 0 ? (
        <PageList
          {...list}
          rows={fills.value}
          empty={t('No fills yet.')}
          cursor={cursors.value.fills}
          load={loadFills}
        />
      ) : (
        <FilteredList
          key={JSON.stringify([filter, isUtc()])}
          {...list}
          live={(fills.value ?? []).filter((fill) => selects(filter, fill, isUtc()))}
          fetchPage={(cursor) => fetchFills(filter, PAGE_SIZE, cursor)}
        />
      )}
    </FilterableList>
  );
}

/** Every change of the account's available balances. */
export function Ledger() {
  const filter = ledgerFilter.value;
  return (
    <FilterableList bar={<LedgerFilterBar />}>
      <LedgerEntries key={JSON.stringify([filter, isUtc()])} filter={filter} />
    </FilterableList>
  );
}

/** An entry on a phone: type and change, then time and the balance after it. */
function ledgerCard(entry: LedgerEntry<string>, columns: readonly Column<LedgerEntry<string>>[]) {
  const cell = readCells(entry, columns);
  return (
    <div class="row-card">
      <span>{cell('type')}</span>
      <span class="row-end">
        {cell('change')} {cell('asset')}
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

function LedgerEntries({ filter }: { filter: LedgerFilter }) {
  const rowKey = ({ id }: LedgerEntry<string>) => id;
  const pages = usePages((cursor) => fetchLedger(filter, PAGE_SIZE, cursor), rowKey);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // A change of a balance is a new entry.
  useSignalEffect(() => {
    void balances.value;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void pages.refresh();
    }, REFRESH_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <PageList
      caption={t('Ledger')}
      columns={LEDGER_COLUMNS}
      rowKey={rowKey}
      card={ledgerCard}
      rows={pages.rows.value}
      empty={countFilters(filter) === 0 ? t('No ledger entries yet.') : t('Nothing matches.')}
      cursor={pages.cursor.value}
      load={pages.load}
      failure={pages.failure.value}
    />
  );
}

/** A list with the bar of its filters above it. */
function FilterableList({
  bar,
  children,
}: {
  bar: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="filterable-list">
      {bar}
      {children}
    </div>
  );
}

interface FilteredListProps<Row>
  extends Pick<PageListProps<Row>, 'caption' | 'columns' | 'rowKey' | 'onOpen' | 'card'> {
  /** Selected rows that arrived over the stream or were loaded without the filter. */
  readonly live: readonly Row[];
  readonly fetchPage: (cursor: string | undefined) => Promise<Page<Row>>;
  /** Shown if there are no rows. */
  readonly empty?: string;
}

/** Rows that the exchange found by a filter, with those of the stream. */
export function FilteredList<Row extends { readonly timestamp: string }>(
  props: FilteredListProps<Row>,
) {
  const { live, fetchPage, rowKey, empty = t('Nothing matches.'), ...table } = props;
  const pages = usePages(fetchPage, rowKey);
  const loaded = pages.rows.value;
  const rows = new Map([...(loaded ?? []), ...live].map((row) => [rowKey(row), row]));
  // Rows of one time keep their order, which is that of the exchange.
  const sorted = [...rows.values()].sort(
    (a, b) => Number(a.timestamp < b.timestamp) - Number(a.timestamp > b.timestamp),
  );
  const { cursor, failure } = pages;
  return (
    <PageList
      {...table}
      rowKey={rowKey}
      rows={loaded === undefined && live.length === 0 ? undefined : sorted}
      empty={empty}
      cursor={cursor.value}
      load={pages.load}
      failure={failure.value}
    />
  );
}
