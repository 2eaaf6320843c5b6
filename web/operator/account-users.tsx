import { useSignal } from '@preact/signals';
import type { User } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { Invite } from './invite.tsx';
import { recordCard } from './record-card.tsx';
import { SecondFactorBadge } from './second-factor-badge.tsx';

interface UsersProps {
  readonly accountId: string;
  /** The main account, to which users belong; null if the account is one. */
  readonly main: string | null;
}

/** Users of an account, whom an operator can invite and remove. */
export function AccountUsers({ accountId, main }: UsersProps) {
  const users = useResource(() => api.listUsers({ id: accountId }));
  const isInviting = useSignal(false);
  const removing = useSignal<User | undefined>(undefined);
  const invite = main === null && (
    <button type="button" class="button" onClick={() => (isInviting.value = true)}>
      {t('Invite user')}
    </button>
  );
  return (
    <Panel
      title={t('Users')}
      lead={
        main === null
          ? t('Users who can sign in to this account.')
          : t('Users of the main account {account} use this sub-account. Invite users there.', {
              account: main,
            })
      }
      aside={invite}
      flush
    >
      <Loaded resource={users}>
        {(data) => (
          <Table
            caption={t('Users of {account}', { account: accountId })}
            columns={buildColumns((user) => (removing.value = user))}
            rows={data.users}
            rowKey={({ email }) => email}
            card={recordCard('user', 'permissions')}
            empty={t('No users yet.')}
          />
        )}
      </Loaded>
      <Dialog
        title={t('Invite user to {account}', { account: accountId })}
        open={isInviting.value}
        onClose={() => (isInviting.value = false)}
      >
        <Invite accountId={accountId} onInvited={users.load} />
      </Dialog>
      <Dialog
        title={t('Remove user')}
        open={removing.value !== undefined}
        onClose={() => (removing.value = undefined)}
      >
        {removing.value !== undefined && (
          <Remove
            accountId={accountId}
            email={removing.value.email}
            onRemoved={(remaining) => {
              void users.show(async () => remaining);
              removing.value = undefined;
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

interface RemoveProps {
  readonly accountId: string;
  readonly email: string;
  readonly onRemoved: (remaining: { readonly users: readonly User[] }) => void;
}

function Remove({ accountId, email, onRemoved }: RemoveProps) {
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const removal = { id: accountId, email, ...toConfirmation(confirmation.value) };
    onRemoved(await withConfirmation(() => api.removeUser(removal), 'confirmation'));
    announce(t('{email} removed', { email }), 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <p>
        <T
          text="<b>{email}</b> is signed out immediately and can no longer sign in. The account keeps its balances, orders and API keys; revoke the keys the user knows."
          email={email}
          b={(children) => <b>{children}</b>}
        />
      </p>
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Remove')} kind="danger" />
      </div>
    </Form>
  );
}

function buildColumns(onRemove: (user: User) => void): readonly Column<User>[] {
  return [
    {
      key: 'user',
      title: msg('User'),
      cell: ({ name, email }) => (
        <span class="account-cell">
          <b>{name}</b>
          <small class="muted">{email}</small>
        </span>
      ),
    },
    {
      key: 'permissions',
      title: msg('Permissions'),
      cell: ({ permissions }) => permissions.join(', '),
    },
    {
      key: 'factor',
      title: msg('2FA'),
      cell: ({ secondFactor }) => <SecondFactorBadge isOn={secondFactor} />,
    },
    { key: 'since', title: msg('Added'), cell: ({ createdAt }) => dateTime(createdAt) },
    {
      key: 'remove',
      title: msg('Remove'),
      hiddenTitle: true,
      numeric: true,
      cell: (user) =>
        user.email === profile.value?.email ? (
          <span class="muted">{t('You')}</span>
        ) : (
          <button type="button" class="button small" onClick={() => onRemove(user)}>
            {t('Remove')}
            <span class="visually-hidden"> {user.email}</span>
          </button>
        ),
    },
  ];
}
