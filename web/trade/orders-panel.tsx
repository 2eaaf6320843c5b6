import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from '../components/dialog.tsx';
import { Faucet } from '../components/faucet.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { isSandbox } from '../sandbox.ts';
import { signInPath } from '../session.ts';
import { balances, isSignedIn, openOrders } from './account.ts';
import { amendOrder } from './amend-request.ts';
import { cancelOrder, cancelOrders, orderName } from './cancel-orders.ts';
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
import { BALANCE_COLUMNS, OPEN_COLUMNS } from './order-columns.tsx';
import type { ExactOrder } from './records.ts';
import { TimelineDialog } from './timeline-dialog.tsx';

const TAB_IDS = ['open', 'history', 'fills', 'ledger', 'balances'] as const;
type TabId = (typeof TAB_IDS)[number];
const tab = preference<TabId>('orders-tab', TAB_IDS, 'open');

/** Whether the dialog that cancels all orders is open. */
export const isCancelingAll = signal(false);

/** Open orders, order history, fills and balances. */
export function OrdersPanel() {
  return (
    <section class="panel orders" aria-label={t('Your orders')}>
      <StaleNote of="orders" />
      {isSignedIn.value ? <AccountTabs /> : <SignedOut />}
    </section>
  );
}

function SignedOut() {
  return (
    <p class="empty">
      <T
        text="<a>Sign in</a> to see your orders, fills and balances, or <a2>sign up</a2>."
        a={(children) => <a href={signInPath()}>{children}</a>}
        a2={(children) => <a href="/sign-up">{children}</a>}
      />
    </p>
  );
}

function AccountTabs() {
  const isFiltered = useSignal(false);
  const shown = useSignal<ExactOrder | undefined>(undefined);
  const filter = <Row extends { symbol: string }>(rows: readonly Row[]) =>
    isFiltered.value ? rows.filter((row) => row.symbol === symbol.value) : rows;
  const panels: Readonly<Record<TabId, () => ComponentChildren>> = {
    open: () => <OpenOrders orders={filter(openOrders.value)} shown={shown} />,
    history: () => <OrderHistory actions={historyActions(shown)} />,
    fills: () => <Fills />,
    ledger: () => <Ledger />,
    balances: () => <Balances />,
  };
  return (
    <>
      <Tabs<TabId>
        label={t('Your account')}
        tabs={[
          { id: 'open', label: t('Open orders'), count: filter(openOrders.value).length },
          { id: 'history', label: t('Order history') },
          { id: 'fills', label: t('Fills') },
          { id: 'ledger', label: t('Ledger') },
          { id: 'balances', label: t('Balances') },
        ]}
        selected={tab.value}
        onSelect={(id) => {
          tab.value = id;
        }}
        aside={<TabControls tab={tab.value} isFiltered={isFiltered} />}
      >
        {panels[tab.value]()}
      </Tabs>
      <TimelineDialog
        order={shown.value}
        onClose={() => {
          shown.value = undefined;
        }}
      />
      <CancelAllDialog />
    </>
  );
}

/** The controls next to the tabs: the market filter or the faucet, and the button that cancels all. */
function TabControls({ tab, isFiltered }: { tab: TabId; isFiltered: Signal<boolean> }) {
  return (
    <div class="orders-aside">
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
          {t('{symbol} only', { symbol: symbol.value })}
        </label>
      ) : null}
      {tab === 'open' ? (
        <button
          type="button"
          class="button small"
          disabled={openOrders.value.length === 0}
          onClick={() => {
            isCancelingAll.value = true;
          }}
        >
          {t('Cancel all')}
        </button>
      ) : null}
    </div>
  );
}

interface OpenOrdersProps {
  readonly orders: readonly ExactOrder[];
  /** Set to the order whose timeline the user wants to see. */
  readonly shown: Signal<ExactOrder | undefined>;
}

/** Only a sandbox has timelines. */
function TimelineButton({ order, shown }: { order: ExactOrder } & Pick<OpenOrdersProps, 'shown'>) {
  if (!isSandbox) return null;
  return (
    <button
      type="button"
      class="button small"
      aria-label={t('Timeline of {order}', { order: orderName(order) })}
      onClick={() => {
        shown.value = order;
      }}
    >
      {t('Timeline')}
    </button>
  );
}

function OpenOrders({ orders, shown }: OpenOrdersProps) {
  const actions: Column<ExactOrder> = {
    key: 'actions',
    title: t('Actions'),
    hiddenTitle: true,
    cell: (order) => (
      <span class="actions">
        <TimelineButton order={order} shown={shown} />
        <button
          type="button"
          class="button small"
          aria-label={t('Amend {order}', { order: orderName(order) })}
          onClick={() => {
            amendOrder(order);
          }}
        >
          {t('Amend')}
        </button>
        <button
          type="button"
          class="button small"
          aria-label={t('Cancel {order}', { order: orderName(order) })}
          onClick={() => void cancelOrder(order)}
        >
          {t('Cancel')}
        </button>
      </span>
    ),
  };
  return (
    <Table
      caption={t('Open orders')}
      columns={[...OPEN_COLUMNS, actions]}
      rows={orders}
      rowKey={({ orderId }) => orderId}
      empty={t('Your open orders appear here.')}
    />
  );
}

/** The column with the timeline of a closed order. */
function historyActions(shown: OpenOrdersProps['shown']): readonly Column<ExactOrder>[] {
  if (!isSandbox) return [];
  const cell = (order: ExactOrder) => <TimelineButton order={order} shown={shown} />;
  return [{ key: 'actions', title: msg('Actions'), hiddenTitle: true, cell }];
}

function Balances() {
  return (
    <Table
      caption={t('Balances')}
      columns={BALANCE_COLUMNS}
      rows={balances.value}
      rowKey={({ asset }) => asset}
      empty={t('No assets yet.')}
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
