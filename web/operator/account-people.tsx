import { useSignal } from '@preact/signals';
import type { Person } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { profile } from '../session.ts';
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
      <Confirm
        title="Remove the person"
        verb="Remove"
        open={leaving.value !== undefined}
        onClose={() => (leaving.value = undefined)}
        onConfirm={async () => {
          const { email } = leaving.value!;
          people.data.value = await api.removePerson({ id: accountId, email });
          announce(`${email} is removed.`, 'success');
        }}
      >
        <p>
          <b>{leaving.value?.email}</b> is signed out at once and cannot sign in again. The account,
          its money, orders and API keys stay: revoke the keys that the person knows.
        </p>
      </Confirm>
    </Panel>
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
