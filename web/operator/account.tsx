import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { Reports } from '../components/reports.tsx';
import { useResource } from '../components/resource.ts';
import { tabAt } from '../components/section.ts';
import { SectionMenu } from '../components/section-nav.tsx';
import { Tabs } from '../components/tabs.tsx';
import { msg, t } from '../i18n/index.ts';
import { AccountFills } from './account-fills.tsx';
import { MissingSignals, NO_SIGNALS, readSignals } from './account-flags.tsx';
import { AccountHead } from './account-head.tsx';
import { AccountKeys } from './account-keys.tsx';
import { AccountLedger } from './account-ledger.tsx';
import { AccountNotes } from './account-notes.tsx';
import { AccountOrders } from './account-orders.tsx';
import { accountPath } from './account-path.ts';
import { AccountRoles } from './account-roles.tsx';
import { AccountSessions } from './account-sessions.tsx';
import { AccountSettings } from './account-settings.tsx';
import { AccountTimeline } from './account-timeline.tsx';
import { AccountUsers } from './account-users.tsx';
import { ExactAmount, ShortValue } from './amount.tsx';
import { Freeze } from './freeze.tsx';
import { DepositHistory, WithdrawalHistory } from './payment-history.tsx';
import { SortedTable } from './sorted-table.tsx';
import { AccountTradingLimits } from './trading-limits.tsx';
import { readValues } from './values.ts';

type Action = 'freeze' | 'settings';

const TABS = [
  { id: 'balances', label: msg('Balances') },
  { id: 'orders', label: msg('Orders') },
  { id: 'fills', label: msg('Fills') },
  { id: 'ledger', label: msg('Ledger') },
  { id: 'payments', label: msg('Deposits & withdrawals'), short: msg('Deposits/withdrawals') },
  { id: 'limits', label: msg('Limits') },
  { id: 'keys', label: msg('API keys') },
  { id: 'users', label: msg('Users & sessions'), short: msg('Users') },
  { id: 'notes', label: msg('Notes') },
  { id: 'timeline', label: msg('Timeline') },
  { id: 'reports', label: msg('Reports') },
] as const;
type TabId = (typeof TABS)[number]['id'];
const TAB_IDS = TABS.map(({ id }) => id) as [TabId, ...TabId[]];

/** One account with its owner, and a tab for each kind of its records and actions. */
export function AccountDetail({ accountId }: { accountId: string }) {
  const found = useResource(async () => (await api.getAccount({ id: accountId })).account);
  // Read apart, as for the list: the page is also of use without them.
  const { data: findSignals, failure: missing } = useResource(readSignals);
  const signals = findSignals.value?.(accountId) ?? NO_SIGNALS;
  const tab = tabAt(TAB_IDS);
  return (
    <>
      {missing.value === undefined ? null : <MissingSignals error={missing.value.message} />}
      <Loaded resource={found}>
        {(account) => (
          <>
            <AccountHead
              account={account}
              signals={signals}
              actions={<HeadActions account={account} onChanged={() => found.load()} />}
            />
            <SectionMenu
              label={t('Records of the account')}
              sections={TABS.map(({ id, label }) => [accountPath(accountId, id), label] as const)}
              at={accountPath(accountId, tab)}
              counts={{ [accountPath(accountId, 'payments')]: signals.withdrawals }}
            />
            <Tabs
              label={t('Account')}
              tabs={TABS.map((each) =>
                each.id === 'payments' && signals.withdrawals > 0
                  ? { ...each, count: signals.withdrawals }
                  : each,
              )}
              selected={tab}
              onSelect={(id) => {
                location.hash = accountPath(accountId, id);
              }}
              class="account-tabs with-menu"
            >
              <div class="stack wide">
                <TabContent tab={tab} account={account} onChanged={() => found.load()} />
              </div>
            </Tabs>
          </>
        )}
      </Loaded>
    </>
  );
}

interface TabContentProps extends HeadProps {
  readonly tab: TabId;
}

function TabContent({ tab, account, onChanged }: TabContentProps) {
  const { accountId } = account;
  switch (tab) {
    case 'balances':
      return <AccountBalances accountId={accountId} />;
    case 'orders':
      return (
        <AccountOrders
          accountId={accountId}
          openOrders={account.openOrders}
          onCanceled={onChanged}
        />
      );
    case 'fills':
      return <AccountFills accountId={accountId} />;
    case 'ledger':
      return <AccountLedger accountId={accountId} />;
    case 'payments':
      return (
        <>
          <WithdrawalHistory accountId={accountId} />
          <DepositHistory accountId={accountId} />
        </>
      );
    case 'limits':
      return (
        <AccountTradingLimits
          accountId={accountId}
          limits={account.tradingLimits}
          onDone={onChanged}
        />
      );
    case 'keys':
      return <AccountKeys accountId={accountId} />;
    case 'users':
      return (
        <>
          <AccountUsers accountId={accountId} main={account.main} />
          <AccountSessions accountId={accountId} />
          <AccountRoles accountId={accountId} />
        </>
      );
    case 'notes':
      return <AccountNotes accountId={accountId} />;
    case 'timeline':
      return <AccountTimeline accountId={accountId} />;
    case 'reports':
      return <Reports accountId={accountId} />;
  }
}

