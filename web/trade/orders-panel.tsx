import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from '../components/dialog.tsx';
import { Faucet } from '../components/faucet.tsx';
import { Icon } from '../components/icon.tsx';
import { Later } from '../components/later.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { signInPath } from '../session.ts';
import { canTrade, isSignedIn, openOrders } from './account.ts';
import { amendOrder } from './amend-request.ts';
import { cancelOrder, cancelOrders } from './cancel-orders.ts';
import { hasNoFunds, NoFunds } from './get-funds.tsx';
import { fillFilter, ListControls, ledgerFilter, orderFilter } from './history/filter-bar.tsx';
import {
  downloadFills,
  downloadLedger,
  downloadOrders,
  Fills,
  Ledger,
  OrderHistory,
} from './history/lists.tsx';
import { symbol } from './markets.ts';
import { openColumns } from './order-columns.tsx';
import { showOrder } from './order-details/shown-order.ts';
import { orderName } from './order-names.ts';
import { OrderCard } from './phone/order-cards.tsx';
import type { ExactOrder } from './records.ts';

const TAB_IDS = ['open', 'history', 'fills', 'ledger', 'balances'] as const;
type TabId = (typeof TAB_IDS)[number];
const tab = preference<TabId>('orders-tab', TAB_IDS, 'open');

/** Whether the dialog that cancels all orders is open. */
export const isCancelingAll = signal(false);

/** Open orders, order history, fills and balances. */
export function OrdersPanel() {
  return (
    <section class="panel orders" aria-label={t('Your orders')}>
      <StaleNote />
      {isSignedIn.value ? <AccountTabs /> : <SignedOut />}
    </section>
  );
}

function SignedOut() {
  return (
    <div class="sign-in-call">
      <p>{t('Sign in to see your orders, fills and balances.')}</p>
      <a class="button small" href={signInPath()}>
        {t('Sign in')}
      </a>
    </div>
  );
}

function AccountTabs() {
  const isFiltered = useSignal(false);
  const filter = <Row extends { symbol: string }>(rows: readonly Row[]) =>
    isFiltered.value ? rows.filter((row) => row.symbol === symbol.value) : rows;
  const panels: Readonly<Record<TabId, () => ComponentChildren>> = {
    open: () => <OpenOrders orders={filter(openOrders.value)} />,
    history: () => <OrderHistory />,
    fills: () => <Fills />,
    ledger: () => <Ledger />,
    balances: () => <Later load={loadBalances} />,
  };
  return (
    <>
      <Tabs<TabId>
        label={t('Your account')}
        tabs={[
          {
            id: 'open',
            label: msg('Open orders'),
            short: msg('Open||orders'),
            count: filter(openOrders.value).length,
          },
          { id: 'history', label: msg('Order history'), short: msg('History||orders') },
          { id: 'fills', label: msg('Fills'), short: msg('Fills||orders') },
          { id: 'ledger', label: msg('Ledger'), short: msg('Ledger||orders') },
          { id: 'balances', label: msg('Balances'), short: msg('Balances||orders') },
        ]}
        selected={tab.value}
        onSelect={(id) => {
          tab.value = id;
        }}
        aside={<TabControls tab={tab.value} isFiltered={isFiltered} />}
      >
        {panels[tab.value]()}
      </Tabs>
      <CancelAllDialog />
    </>
  );
}

/** The code of the balances is loaded when they are first shown. */
const loadBalances = () => import('./balances.tsx').then(({ Balances }) => Balances);

/** The controls next to the tabs: the market filter or the faucet, and the button that cancels all. */
function TabControls({ tab, isFiltered }: { tab: TabId; isFiltered: Signal<boolean> }) {
  // Where space is short, the filter is shown only while there are orders to hide.
  const hidesOrders =
    isFiltered.value || openOrders.value.some((order) => order.symbol !== symbol.value);
  return (
    <div class={`orders-aside ${tab === 'open' && !hidesOrders ? 'filters-nothing' : ''}`}>
      {tab === 'balances' ? <Faucet /> : null}
      {tab === 'history' ? <ListControls filter={orderFilter} onDownload={downloadOrders} /> : null}
      {tab === 'fills' ? <ListControls filter={fillFilter} onDownload={downloadFills} /> : null}
      {tab === 'ledger' ? <ListControls filter={ledgerFilter} onDownload={downloadLedger} /> : null}
      {tab === 'open' ? (
        <label class="check">
          <input
            type="checkbox"
            checked={isFiltered.value}
            onChange={(event) => {
              isFiltered.value = event.currentTarget.checked;
            }}
          />
          <span class="market-cell" title={symbol.value}>
            <T
              text="{symbol}<more> only</more>"
              symbol={symbol.value}
              more={(children) => <span class="check-more">{children}</span>}
            />
          </span>
        </label>
      ) : null}
      {tab === 'open' ? (
        <button
          type="button"
          class="button small cancel-all"
          title={t('Cancel all')}
          disabled={openOrders.value.length === 0}
          onClick={() => {
            isCancelingAll.value = true;
          }}
        >
          <Icon name="trash" />
          <span class="button-text">{t('Cancel all')}</span>
        </button>
      ) : null}
    </div>
  );
}

function OpenOrders({ orders }: { orders: readonly ExactOrder[] }) {
  const actions: Column<ExactOrder> = {
    key: 'actions',
    title: msg('Actions'),
    hiddenTitle: true,
    cell: (order) => (
      <span class="actions">
        <button
          type="button"
          class="icon-button"
          aria-label={t('Amend {order}', { order: orderName(order) })}
          title={t('Amend')}
          onClick={() => {
            amendOrder(order);
          }}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('Cancel {order}', { order: orderName(order) })}
          title={t('Cancel||order')}
          onClick={() => void cancelOrder(order)}
        >
          <Icon name="close" />
        </button>
      </span>
    ),
  };
  if (orders.length === 0 && hasNoFunds.value && canTrade.value) return <NoFunds />;
  return (
    <Table
      caption={t('Open orders')}
      columns={[...openColumns(showOrder), actions]}
      onOpen={showOrder}
      card={(order) => <OrderCard order={order} isOpen />}
      rows={orders}
      rowKey={({ orderId }) => orderId}
      empty={t('Your open orders appear here.')}
    />
  );
}

function CancelAllDialog() {
  const inMarket = openOrders.value.filter((order) => order.symbol === symbol.value).length;
  const all = openOrders.value.length;
  const close = () => {
    isCancelingAll.value = false;
  };
  const cancelAll = (selection: { symbol: string } | { all: 'true' }) => {
    close();
    void cancelOrders(selection);
  };
  return (
    <Dialog title={t('Cancel all orders')} open={isCancelingAll.value} onClose={close}>
      <p>
        {t(
          'Stop and take-profit orders that have not triggered are included. Fills are not reversed.',
        )}
      </p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          {t('Keep orders')}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={inMarket === 0}
          onClick={() => cancelAll({ symbol: symbol.value })}
        >
          {t('Cancel {count, plural, one {# {symbol} order} other {# {symbol} orders}}', {
            count: inMarket,
            symbol: symbol.value,
          })}
        </button>
        <button
          type="button"
          class="button danger"
          disabled={all === 0}
          onClick={() => cancelAll({ all: 'true' })}
        >
          <T text="Cancel all {all}" all={all} />
        </button>
      </div>
    </Dialog>
  );
}
