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
import { profile } from '../session.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { Invite } from './invite.tsx';

/** Who may sign in to an account: an operator lets people in and sends them away. */
export function AccountUsers({ accountId }: { accountId: string }) {
  const users = useResource(() => api.listUsers({ id: accountId }));
  const isInviting = useSignal(false);
  const leaving = useSignal<User | undefined>(undefined);
  const invite = (
    <button type="button" class="button" onClick={() => (isInviting.value = true)}>
      Invite a user
    </button>
  );
  return (
    <Panel title="People" lead="Who may sign in to the account." aside={invite} flush>
      <Loaded resource={users}>
        {(data) => (
          <Table
            caption={`People of ${accountId}`}
            columns={buildColumns((user) => (leaving.value = user))}
            rows={data.users}
            rowKey={({ email }) => email}
            empty="Nobody may sign in to the account."
          />
        )}
      </Loaded>
      <Dialog
        title={`Invite a person to ${accountId}`}
        open={isInviting.value}
        onClose={() => (isInviting.value = false)}
      >
        <Invite accountId={accountId} onInvited={users.load} />
      </Dialog>
      <Dialog
        title="Remove the person"
        open={leaving.value !== undefined}
        onClose={() => (leaving.value = undefined)}
      >
        {leaving.value !== undefined && (
          <Remove
            accountId={accountId}
            email={leaving.value.email}
            onRemoved={(left) => {
              void users.show(async () => left);
              leaving.value = undefined;
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
  readonly onRemoved: (left: { readonly users: readonly User[] }) => void;
}

function Remove({ accountId, email, onRemoved }: RemoveProps) {
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const removal = { id: accountId, email, ...toConfirmation(confirmation.value) };
    onRemoved(await withConfirmation(() => api.removeUser(removal), 'confirmation'));
    announce(`${email} is removed.`, 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <p>
        <b>{email}</b> is signed out at once and cannot sign in again. The account, its money,
        orders and API keys stay: revoke the keys that the user knows.
      </p>
      <ConfirmationField {...bound(confirmation)} error={action.errorOf('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Remove" kind="danger" />
      </div>
    </Form>
  );
}

function buildColumns(onRemove: (user: User) => void): readonly Column<User>[] {
  return [
    {
      key: 'person',
      title: 'User',
      cell: ({ name, email }) => (
        <div class="two-lines">
          <b>{name}</b>
          <span>{email}</span>
        </div>
      ),
    },
    { key: 'may', title: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
    {
      key: 'factor',
      title: 'Second factor',
      cell: ({ secondFactor }) => (secondFactor ? 'On' : 'Off'),
    },
    { key: 'since', title: 'Since', cell: ({ createdAt }) => dateTime(createdAt) },
    {
      key: 'remove',
      title: 'Remove',
      hiddenTitle: true,
      numeric: true,
      cell: (user) =>
        user.email === profile.value?.email ? (
          <span class="muted">You</span>
        ) : (
          <button type="button" class="button small" onClick={() => onRemove(user)}>
            Remove<span class="visually-hidden"> {user.email}</span>
          </button>
        ),
    },
  ];
}
