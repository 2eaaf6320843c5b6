import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { AccountDetail } from './account.tsx';

/** So many are shown; a search finds the rest. */
const MAX_SHOWN = 100;

export function AccountsSection() {
  const accountId = itemAt();
  return accountId === undefined ? (
    <AccountList />
  ) : (
    <AccountDetail key={accountId} accountId={accountId} />
  );
}

const COLUMNS: readonly Column<Account>[] = [
  {
    key: 'account',
    title: 'Account',
    cell: ({ accountId }) => <a href={accountPath(accountId)}>{accountId}</a>,
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ frozen }) => (
      <span class={`badge ${frozen ? 'off' : 'on'}`}>{frozen ? 'Frozen' : 'Active'}</span>
    ),
  },
  { key: 'orders', title: 'Open orders', numeric: true, cell: ({ openOrders }) => openOrders },
  { key: 'class', title: 'Limit class', numeric: true, cell: ({ limitClass }) => `×${limitClass}` },
  { key: 'tier', title: 'Fee tier', cell: ({ feeTier }) => tierText(feeTier) },
  { key: 'since', title: 'Opened', cell: ({ createdAt }) => dateTime(createdAt) },
];

function AccountList() {
  const search = useSignal('');
  const opening = useSignal(false);
  const found = useResource(async () => {
    const text = search.value.trim();
    return (await api.listAccounts(text === '' ? {} : { search: text })).accounts;
  });
  return (
    <Panel
      title="Accounts"
      lead="Each holds balances and orders; people and keys act in its name."
      aside={
        <button
          type="button"
          class="button"
          onClick={() => {
            opening.value = true;
          }}
        >
          Open an account
        </button>
      }
      flush
    >
      <search class="panel-bar">
        <Field
          label="Search by account"
          value={search.value}
          onInput={(text) => {
            search.value = text;
            void found.load();
          }}
          input={{ type: 'search', name: 'search' }}
        />
      </search>
      <Loaded resource={found}>
        {(accounts) => (
          <>
            <Table
              caption="Accounts"
              columns={COLUMNS}
              rows={accounts.slice(0, MAX_SHOWN)}
              rowKey={({ accountId }) => accountId}
              empty="No account has that in its name."
            />
            {accounts.length > MAX_SHOWN ? (
              <p class="panel-foot muted">
                The first {MAX_SHOWN} of {accounts.length}. Search to see others.
              </p>
            ) : null}
          </>
        )}
      </Loaded>
      <Dialog
        title="Open an account"
        open={opening.value}
        onClose={() => {
          opening.value = false;
        }}
      >
        <OpenAccount />
      </Dialog>
    </Panel>
  );
}

function OpenAccount() {
  const accountId = useSignal('');
  const action = useAction();
  const submit = async () => {
    const { account, created } = await api.createAccount({ accountId: accountId.value.trim() });
    announce(
      created ? `${account.accountId} is open.` : `${account.accountId} is there already.`,
      created ? 'success' : 'info',
    );
    location.hash = accountPath(account.accountId);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['accountId']}>
      <Field
        label="Account"
        {...bound(accountId)}
        hint="A name of letters, digits, _ . and -. It cannot be changed."
        error={action.errorOf('accountId')}
        input={{ name: 'accountId', maxLength: 64, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label="Open the account" />
      </div>
    </Form>
  );
}

export function accountPath(accountId: string): string {
  return `#accounts/${encodeURIComponent(accountId)}`;
}

export function tierText(feeTier: Account['feeTier']): string {
  return feeTier === 'volume' ? 'By volume' : `Tier ${feeTier}`;
}
