import type { UserEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { METHODS } from '../settings/sign-ins.tsx';
import { USER_ACTIONS } from './record-names.ts';

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<UserEntry>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'by', title: msg('Actor'), cell: ({ by }) => by ?? t('System') },
  { key: 'action', title: msg('Action'), cell: ({ action }) => <b>{t(USER_ACTIONS[action])}</b> },
  {
    key: 'user',
    title: msg('User, account'),
    cell: ({ email, account }) => (
      <div class="two-lines">
        <span>{email}</span>
        <code>{account}</code>
      </div>
    ),
  },
  {
    key: 'details',
    title: msg('Details'),
    cell: ({ action, details }) => <span class="wrapped">{detailsText(action, details)}</span>,
  },
  { key: 'from', title: msg('IP address'), cell: ({ address }) => address ?? '–' },
];

function detailsText(action: UserEntry['action'], details: string | null): string {
  if (details === null) return '–';
  const isSignIn = action === 'signed_in' || action === 'sign_in_failed';
  const method = isSignIn ? METHODS[details as keyof typeof METHODS] : undefined;
  return method === undefined ? details : t(method);
}

/** An entry on a phone: action and details, whose it is, who and when. */
function userCard({ action, details, email, account, by, address, timestamp }: UserEntry) {
  return (
    <div class="list-card">
      <span class="list-card-head">
        <b>{t(USER_ACTIONS[action])}</b>
        {details === null ? null : <span>{detailsText(action, details)}</span>}
      </span>
      <span>
        {email} <span class="muted">{account}</span>
      </span>
      <span class="list-card-head muted">
        <span>
          {[by === email ? '' : t('by {user}', { user: by ?? t('System') }), address]
            .filter(Boolean)
            .join(', ')}
        </span>
        <time dateTime={timestamp}>{dateTime(timestamp)}</time>
      </span>
    </div>
  );
}

/** Sign-ins and permission changes, newest first; older pages are appended. */
export function UserAudit() {
  const page = useResource(() => api.getUserAudit({ limit: PAGE_SIZE }));
  const older = useAction();
  const more = (cursor: string) =>
    older.run(async () => {
      const next = await api.getUserAudit({ limit: PAGE_SIZE, cursor });
      const entries = [...(page.data.value?.entries ?? []), ...next.entries];
      page.data.value = { entries, nextCursor: next.nextCursor };
    });
  return (
    <Panel
      class="user-audit"
      title={t('Users')}
      lead={t('Sign-ins and permission changes, newest first.')}
      flush
    >
      <Loaded resource={page}>
        {({ entries, nextCursor }) => (
          <>
            <Table
              caption={t('User audit trail')}
              columns={COLUMNS}
              rows={entries}
              rowKey={({ id }) => id}
              card={userCard}
              empty={t('No entries yet.')}
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void more(nextCursor)}>
                  {t('Load older user entries')}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
