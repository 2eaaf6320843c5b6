import { useSignal } from '@preact/signals';
import type { Session } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Confirm } from '../components/confirm.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import type { Resource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { browserName } from './browser-name.ts';

const LEAD = msg(
  'Where you are signed in. Sign out sessions you don’t recognize, then change your password.',
);

interface SessionsPanelProps {
  readonly sessions: Resource<{ sessions: readonly Session[] }>;
}

export function SessionsPanel({ sessions }: SessionsPanelProps) {
  const isConfirming = useSignal(false);
  const action = useAction();
  const end = ({ id }: Session) =>
    action.run(async () => {
      await sessions.show(() => api.endSession({ id }));
      announce(t('Session signed out'), 'success');
    });
  const everywhere = (
    <button type="button" class="button" onClick={() => (isConfirming.value = true)}>
      {t('Sign out everywhere')}
    </button>
  );
  return (
    <Panel title={t('Sessions')} lead={t(LEAD)} aside={everywhere} flush>
      {action.failure.value === undefined ? null : (
        <Notice kind="error">{action.failure.value.message}</Notice>
      )}
      <Loaded resource={sessions}>
        {(data) => (
          <Table
            caption={t('Sessions')}
            columns={buildColumns((session) => void end(session))}
            rows={data.sessions}
            rowKey={({ id }) => id}
            card={sessionCard}
            empty={t('No active sessions')}
          />
        )}
      </Loaded>
      <Confirm
        title={t('Sign out everywhere')}
        verb={t('Sign out everywhere')}
        open={isConfirming.value}
        onClose={() => (isConfirming.value = false)}
        onConfirm={async () => {
          await api.endSessions();
          location.assign('/sign-in');
        }}
      >
        <p>
          {t(
            'All sessions, including this one, are signed out immediately. API keys keep working.',
          )}
        </p>
      </Confirm>
    </Panel>
  );
}

/** A session on a phone: browser and button, then where and when. */
function sessionCard(session: Session, columns: readonly Column<Session>[]) {
  const cell = readCells(session, columns);
  return (
    <div class="row-card">
      <span class={session.current ? 'row-line' : undefined}>{cell('browser')}</span>
      {session.current ? null : <span class="row-end">{cell('end')}</span>}
      <span class="muted">{t('IP address')}</span>
      <span class="row-end">{cell('address')}</span>
      <span class="muted">{t('Signed in')}</span>
      <span class="row-end">{cell('since')}</span>
      <span class="muted">{t('Last seen')}</span>
      <span class="row-end">{cell('seen')}</span>
    </div>
  );
}

function buildColumns(onEnd: (session: Session) => void): readonly Column<Session>[] {
  return [
    {
      key: 'browser',
      title: t('Browser'),
      cell: ({ userAgent, current }) => (
        <span>
          <b>{browserName(userAgent)}</b>
          {current ? <span class="badge on">{t('This session')}</span> : null}
        </span>
      ),
    },
    { key: 'address', title: t('IP address'), cell: ({ address }) => <code>{address}</code> },
    { key: 'since', title: t('Signed in'), cell: ({ createdAt }) => dateTime(createdAt) },
    { key: 'seen', title: t('Last seen'), cell: ({ lastSeenAt }) => dateTime(lastSeenAt) },
    {
      key: 'end',
      title: t('Sign out'),
      hiddenTitle: true,
      numeric: true,
      cell: (session) =>
        session.current ? null : (
          <button type="button" class="button small" onClick={() => onEnd(session)}>
            <T
              text="Sign out<span> {userAgent}</span>"
              userAgent={browserName(session.userAgent)}
              span={(children) => <span class="visually-hidden">{children}</span>}
            />
          </button>
        ),
    },
  ];
}
