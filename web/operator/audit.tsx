import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { GetAuditParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { AccountPicker } from './account-picker.tsx';
import { readTimeField } from './alert-filters.tsx';
import { AUDIT_ACTIONS, findActions } from './audit-actions.ts';
import { auditCard, buildColumns, OUTCOMES, type Outcome } from './audit-columns.tsx';
import { AuditExport } from './audit-export.tsx';
import { readWithdrawalNumbers } from './audit-numbers.ts';
import { Combobox } from './combobox.tsx';
import { Filters, useApply } from './filters.tsx';
import { TimeField } from './time-field.tsx';

const PAGE_SIZE = 50;

/** Commands that changed accounts or rules, newest first; older pages are appended. */
export function AuditSection() {
  const filter = useSignal<GetAuditParameters>({ limit: PAGE_SIZE });
  const page = useResource(() => api.getAudit(filter.value));
  const older = useAction();
  const numbers = useSignal<ReadonlyMap<string, string>>(new Map());
  const order = useMemo(() => new ResponseOrder(), []);
  const entries = page.data.value?.entries;
  useEffect(() => {
    if (entries === undefined) return;
    // Entries without the number of their withdrawal link to the account.
    const isNewest = order.begin();
    readWithdrawalNumbers(entries, numbers.value).then((found) => {
      if (isNewest()) numbers.value = found;
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
              card={auditCard}
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
  const apply = useApply(search, submit);
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
            apply();
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
