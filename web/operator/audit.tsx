import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { AuditEntry, GetAuditParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { accountPath, paymentPath } from './account-path.ts';
import { AccountPicker } from './account-picker.tsx';
import { readTimeField } from './alert-filters.tsx';
import { AUDIT_ACTIONS, describeAction, findActions } from './audit-actions.ts';
import { AuditExport } from './audit-export.tsx';
import { readWithdrawalNumbers } from './audit-numbers.ts';
import { Combobox } from './combobox.tsx';
import { DetailList } from './detail-list.tsx';
import { Filters } from './filters.tsx';
import { LogPosition } from './log-position.tsx';
import { TimeField } from './time-field.tsx';

const PAGE_SIZE = 50;

/** @param numbers The withdrawals that entries have requested, by the ids of the entries */
const buildColumns = (numbers: ReadonlyMap<string, string>): readonly Column<AuditEntry>[] => [
  {
    key: 'time',
    title: msg('Time'),
    cell: (entry) => (
      <span class="account-cell">
        <time dateTime={entry.timestamp}>{dateTime(entry.timestamp)}</time>
        <small class="muted">
          {t('Log position')} <LogPosition {...entry} />
        </small>
      </span>
    ),
  },
  { key: 'actor', title: msg('Actor'), cell: (entry) => <Actor entry={entry} /> },
  { key: 'action', title: msg('Action'), cell: ({ action }) => <b>{t(describeAction(action))}</b> },
  {
    key: 'subject',
    title: msg('Target'),
    cell: (entry) => <Target entry={entry} number={numbers.get(entry.id)} />,
  },
  {
    key: 'details',
    title: msg('Details'),
    cell: ({ details }) => <DetailList details={omitTarget(details)} class="flowing" />,
  },
  {
    key: 'outcome',
    title: msg('Outcome'),
    cell: ({ outcome }) => <OutcomeBadge value={outcome} />,
  },
];

type Outcome = AuditEntry['outcome'];

const OUTCOMES: Readonly<Record<Outcome, readonly [label: string, tone: string]>> = {
  done: [msg('Done'), 'on'],
  rejected: [msg('Rejected'), 'off'],
  repeated: [msg('Duplicate'), ''],
  sent_for_approval: [msg('Sent for approval'), 'wait'],
};

function OutcomeBadge({ value }: { value: Outcome }) {
  const [label, tone] = OUTCOMES[value];
  return <span class={`badge ${tone}`}>{t(label)}</span>;
}

/** The account, and the user or API key of it that acted, if the log has it. */
function Actor({ entry: { account, user, apiKey } }: { entry: AuditEntry }) {
  if (account === null) return <>{t('System')}</>;
  return (
    <span class="two-lines">
      <a href={accountPath(account)}>{account}</a>
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
  const { account, subject, details } = entry;
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
  if (subject !== null && subject !== details.accountId) return <>{subject}</>;
  // Commands without a subject change the account that sends them.
  const changed = subject ?? account;
  return changed === null ? <>–</> : <a href={accountPath(changed)}>{changed}</a>;
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
];

function omitTarget(details: AuditEntry['details']): AuditEntry['details'] {
  const entries = Object.entries(details);
  return Object.fromEntries(entries.filter(([name]) => TARGETS.every(([field]) => field !== name)));
}

/** Commands that changed accounts or rules, newest first; older pages are appended. */
export function AuditSection() {
  const filter = useSignal<GetAuditParameters>({ limit: PAGE_SIZE });
  const page = useResource(() => api.getAudit(filter.value));
  const older = useAction();
  const numbers = useSignal<ReadonlyMap<string, string>>(new Map());
  const entries = page.data.value?.entries;
  useEffect(() => {
    if (entries === undefined) return;
    // Entries without the number of their withdrawal link to the account.
    readWithdrawalNumbers(entries).then((found) => {
      numbers.value = found;
    }, announceError);
  }, [entries]);
  const apply = (wanted: GetAuditParameters) =>
    page.show(async () => {
      const response = await api.getAudit(wanted);
      filter.value = wanted;
      return response;
    });
  const loadOlder = (cursor: string) =>
    older.run(async () => {
      const current = filter.value;
      const next = await api.getAudit({ ...current, cursor });
      // The filter has changed in the meantime.
      if (filter.value !== current) return;
      const entries = [...(page.data.value?.entries ?? []), ...next.entries];
      page.data.value = { entries, nextCursor: next.nextCursor };
    });
  return (
    <Panel
      title={t('Audit trail')}
      lead={t(
        'Commands of operators, users and the exchange itself that change accounts and rules, newest first.',
      )}
      aside={<AuditExport filter={filter.value} />}
      flush
    >
      <FilterForm count={Object.keys(filter.value).length - 1} onApply={apply} />
      <Loaded resource={page}>
        {({ entries: rows, nextCursor }) => (
          <div class="audit-table">
            <Table
              caption={t('Audit trail')}
              columns={buildColumns(numbers.value)}
              rows={rows}
              rowKey={({ id }) => id}
              empty={t('No entries match the filter.')}
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void loadOlder(nextCursor)}>
                  {t('Load older entries')}
                </button>
              </div>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

const OUTCOME_OPTIONS: readonly (readonly [Outcome | '', string])[] = [
  ['', msg('All outcomes')],
  ...(Object.entries(OUTCOMES) as [Outcome, readonly [string, string]][]).map(
    ([value, [label]]) => [value, label] as const,
  ),
];

interface FilterFormProps {
  /** The number of filters that are set. */
  readonly count: number;
  readonly onApply: (filter: GetAuditParameters) => Promise<void>;
}

function FilterForm({ count, onApply }: FilterFormProps) {
  const account = useSignal('');
  const action = useSignal('');
  const subject = useSignal('');
  const outcome = useSignal<Outcome | ''>('');
  const since = useSignal('');
  const until = useSignal('');
  const search = useAction();
  const submit = async () => {
    const criteria = {
      account: account.value.trim(),
      action: readAction(action.value),
      subject: subject.value.trim(),
      outcome: outcome.value,
      since: readTimeField('since', since),
      until: readTimeField('until', until),
    };
    const given = Object.entries(criteria).filter(([, value]) => value !== '');
    await onApply({ ...Object.fromEntries(given), limit: PAGE_SIZE });
  };
  return (
    <Filters count={count}>
      <Form
        action={search}
        onSubmit={submit}
        fields={['account', 'action', 'subject', 'since', 'until']}
        class="panel-bar filters audit-filters"
        label={t('Filter')}
      >
        <AccountPicker label={t('Actor')} account={account} error={search.fieldError('account')} />
        <ActionPicker action={action} error={search.fieldError('action')} />
        <Field
          label={t('Target')}
          {...bound(subject)}
          input={{ name: 'subject', placeholder: t('Account, market or asset') }}
          error={search.fieldError('subject')}
        />
        <Select
          label={t('Outcome')}
          value={outcome.value}
          options={OUTCOME_OPTIONS}
          onChange={(chosen) => {
            outcome.value = chosen;
          }}
        />
        <TimeField
          label={t('From')}
          name="since"
          {...bound(since)}
          error={search.fieldError('since')}
        />
        <TimeField
          label={t('Until')}
          name="until"
          {...bound(until)}
          error={search.fieldError('until')}
        />
        <Submit action={search} label={t('Filter')} />
      </Form>
    </Filters>
  );
}

interface ActionPickerProps {
  /** The readable name, or the name of the command. */
  readonly action: Signal<string>;
  readonly error: string | undefined;
}

/** Chooses an action by its readable name. */
function ActionPicker({ action, error }: ActionPickerProps) {
  const text = action.value;
  const suggestions = useMemo(() => {
    const isChosen = AUDIT_ACTIONS.some(({ title }) => t(title) === text);
    return findActions(isChosen ? '' : text, t).map(({ action: name, group, title }) => ({
      ...{ key: name, group, content: t(title) },
      choose: () => {
        action.value = t(title);
      },
    }));
  }, [text]);
  return (
    <Combobox
      label={t('Action')}
      {...bound(action)}
      suggestions={suggestions}
      note={t('No such action')}
      placeholder={t('All actions')}
      error={error}
      name="action"
    />
  );
}

/** Returns the command of a readable name; '' for all. @throws FieldError */
function readAction(text: string): string {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return '';
  const found = AUDIT_ACTIONS.find(
    ({ action, title }) => action.toLowerCase() === wanted || t(title).toLowerCase() === wanted,
  );
  if (found !== undefined) return found.action;
  throw new FieldError('action', t('Choose an action from the list.'));
}