/** Decimals of balances: more of them would not fit three columns. */
const MAX_DECIMALS = 8;

function AccountBalances({ accountId }: { accountId: string }) {
  const balances = useResource(async () => {
    const [{ balances: found }, { assets }, values] = await Promise.all([
      api.getAccountBalances({ id: accountId }),
      api.getAssets(),
      readValues(),
    ]);
    const ofAssets = new Map(assets.map(({ asset, decimals }) => [asset, decimals]));
    const rows = found.map((each) => ({
      ...each,
      ...{ value: values.find(each.total, each.asset), quote: values.quote },
      decimals: Math.min(MAX_DECIMALS, ofAssets.get(each.asset) ?? 0),
    }));
    const maxDecimals = Math.max(0, ...rows.map(({ decimals }) => decimals));
    return rows.map((row) => ({ ...row, maxDecimals }));
  });
  return (
    <Panel title={t('Balances')} flush>
      <Loaded resource={balances}>
        {(rows) => (
          <SortedTable
            caption={t('Balances of {account}', { account: accountId })}
            class="balance-list"
            columns={[
              {
                ...{ key: 'asset', title: msg('Asset') },
                cell: ({ asset }) => <b>{asset}</b>,
                sortBy: ({ asset }) => asset,
              },
              amount('available', msg('Available')),
              amount('held', msg('Held')),
              amount('total', msg('Total')),
              {
                ...{ key: 'value', title: msg('Value'), numeric: true },
                cell: ({ value, quote }) =>
                  value === undefined ? '–' : <ShortValue value={value} quote={quote} />,
                sortBy: ({ value }) => value?.toNumber() ?? null,
              },
            ]}
            rows={rows}
            rowKey={({ asset }) => asset}
            empty={t('No balances yet.')}
          />
        )}
      </Loaded>
    </Panel>
  );
}

type Amounts = Readonly<Record<'available' | 'held' | 'total', string>>;
type Decimals = Pick<ComponentProps<typeof ExactAmount>, 'decimals' | 'maxDecimals'>;

function amount(key: keyof Amounts, title: string) {
  return {
    ...{ key, title, numeric: true },
    cell: ({ [key]: text, decimals, maxDecimals }: Amounts & Decimals) => (
      <ExactAmount text={text} decimals={decimals} maxDecimals={maxDecimals} />
    ),
    sortBy: (row: Amounts) => Number(row[key]),
  };
}

interface HeadProps {
  readonly account: Account<string>;
  readonly onChanged: () => Promise<void>;
}

/** Buttons that change the account. */
function HeadActions({ account, onChanged }: HeadProps) {
  const opened = useSignal<Action | undefined>(undefined);
  const { accountId, frozen } = account;
  const titles = {
    freeze: frozen
      ? t('Unfreeze {account}', { account: accountId })
      : t('Freeze {account}', { account: accountId }),
    settings: t('Settings of {account}', { account: accountId }),
  };
  const close = () => {
    opened.value = undefined;
  };
  const done = async () => {
    close();
    await onChanged();
  };
  const openButton = (target: Action, label: string, tone = '') => (
    <button
      type="button"
      class={`button ${tone}`}
      onClick={() => {
        opened.value = target;
      }}
    >
      {label}
    </button>
  );
  return (
    <div class="buttons">
      <a class="button" href={`#transfers/${encodeURIComponent(accountId)}`}>
        {t('Adjust balance')}
      </a>
      {openButton('settings', t('Settings…'))}
      {frozen
        ? openButton('freeze', t('Unfreeze…'))
        : openButton('freeze', t('Freeze…'), 'danger-text')}
      <Dialog
        title={opened.value === undefined ? '' : titles[opened.value]}
        open={opened.value !== undefined}
        onClose={close}
      >
        {opened.value === 'freeze' ? <Freeze account={account} onDone={done} /> : null}
        {opened.value === 'settings' ? <AccountSettings account={account} onDone={done} /> : null}
      </Dialog>
    </div>
  );
}
