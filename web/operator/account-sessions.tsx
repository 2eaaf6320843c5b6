import { useSignal } from '@preact/signals';
import type { UserSession } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { browserName } from '../settings/browser-name.ts';
import { recordCard } from './record-card.tsx';
import { type SortedColumn, SortedTable } from './sorted-table.tsx';

/** The sessions of the users of an account, which an operator can end. */
export function AccountSessions({ accountId }: { accountId: string }) {
  const found = useResource(() => api.listAccountSessions({ id: accountId }));
  const ending = useSignal<UserSession | undefined>(undefined);
  return (
    <Panel title={t('Sessions')} lead={t('Browsers in which a user is signed in.')} flush>
      <Loaded resource={found}>
        {({ sessions }) => (
          <SortedTable
            caption={t('Sessions of {account}', { account: accountId })}
            columns={buildColumns((session) => {
              ending.value = session;
            })}
            rows={sessions}
            rowKey={({ id }) => id}
            card={recordCard('browser', 'address')}
            empty={t('No active sessions.')}
          />
        )}
      </Loaded>
      <Confirm
        title={t('End session')}
        verb={t('End session')}
        open={ending.value !== undefined}
        onClose={() => {
          ending.value = undefined;
        }}
        onConfirm={async () => {
          const { id: sessionId } = ending.value!;
          await found.show(() => api.endAccountSession({ id: accountId, sessionId }));
          announce(t('Session ended'), 'success');
        }}
      >
        <p>
          {t('{email} is signed out of this browser at once, and can sign in again.', {
            email: ending.value?.email ?? '',
          })}
        </p>
      </Confirm>
    </Panel>
  );
}

function buildColumns(onEnd: (session: UserSession) => void): readonly SortedColumn<UserSession>[] {
  return [
    {
      ...{ key: 'user', title: msg('User') },
      cell: ({ email }) => email,
      sortBy: ({ email }) => email,
    },
    {
      ...{ key: 'browser', title: msg('Browser') },
      cell: ({ userAgent }) => browserName(userAgent),
      sortBy: ({ userAgent }) => browserName(userAgent),
    },
    {
      ...{ key: 'address', title: msg('Address') },
      cell: ({ address }) => <code>{address}</code>,
      sortBy: ({ address }) => address,
    },
    {
      ...{ key: 'created', title: msg('Signed in') },
      cell: ({ createdAt }) => dateTime(createdAt),
      sortBy: ({ createdAt }) => createdAt,
    },
    {
      ...{ key: 'seen', title: msg('Last seen') },
      cell: ({ lastSeenAt }) => dateTime(lastSeenAt),
      sortBy: ({ lastSeenAt }) => lastSeenAt,
    },
    {
      ...{ key: 'end', title: msg('Action'), numeric: true, hiddenTitle: true },
      cell: (session) => (
        <button type="button" class="button small" onClick={() => onEnd(session)}>
          {t('End')}
          <span class="visually-hidden"> {session.email}</span>
        </button>
      ),
    },
  ];
}
