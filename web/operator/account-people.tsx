import { useSignal } from '@preact/signals';
import type { Person } from '../../src/client/index.ts';
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
import { ConfirmationField, confirmationOf, confirmed } from '../settings/confirmation.tsx';
import { Invite } from './invite.tsx';

/** Who may sign in to an account: an operator lets people in and sends them away. */
export function AccountPeople({ accountId }: { accountId: string }) {
  const people = useResource(() => api.listPeople({ id: accountId }));
  const isInviting = useSignal(false);
  const leaving = useSignal<Person | undefined>(undefined);
  const invite = (
    <button type="button" class="button" onClick={() => (isInviting.value = true)}>
      Invite a person
    </button>
  );
  return (
    <Panel title="People" lead="Who may sign in to the account." aside={invite} flush>
      <Loaded resource={people}>
        {(data) => (
          <Table
            caption={`People of ${accountId}`}
            columns={columnsOf((person) => (leaving.value = person))}
            rows={data.people}
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
        <Invite accountId={accountId} onInvited={people.load} />
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
              void people.show(async () => left);
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
  readonly onRemoved: (left: { readonly people: readonly Person[] }) => void;
}

function Remove({ accountId, email, onRemoved }: RemoveProps) {
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const removal = { id: accountId, email, ...confirmationOf(confirmation.value) };
    onRemoved(await confirmed(() => api.removePerson(removal), 'confirmation'));
    announce(`${email} is removed.`, 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <p>
        <b>{email}</b> is signed out at once and cannot sign in again. The account, its money,
        orders and API keys stay: revoke the keys that the person knows.
      </p>
      <ConfirmationField {...bound(confirmation)} error={action.errorOf('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Remove" kind="danger" />
      </div>
    </Form>
  );
}

function columnsOf(onRemove: (person: Person) => void): readonly Column<Person>[] {
  return [
    {
      key: 'person',
      title: 'Person',
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
      cell: (person) =>
        person.email === profile.value?.email ? (
          <span class="muted">You</span>
        ) : (
          <button type="button" class="button small" onClick={() => onRemove(person)}>
            Remove<span class="visually-hidden"> {person.email}</span>
          </button>
        ),
    },
  ];
}
