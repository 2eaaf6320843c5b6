import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { AuditEntry, GetAuditParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AccountPicker } from './account-picker.tsx';
import { AUDIT_ACTIONS, describeAction, findActions } from './audit-actions.ts';
import { AuditExport } from './audit-export.tsx';
import { describeDetails } from './audit-text.ts';
import { Combobox } from './combobox.tsx';

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'actor', title: msg('Actor'), cell: ({ account }) => account ?? t('System') },
  { key: 'action', title: msg('Action'), cell: ({ action }) => <b>{t(describeAction(action))}</b> },
  { key: 'subject', title: msg('Target'), cell: ({ subject }) => subject ?? '–' },
  {
    key: 'details',
    title: msg('Details'),
    cell: ({ details }) => <span class="wrapped details">{describeDetails(details)}</span>,
  },
  {
    key: 'outcome',
    title: msg('Outcome'),
    cell: ({ outcome }) => (
      <span class={`badge ${outcome === 'done' ? 'on' : outcome === 'rejected' ? 'off' : ''}`}>
        {outcome === 'done' ? t('Done') : outcome === 'rejected' ? t('Rejected') : t('Duplicate')}
      </span>
    ),
  },
  { key: 'place', title: msg('Log position'), numeric: true, cell: logPlace },
];

/** Actions of operators and of the exchange, newest first; older pages are appended. */
export function AuditSection() {
  const filter = useSignal<GetAuditParameters>({ limit: PAGE_SIZE });
  const page = useResource(() => api.getAudit(filter.value));
  const older = useAction();
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
      lead={t('All actions of operators and of the exchange itself.')}
      aside={<AuditExport filter={filter.value} />}
      flush
    >
      <FilterForm onApply={apply} />
      <Loaded resource={page}>
        {({ entries, nextCursor }) => (
          <>
            <Table
              caption={t('Audit trail')}
              columns={COLUMNS}
              rows={entries}
              rowKey={({ id }) => id}
              empty={t('No entries match the filter')}
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void loadOlder(nextCursor)}>
                  {t('Load older entries')}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function FilterForm({ onApply }: { onApply: (filter: GetAuditParameters) => Promise<void> }) {
  const account = useSignal('');
  const action = useSignal('');
  const since = useSignal('');
  const until = useSignal('');
  const search = useAction();
  const submit = async () => {
    const criteria = {
      account: account.value.trim(),
      action: readAction(action.value),
      since: toIsoTime(since.value),
      until: toIsoTime(until.value),
    };
    const given = Object.entries(criteria).filter(([, value]) => value !== '');
    await onApply({ ...Object.fromEntries(given), limit: PAGE_SIZE });
  };
  return (
    <Form
      action={search}
      onSubmit={submit}
      fields={['account', 'action', 'since', 'until']}
      class="panel-bar filters"
      label={t('Filter')}
    >
      <AccountPicker label={t('Actor')} account={account} error={search.fieldError('account')} />
      <ActionPicker action={action} error={search.fieldError('action')} />
      <Field
        label={t('From')}
        {...bound(since)}
        input={{ type: 'datetime-local' }}
        error={search.fieldError('since')}
      />
      <Field
        label={t('Until')}
        {...bound(until)}
        input={{ type: 'datetime-local' }}
        error={search.fieldError('until')}
      />
      <Submit action={search} label={t('Filter')} />
    </Form>
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

function logPlace({ logPosition, index }: AuditEntry): string {
  return `${logPosition}.${index}`;
}

/** Converts a local time from a date input to ISO 8601; empty if there is none. */
function toIsoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
