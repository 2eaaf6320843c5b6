import { useSignal } from '@preact/signals';
import type { AuditEntry, GetAuditParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { describeAction, describeDetails } from './audit-text.ts';

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'time', title: 'Time', cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'actor', title: 'Actor', cell: ({ account }) => account ?? 'System' },
  { key: 'action', title: 'Action', cell: ({ action }) => <b>{describeAction(action)}</b> },
  { key: 'subject', title: 'Target', cell: ({ subject }) => subject ?? '–' },
  {
    key: 'details',
    title: 'Details',
    cell: ({ details }) => <span class="wrapped details">{describeDetails(details)}</span>,
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <span class={`badge ${outcome === 'done' ? 'on' : outcome === 'rejected' ? 'off' : ''}`}>
        {outcome === 'done' ? 'Done' : outcome === 'rejected' ? 'Rejected' : 'Duplicate'}
      </span>
    ),
  },
  { key: 'place', title: 'Log position', numeric: true, cell: logPlace },
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
    <Panel title="Audit trail" lead="All actions of operators and of the exchange itself." flush>
      <FilterForm onApply={apply} />
      <Loaded resource={page}>
        {({ entries, nextCursor }) => (
          <>
            <Table
              caption="Audit trail"
              columns={COLUMNS}
              rows={entries}
              rowKey={({ id }) => id}
              empty="No entries match the filter"
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void loadOlder(nextCursor)}>
                  Load older entries
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
      action: action.value.trim(),
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
      label="Filter"
    >
      <Field label="Actor" {...bound(account)} error={search.fieldError('account')} />
      <Field
        label="Action"
        {...bound(action)}
        input={{ placeholder: 'transfer' }}
        error={search.fieldError('action')}
      />
      <Field
        label="From"
        {...bound(since)}
        input={{ type: 'datetime-local' }}
        error={search.fieldError('since')}
      />
      <Field
        label="Until"
        {...bound(until)}
        input={{ type: 'datetime-local' }}
        error={search.fieldError('until')}
      />
      <Submit action={search} label="Filter" />
    </Form>
  );
}

function logPlace({ logPosition, index }: AuditEntry): string {
  return `${logPosition}.${index}`;
}

/** Converts a local time from a date input to ISO 8601; empty if there is none. */
function toIsoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
