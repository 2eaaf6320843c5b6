import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GroupAccount } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { StatusBadge } from '../components/account-status.tsx';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { group, selectAccount, selectedId } from '../selected-account.ts';
import { AccountId } from './account-id.tsx';
import { AccountName } from './account-name.tsx';
import { CloseDialog, Reopen } from './closing.tsx';
import { totalValue, valueText } from './values.ts';

type Row = GroupAccount<string>;
/** The sub-account being renamed, or `new`. */
type Naming = Row | 'new' | undefined;

interface GroupTableProps {
  readonly onChanged: () => Promise<void>;
}

/** The accounts of the user, and dialogs to create, rename and close sub-accounts. */
export function GroupTable({ onChanged }: GroupTableProps) {
  const naming = useSignal<Naming>(undefined);
  const closing = useSignal<string | undefined>(undefined);
  const showsClosed = useSignal(false);
  const focusAfterChange = useFocusAfterChange(onChanged);
  const create = (
    <button type="button" class="button primary" onClick={() => (naming.value = 'new')}>
      {t('Create sub-account')}
    </button>
  );
  const close = () => (naming.value = undefined);
  const isNew = naming.value === 'new';
  const hidden = group.value.filter(isHidden);
  const rows = showsClosed.value
    ? group.value
    : group.value.filter((account) => !isHidden(account));
  const handlers = {
    onRename: (account: Row) => (naming.value = account),
    onClose: ({ accountId }: Row) => (closing.value = accountId),
    onReopened: (accountId: string) => focusAfterChange(closeButtonId(accountId)),
  };
  return (
    <Panel title={t('Your accounts')} lead={<Lead />} aside={create} flush>
      <Table
        caption={t('Your accounts')}
        columns={rows.length === 1 ? COLUMNS : [...COLUMNS, actions(handlers)]}
        rows={rows}
        rowKey={({ accountId }) => accountId}
        card={accountCard}
        empty={t('Loading…')}
      />
      {hidden.length === 0 ? null : (
        <p class="more">
          <button
            type="button"
            id={CLOSED_TOGGLE_ID}
            class="button small"
            aria-expanded={showsClosed.value}
            onClick={() => (showsClosed.value = !showsClosed.value)}
          >
            {showsClosed.value
              ? t('Hide closed accounts')
              : t('{count, plural, one {Show # closed account} other {Show # closed accounts}}', {
                  count: hidden.length,
                })}
          </button>
        </p>
      )}
      <Dialog
        title={isNew ? t('Create sub-account') : t('Rename sub-account')}
        open={naming.value !== undefined}
        onClose={close}
      >
        <NameForm
          account={isNew ? undefined : (naming.value as Row)}
          onNamed={async () => {
            close();
            await onChanged();
          }}
        />
      </Dialog>
      <CloseDialog
        accountId={closing.value}
        onCancel={() => (closing.value = undefined)}
        onClosed={async () => {
          closing.value = undefined;
          await focusAfterChange(CLOSED_TOGGLE_ID);
        }}
      />
    </Panel>
  );
}

const CLOSED_TOGGLE_ID = 'closed-accounts';
const closeButtonId = (accountId: string) => `close-${accountId}`;

/**
 * Returns a function that reloads the list and then focuses an element: closing or reopening an account removes the button
 * that had the focus.
 */
function useFocusAfterChange(onChanged: () => Promise<void>) {
  const target = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (target.value === undefined) return;
    // The user may have moved the focus in the meantime.
    if (document.activeElement === document.body) document.getElementById(target.value)?.focus();
    target.value = undefined;
  }, [target.value]);
  return async (elementId: string) => {
    await onChanged();
    target.value = elementId;
  };
}

/** Returns whether an account is only shown on request. One that received money after it was closed is always shown. */
function isHidden({ closed, balances }: Row): boolean {
  return closed && balances.every(({ total }) => total === '0');
}

