import type { AuditEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { countDecimals, dateTime, signed } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AccountLink } from './account-link.tsx';
import { nameAccount } from './account-names.ts';
import { recordCard } from './record-card.tsx';

const REFRESH_MS = 15_000;
/** Entries of the audit that are read of each kind. */
const MAX_READ = 100;

/** A credit or debit that took effect, or that waits for a second operator. */
interface Done {
  readonly entry: AuditEntry;
  /** Fields of the command; those of an approval are of the approved one. */
  readonly details: Readonly<Record<string, unknown>>;
}

const text = (value: unknown) => (value === undefined || value === null ? '–' : `${value}`);

const COLUMNS: readonly Column<Done>[] = [
  {
    key: 'time',
    title: msg('Time'),
    cell: ({ entry: { timestamp } }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
  },
  {
    key: 'account',
    title: msg('Account'),
    cell: ({ entry: { subject, accounts } }) =>
      subject === null ? '–' : <AccountLink accountId={subject} names={accounts} />,
  },
  {
    key: 'amount',
    title: msg('Amount'),
    numeric: true,
    cell: ({ details: { amount, asset } }) => {
      const digits = text(amount);
      const shown = `${signed(digits, countDecimals(digits))} ${text(asset)}`;
      return <span class={digits.startsWith('-') ? 'sell' : 'buy'}>{shown}</span>;
    },
  },
  {
    key: 'by',
    title: msg('Operator'),
    cell: ({ entry: { account, user, action, accounts } }) => (
      <span class="account-cell">
        <span>{user ?? nameAccount(account ?? '', accounts)}</span>
        {action === 'approve' ? <small class="muted">{t('approved it')}</small> : null}
      </span>
    ),
  },
  {
    key: 'reason',
    title: msg('Reason'),
    cell: ({ details: { reason, reference } }) => (
      <span class="wrapped">
        <span class="account-cell">
          <span>{text(reason)}</span>
          <small class="muted">{t('Reference {reference}', { reference: text(reference) })}</small>
        </span>
      </span>
    ),
  },
];

/** The newest credits and debits by operators. */
export function RecentAdjustments() {
  const found = useResource(readAdjustments, REFRESH_MS);
  return (
    <Panel
      title={t('Recent adjustments')}
      lead={
        <>
          {t('Credits and debits by operators, newest first.')}{' '}
          <a href="#audit">{t('All are in the audit trail.')}</a>
        </>
      }
      flush
    >
      <Loaded resource={found}>
        {(rows) => (
          <Table
            caption={t('Recent adjustments')}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ entry: { id } }) => id}
            card={recordCard('account', 'amount')}
            empty={t('No adjustments yet.')}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** Reads those that took effect at once, and those that a second operator approved. */
async function readAdjustments(): Promise<Done[]> {
  const read = (action: string) => api.getAudit({ action, outcome: 'done', limit: MAX_READ });
  const [transfers, approvals] = await Promise.all([read('transfer'), read('approve')]);
  const direct = transfers.entries
    // Without an operator: the funds of the sandbox.
    .filter(({ account }) => account !== null)
    .map((entry) => ({ entry, details: entry.details }));
  const approved = approvals.entries.flatMap((entry) => {
    const { action, ...details } = (entry.details.command ?? {}) as Done['details'];
    return action === 'transfer' ? [{ entry, details }] : [];
  });
  return [...direct, ...approved]
    .sort((a, b) => Number(b.entry.id) - Number(a.entry.id))
    .slice(0, MAX_READ);
}
