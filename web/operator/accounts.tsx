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
import { accountPath } from './account-path.ts';

/** Maximum number of accounts listed; a search finds the others. */
const MAX_SHOWN = 100;

export function AccountsSection() {
  const accountId = itemAt();
  return accountId === undefined ? (
    <AccountList />
  ) : (
    <AccountDetail key={accountId} accountId={accountId} />
  );
}

const COLUMNS: readonly Column<Account<string>>[] = [
  {
    key: 'account',
    title: 'Account',
    cell: ({ accountId, name }) => (
      <span class="account-cell">
        <a href={accountPath(accountId)}>{accountId}</a>
        {name === null ? null : <small class="muted">{name}</small>}
      </span>
    ),
  },
  {
    key: 'main',
    title: 'Main account',
    cell: ({ main }) => (main === null ? '–' : <a href={accountPath(main)}>{main}</a>),
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ frozen }) => (
      <span class={`badge ${frozen ? 'off' : 'on'}`}>{frozen ? 'Frozen' : 'Active'}</span>
    ),
  },
  { key: 'orders', title: 'Open orders', numeric: true, cell: ({ openOrders }) => openOrders },
  {
    key: 'class',
    title: 'Rate-limit multiplier',
    numeric: true,
    cell: ({ limitClass }) => `×${limitClass}`,
  },
  { key: 'tier', title: 'Fee tier', cell: ({ feeTier }) => tierText(feeTier) },
  { key: 'since', title: 'Created', cell: ({ createdAt }) => dateTime(createdAt) },
];

function AccountList() {
  const search = useSignal('');
  const isCreating = useSignal(false);
  const found = useResource(async () => {
    const text = search.value.trim();
    return (await api.listAccounts(text === '' ? {} : { search: text })).accounts;
  });
  return (
    <Panel
      title="Accounts"
      lead="An account holds balances and orders. Users and API keys act on its behalf."
      aside={
        <button
          type="button"
          class="button"
          onClick={() => {
            isCreating.value = true;
          }}
        >
          Create account
        </button>
      }
      flush
    >
      <search class="panel-bar">
        <Field
          label="Search accounts"
          hint="Account ID, or name or email address of a user"
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
              empty="No matching accounts"
            />
            {accounts.length > MAX_SHOWN ? (
              <p class="panel-foot muted">
                Showing {MAX_SHOWN} of {accounts.length} accounts. Search to find others.
              </p>
            ) : null}
          </>
        )}
      </Loaded>
      <Dialog
        title="Create account"
        open={isCreating.value}
        onClose={() => {
          isCreating.value = false;
        }}
      >
        <CreateAccount />
      </Dialog>
    </Panel>
  );
}

function CreateAccount() {
  const accountId = useSignal('');
  const action = useAction();
  const submit = async () => {
    const { account, created } = await api.createAccount({ accountId: accountId.value.trim() });
    announce(
      created ? `${account.accountId} created` : `${account.accountId} already exists`,
      created ? 'success' : 'info',
    );
    location.hash = accountPath(account.accountId);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['accountId']}>
      <Field
        label="Account ID"
        {...bound(accountId)}
        hint="Letters, digits, _ . and -. It cannot be changed later."
        error={action.fieldError('accountId')}
        input={{ name: 'accountId', maxLength: 64, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label="Create account" />
      </div>
    </Form>
  );
}

export function tierText(feeTier: Account['feeTier']): string {
  if (feeTier === 'volume') return 'By volume';
  return feeTier === 0 ? 'No tier' : `Tier ${feeTier}`;
}
