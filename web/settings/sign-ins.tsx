import type { SignIn } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { PagedTable } from '../components/paged-table.tsx';
import { Panel } from '../components/panel.tsx';
import { readCells } from '../components/row-card.ts';
import type { Column } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { browserName } from './browser-name.ts';

const PAGE_SIZE = 10;
const LEAD = msg('Successful and failed attempts. If someone else used your password, change it.');

const RESULTS: Readonly<Record<SignIn['result'], readonly [text: string, badge: string]>> = {
  succeeded: [msg('Successful'), 'on'],
  wrong_password: [msg('Wrong password'), 'off'],
  wrong_code: [msg('Wrong code, right password'), 'off'],
};

export const METHODS: Readonly<Record<NonNullable<SignIn['method']>, string>> = {
  password: msg('Password'),
  password_totp: msg('Password and authenticator app'),
  password_recovery_code: msg('Password and recovery code'),
  passkey: msg('Passkey'),
  email_link: msg('Link in an email, and password'),
};

const COLUMNS: readonly Column<SignIn>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'result',
    title: msg('Result'),
    cell: ({ result }) => {
      const [text, badge] = RESULTS[result];
      return <span class={`badge ${badge}`}>{t(text)}</span>;
    },
  },
  {
    key: 'method',
    title: msg('Method'),
    cell: ({ method }) => (method === null ? '–' : t(METHODS[method])),
  },
  {
    key: 'browser',
    title: msg('Browser'),
    cell: ({ userAgent }) => (userAgent === null ? '–' : browserName(userAgent)),
  },
  {
    key: 'address',
    title: msg('IP address'),
    cell: ({ address }) => <code>{address ?? '–'}</code>,
  },
];

/** A sign-in on a phone: time and result, then method, browser and place. */
function signInCard(signIn: SignIn, columns: readonly Column<SignIn>[]) {
  const cell = readCells(signIn, columns);
  return (
    <div class="row-card">
      <span>{cell('time')}</span>
      <span class="row-end">{cell('result')}</span>
      <span class="muted">
        {cell('method')} · {cell('browser')}
      </span>
      <span class="row-end muted">{cell('address')}</span>
    </div>
  );
}

/** The latest sign-ins of the user, with those that failed. */
export function SignInsPanel() {
  return (
    <Panel title={t('Sign-in history')} lead={t(LEAD)} flush>
      <PagedTable
        caption={t('Sign-in history')}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        card={signInCard}
        empty={t('No sign-ins yet')}
        fetchPage={async (cursor) => {
          const { signIns, nextCursor } = await api.listSignIns({ limit: PAGE_SIZE, cursor });
          return { rows: signIns, nextCursor };
        }}
      />
    </Panel>
  );
}
