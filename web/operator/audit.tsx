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

const PAGE = 50;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'time', title: 'When', cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'who', title: 'Who', cell: ({ account }) => account ?? 'The exchange' },
  { key: 'what', title: 'What', cell: ({ action }) => <b>{describeAction(action)}</b> },
  { key: 'subject', title: 'Of', cell: ({ subject }) => subject ?? '–' },
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
        {outcome === 'done' ? 'Done' : outcome === 'rejected' ? 'Refused' : 'Repeated'}
      </span>
    ),
  },
  { key: 'place', title: 'In the log', numeric: true, cell: logPlace },
];

/** Who did what, and when, newest first; older pages are added below. */
export function AuditSection() {
  const [account, action, since, until] = [
    useSignal(''),
    useSignal(''),
    useSignal(''),
    useSignal(''),
  ];
  const asked = useSignal<GetAuditParameters>({ limit: PAGE });
  const page = useResource(() => api.getAudit(asked.value));
  const search = useAction();
  const older = useAction();
  const submit = async () => {
    const terms = {
      account: account.value.trim(),
      action: action.value.trim(),
      since: toIsoTime(since.value),
      until: toIsoTime(until.value),
    };
    const given = Object.entries(terms).filter(([, value]) => value !== '');
    const wanted = { ...Object.fromEntries(given), limit: PAGE };
    await page.show(async () => {
      const answer = await api.getAudit(wanted);
      asked.value = wanted;
      return answer;
    });
  };
  const more = (cursor: string) =>
    older.run(async () => {
      const terms = asked.value;
      const next = await api.getAudit({ ...terms, cursor });
      // Another filter is shown by now.
      if (asked.value !== terms) return;
      const entries = [...(page.data.value?.entries ?? []), ...next.entries];
      page.data.value = { entries, nextCursor: next.nextCursor };
    });
  return (
    <Panel title="Audit trail" lead="Every act of an operator and of the exchange itself." flush>
      <Form
        action={search}
        onSubmit={submit}
        fields={['account', 'action', 'since', 'until']}
        class="panel-bar filters"
        label="Filter"
      >
        <Field label="Who asked" {...bound(account)} error={search.errorOf('account')} />
        <Field
          label="Command"
          {...bound(action)}
          input={{ placeholder: 'transfer' }}
          error={search.errorOf('action')}
        />
        <Field
          label="From"
          {...bound(since)}
          input={{ type: 'datetime-local' }}
          error={search.errorOf('since')}
        />
        <Field
          label="Until"
          {...bound(until)}
          input={{ type: 'datetime-local' }}
          error={search.errorOf('until')}
        />
        <Submit action={search} label="Filter" />
      </Form>
      <Loaded resource={page}>
        {({ entries, nextCursor }) => (
          <>
            <Table
              caption="Audit trail"
              columns={COLUMNS}
              rows={entries}
              rowKey={({ id }) => id}
              empty="Nothing that was done fits the filter."
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void more(nextCursor)}>
                  Older entries
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function logPlace({ logPosition, index }: AuditEntry): string {
  return `${logPosition}.${index}`;
}

/** Of a local time as its input gives it; empty where there is none. */
function toIsoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