/** The purpose of accounts, and the value of all of them. */
function Lead() {
  const accounts = group.value;
  const value = totalValue(accounts.flatMap(({ balances }) => balances));
  return (
    <>
      {t('Each has its own balances, orders and API keys.')}
      {accounts.length > 1 ? ` ${t('Total value: {value}.', { value: valueText(value) })}` : null}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'account',
    title: msg('Account'),
    cell: ({ accountId }) => (
      <span class="account-cell">
        <span>
          <b>
            <AccountName accountId={accountId} />
          </b>{' '}
          <Selected accountId={accountId} />
        </span>
        <AccountId accountId={accountId} />
      </span>
    ),
  },
  {
    key: 'status',
    title: msg('Status'),
    cell: (account) => <StatusBadge account={account} />,
  },
  { key: 'orders', title: msg('Open orders'), numeric: true, cell: ({ openOrders }) => openOrders },
  {
    key: 'value',
    title: msg('Value'),
    numeric: true,
    cell: ({ balances }) => valueText(totalValue(balances)),
  },
];

/** A badge for the account that the page is for. */
function Selected({ accountId }: { accountId: string }) {
  return accountId === selectedId() ? <span class="badge">{t('Selected')}</span> : null;
}

/** An account on a phone: name and value, status and open orders, then its buttons. */
function accountCard(account: Row, columns: readonly Column<Row>[]) {
  const cell = readCells(account, columns);
  const { accountId } = account;
  return (
    <div class="row-card">
      <span class="account-cell">
        <b>
          <AccountName accountId={accountId} />
        </b>
        <AccountId accountId={accountId} />
      </span>
      <b class="row-end">{cell('value')}</b>
      <span class="badges">
        {cell('status')}
        <Selected accountId={accountId} />
      </span>
      <span class="row-end muted">
        {t('Open orders')}: {account.openOrders}
      </span>
      {cell('actions')}
    </div>
  );
}

interface Handlers {
  readonly onRename: (account: Row) => void;
  readonly onClose: (account: Row) => void;
  readonly onReopened: (accountId: string) => Promise<void>;
}

function actions({ onRename, onClose, onReopened }: Handlers): Column<Row> {
  return {
    key: 'actions',
    title: t('Actions'),
    hiddenTitle: true,
    numeric: true,
    cell: (account) => {
      const { accountId, closed, isMain } = account;
      const name = account.name ?? t('Main account');
      return (
        <div class="buttons row-line">
          {accountId === selectedId() || closed ? null : (
            <button type="button" class="button small" onClick={() => selectAccount(accountId)}>
              <T
                text="Switch<span> to {name}</span>"
                name={name}
                span={(children) => <span class="visually-hidden">{children}</span>}
              />
            </button>
          )}
          {isMain ? null : (
            <button type="button" class="button small" onClick={() => onRename(account)}>
              <T
                text="Rename<span> {name}</span>"
                name={name}
                span={(children) => <span class="visually-hidden">{children}</span>}
              />
            </button>
          )}
          {isMain || closed ? null : (
            <button
              type="button"
              id={closeButtonId(accountId)}
              class="button small"
              onClick={() => onClose(account)}
            >
              <T
                text="Close<span> {name}</span>"
                name={name}
                span={(children) => <span class="visually-hidden">{children}</span>}
              />
            </button>
          )}
          {closed ? <Reopen account={account} onReopened={() => onReopened(accountId)} /> : null}
        </div>
      );
    },
  };
}

interface NameFormProps {
  /** The account to rename; undefined creates one. */
  readonly account: Row | undefined;
  readonly onNamed: () => Promise<void>;
}

function NameForm({ account, onNamed }: NameFormProps) {
  const name = useSignal(account?.name ?? '');
  const action = useAction();
  const submit = async () => {
    const wanted = name.value.trim();
    if (wanted === '') throw new FieldError('name', t('Enter a name.'));
    const isTaken = group.value.some(
      (each) => each.name === wanted && each.accountId !== account?.accountId,
    );
    if (isTaken) throw new FieldError('name', t('Another sub-account has this name.'));
    if (account === undefined) await api.createSubAccount({ name: wanted });
    else await api.changeSubAccount({ id: account.accountId, name: wanted });
    announce(
      account === undefined
        ? t('{wanted} created', { wanted })
        : t('Renamed to {wanted}', { wanted }),
      'success',
    );
    await onNamed();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['name']}>
      <Field
        label={t('Name')}
        {...bound(name)}
        hint={
          account === undefined
            ? t('Such as the strategy that it is for. You can have 20 open sub-accounts.')
            : undefined
        }
        error={action.fieldError('name')}
        input={{ name: 'name', maxLength: 50, required: true }}
      />
      <div class="dialog-actions">
        <Submit
          action={action}
          label={account === undefined ? t('Create sub-account') : t('Rename')}
        />
      </div>
    </Form>
  );
}
