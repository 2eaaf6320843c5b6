import type { ComponentChildren } from 'preact';
import type { AuditEntry } from '../../src/client/index.ts';
import { readCells } from '../components/row-card.ts';
import type { Column } from '../components/table.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { AccountLink } from './account-link.tsx';
import { paymentPath } from './account-path.ts';
import { ABOUT_REQUESTS, describeAction, EXCHANGE_WIDE } from './audit-actions.ts';
import { FlowingDetails } from './detail-list.tsx';
import { TimeInLog } from './log-position.tsx';

/** @param numbers The withdrawals that entries have requested, by the ids of the entries */
export const buildColumns = (
  numbers: ReadonlyMap<string, string>,
): readonly Column<AuditEntry>[] => [
  {
    key: 'time',
    title: msg('Time'),
    cell: (entry) => <TimeInLog entry={entry} />,
  },
  { key: 'actor', title: msg('Actor'), cell: (entry) => <Actor entry={entry} /> },
  {
    key: 'action',
    title: msg('Action'),
    cell: (entry) => (
      <>
        <b>{t(describeAction(entry.action))}</b>
        <span class="action-target">
          <Target entry={entry} number={numbers.get(entry.id)} />
        </span>
      </>
    ),
  },
  {
    key: 'subject',
    title: msg('Target'),
    cell: (entry) => <Target entry={entry} number={numbers.get(entry.id)} />,
  },
  {
    key: 'details',
    title: msg('Details'),
    cell: ({ details, accounts }) => (
      <FlowingDetails details={omitTarget(details)} names={accounts} />
    ),
  },
  {
    key: 'outcome',
    title: msg('Outcome'),
    cell: ({ outcome }) => <OutcomeBadge value={outcome} />,
  },
];

export type Outcome = AuditEntry['outcome'];

export const OUTCOMES: Readonly<Record<Outcome, readonly [label: string, tone: string]>> = {
  done: [msg('Applied'), ''],
  rejected: [msg('Rejected'), 'off'],
  repeated: [msg('Duplicate'), 'wait'],
  sent_for_approval: [msg('Sent for approval'), 'wait'],
};

function OutcomeBadge({ value }: { value: Outcome }) {
  const [label, tone] = OUTCOMES[value];
  return <span class={`badge ${tone}`}>{t(label)}</span>;
}

/** The account, and the user or API key of it that acted, if the log has it. */
function Actor({ entry: { account, user, apiKey, accounts } }: { entry: AuditEntry }) {
  if (account === null) return <>{t('System')}</>;
  return (
    <span class="two-lines">
      <AccountLink accountId={account} names={accounts} />
      {user === null && apiKey === null ? null : (
        <small class="muted" title={apiKey ?? undefined}>
          {user ?? t('API key {key}', { key: `…${apiKey?.slice(-6)}` })}
        </small>
      )}
    </span>
  );
}

/** The target of a command: a withdrawal or another record, an account, a market or an asset. */
function Target({ entry, number }: { entry: AuditEntry; number: string | undefined }) {
  const { account, action, subject, details, accounts } = entry;
  if (number !== undefined) {
    return <a href={paymentPath('withdrawals', number)}>{t('Withdrawal {number}', { number })}</a>;
  }
  const record = TARGETS.find(([name]) => details[name] !== undefined);
  if (record !== undefined) {
    const [name, label, list] = record;
    const text = `${t(label)} ${details[name]}`;
    if (list === undefined) return <>{text}</>;
    return <a href={paymentPath(list, String(details[name]))}>{text}</a>;
  }
  if (subject !== null && subject !== details.accountId) {
    const kind = subject.includes('/') ? t('Market') : subject === details.asset ? t('Asset') : '';
    return <Kind text={kind}>{subject}</Kind>;
  }
  if (subject === null && ABOUT_REQUESTS.has(action) && details.id !== undefined) {
    const id = String(details.id);
    return <a href={`#approvals/${id}`}>{t('Request {id}', { id })}</a>;
  }
  if (subject === null && EXCHANGE_WIDE.has(action)) return <>{t('Exchange')}</>;
  const changed = subject ?? account;
  if (changed === null) return <>–</>;
  return (
    <Kind text={t('Account')}>
      <AccountLink accountId={changed} names={accounts} />
    </Kind>
  );
}

/** A target after its kind, which only a phone shows: there no column says what it is. */
function Kind({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <>
      <span class="target-kind muted">{text}</span> {children}
    </>
  );
}

/** Fields with the number of the record that a command changed, and the list that shows it. */
const TARGETS: readonly (readonly [
  field: string,
  label: string,
  list?: 'deposits' | 'withdrawals',
])[] = [
  ['withdrawal', msg('Withdrawal'), 'withdrawals'],
  ['deposit', msg('Deposit'), 'deposits'],
  ['tradeId', msg('Trade')],
  ['alert', msg('Alert')],
];

function omitTarget(details: AuditEntry['details']): AuditEntry['details'] {
  const entries = Object.entries(details);
  return Object.fromEntries(entries.filter(([name]) => TARGETS.every(([field]) => field !== name)));
}

/** An entry on a phone: action and outcome, target, details, who and when. */
export function auditCard(entry: AuditEntry, columns: readonly Column<AuditEntry>[]) {
  const cell = readCells(entry, columns);
  return (
    <div class="list-card">
      <span class="list-card-head">
        {cell('action')}
        {cell('outcome')}
      </span>
      <span>{cell('subject')}</span>
      {Object.keys(omitTarget(entry.details)).length === 0 ? null : cell('details')}
      <span class="list-card-head muted">
        <span class="list-card-actor">
          {entry.account === null ? cell('actor') : <T text="by {actor}" actor={cell('actor')} />}
        </span>
        {cell('time')}
      </span>
    </div>
  );
}
