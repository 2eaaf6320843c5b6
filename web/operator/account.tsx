import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { AccountKeys } from './account-keys.tsx';
import { AccountOrders } from './account-orders.tsx';
import { AccountTerms } from './account-terms.tsx';
import { AccountUsers } from './account-users.tsx';
import { tierText } from './accounts.tsx';
import { Freeze } from './freeze.tsx';

type Asked = 'freeze' | 'terms';

/** One account: what it is, has and has open, and what an operator does with it. */
export function AccountDetail({ accountId }: { accountId: string }) {
  const found = useResource(async () => (await api.getAccount({ id: accountId })).account);
  const balances = useResource(() => api.getAccountBalances({ id: accountId }));
  return (
    <>
      <p>
        <a href="#accounts">All accounts</a>
      </p>
      <Loaded resource={found}>
        {(account) => (
          <>
            <Head account={account} onChanged={() => found.load()} />
            <Panel
              title="Balances"
              aside={
                <a class="button" href={`#transfers/${encodeURIComponent(accountId)}`}>
                  Credit or debit
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
                    empty="The account never owned anything."
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
            <AccountUsers accountId={accountId} />
            <AccountKeys accountId={accountId} />
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
  readonly account: Account;
  readonly onChanged: () => Promise<void>;
}

function Head({ account, onChanged }: HeadProps) {
  const asked = useSignal<Asked | undefined>(undefined);
  const { accountId, frozen, limitClass, feeTier, openOrders, createdAt } = account;
  const titles = {
    freeze: frozen ? `Let ${accountId} trade again` : `Freeze ${accountId}`,
    terms: `Terms of ${accountId}`,
  };
  const close = () => {
    asked.value = undefined;
  };
  const done = async () => {
    close();
    await onChanged();
  };
  const ask = (what: Asked, label: string) => (
    <button
      type="button"
      class="button"
      onClick={() => {
        asked.value = what;
      }}
    >
      {label}
    </button>
  );
  return (
    <Panel
      title={accountId}
      lead={frozen ? 'Frozen: it can neither place nor change nor cancel orders.' : 'Active'}
      aside={
        <div class="buttons">
          {ask('terms', 'Change terms')}
          {ask('freeze', frozen ? 'Unfreeze' : 'Freeze')}
        </div>
      }
    >
      <Facts
        facts={[
          ['Open orders', grouped(`${openOrders}`)],
          ['Limit class', `×${limitClass}`],
          ['Fee tier', tierText(feeTier)],
          ['Opened', dateTime(createdAt)],
        ]}
      />
      <Dialog
        title={asked.value === undefined ? '' : titles[asked.value]}
        open={asked.value !== undefined}
        onClose={close}
      >
        {asked.value === 'freeze' ? <Freeze account={account} onDone={done} /> : null}
        {asked.value === 'terms' ? <AccountTerms account={account} onDone={done} /> : null}
      </Dialog>
    </Panel>
  );
}
