import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { Reports } from '../components/reports.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { AccountKeys } from './account-keys.tsx';
import { AccountNotes } from './account-notes.tsx';
import { AccountOrders } from './account-orders.tsx';
import { accountPath } from './account-path.ts';
import { AccountRoles } from './account-roles.tsx';
import { AccountSettings } from './account-settings.tsx';
import { AccountTimeline } from './account-timeline.tsx';
import { AccountUsers } from './account-users.tsx';
import { tierText } from './accounts.tsx';
import { Freeze } from './freeze.tsx';
import { AccountTradingLimits } from './trading-limits.tsx';

type Action = 'freeze' | 'settings';

/** One account with its balances, orders, users and keys, and the actions of an operator. */
export function AccountDetail({ accountId }: { accountId: string }) {
  const found = useResource(async () => (await api.getAccount({ id: accountId })).account);
  const balances = useResource(() => api.getAccountBalances({ id: accountId }));
  return (
    <>
      <p>
        <a href="#accounts">← All accounts</a>
      </p>
      <Loaded resource={found}>
        {(account) => (
          <>
            <Head account={account} onChanged={() => found.load()} />
            <Panel
              title="Balances"
              aside={
                <a class="button" href={`#transfers/${encodeURIComponent(accountId)}`}>
                  Adjust balance
                </a>
              }
              flush
            >
              <Loaded resource={balances}>
                {(data) => (
                  <Table
                    caption={`Balances of ${accountId}`}
                    columns={[
                      { key: 'asset', title: 'Asset', cell: ({ asset }) => <b>{asset}</b> },
                      amount('available', 'Available'),
                      amount('held', 'Held'),
                      amount('total', 'Total'),
                    ]}
                    rows={data.balances}
                    rowKey={({ asset }) => asset}
                    empty="No balances"
                  />
                )}
              </Loaded>
            </Panel>
            <AccountOrders
              accountId={accountId}
              onCanceled={async () => {
                await Promise.all([found.load(), balances.load()]);
              }}
            />
            <AccountTradingLimits
              accountId={accountId}
              limits={account.tradingLimits}
              onDone={() => found.load()}
            />
            <AccountUsers accountId={accountId} />
            <AccountKeys accountId={accountId} />
            <AccountRoles accountId={accountId} />
            <AccountNotes accountId={accountId} />
            <AccountTimeline accountId={accountId} />
            <Reports accountId={accountId} />
          </>
        )}
      </Loaded>
    </>
  );
}

function amount(key: 'available' | 'held' | 'total', title: string) {
  const cell = (row: Readonly<Record<typeof key, string>>) => grouped(row[key]);
  return { key, title, numeric: true, cell };
}

interface HeadProps {
  readonly account: Account<string>;
  readonly onChanged: () => Promise<void>;
}

function Head({ account, onChanged }: HeadProps) {
  const opened = useSignal<Action | undefined>(undefined);
  const { accountId, main, name, frozen, limitClass, feeTier, referrer, openOrders, createdAt } =
    account;
  const titles = {
    freeze: frozen ? `Unfreeze ${accountId}` : `Freeze ${accountId}`,
    settings: `${accountId} settings`,
  };
  const close = () => {
    opened.value = undefined;
  };
  const done = async () => {
    close();
    await onChanged();
  };
  const openButton = (target: Action, label: string) => (
    <button
      type="button"
      class="button"
      onClick={() => {
        opened.value = target;
      }}
    >
      {label}
    </button>
  );
  return (
    <Panel
      title={accountId}
      lead={frozen ? 'Frozen: cannot place, amend or cancel orders' : 'Active'}
      aside={
        <div class="buttons">
          {openButton('settings', 'Account settings')}
          {openButton('freeze', frozen ? 'Unfreeze' : 'Freeze')}
        </div>
      }
    >
      <Facts
        facts={[
          ...(main === null
            ? []
            : [
                ['Main account', <a href={accountPath(main)}>{main}</a>] as const,
                ['Name', name] as const,
              ]),
          ['Open orders', grouped(`${openOrders}`)],
          ['Rate-limit multiplier', `×${limitClass}`],
          ['Fee tier', tierText(feeTier)],
          ['Referred by', referrer ?? 'No one'],
          ['Created', dateTime(createdAt)],
        ]}
      />
      <Dialog
        title={opened.value === undefined ? '' : titles[opened.value]}
        open={opened.value !== undefined}
        onClose={close}
      >
        {opened.value === 'freeze' ? <Freeze account={account} onDone={done} /> : null}
        {opened.value === 'settings' ? <AccountSettings account={account} onDone={done} /> : null}
      </Dialog>
    </Panel>
  );
}
