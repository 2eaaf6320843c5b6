import { useSignal } from '@preact/signals';
import type {
  ListSurveillanceAlertsParameters,
  SurveillanceAlert,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { AlertCase } from './alert-case.tsx';
import { AccountLinks, CaseBadge, DETECTORS } from './alert-text.tsx';
import { MarketSelect } from './market-select.tsx';

const PAGE_SIZE = 50;
type Filter = Omit<ListSurveillanceAlertsParameters, 'cursor'>;

/** Alerts of market surveillance and their cases. */
export function SurveillanceSection() {
  const id = itemAt();
  return id === undefined ? <AlertList /> : <AlertCase key={id} id={id} />;
}

const COLUMNS: readonly Column<SurveillanceAlert>[] = [
  { key: 'time', title: 'Time', cell: ({ to }) => dateTime(to.timestamp) },
  {
    key: 'detector',
    title: 'Alert',
    cell: ({ id, detector }) => (
      <a href={`#surveillance/${encodeURIComponent(id)}`}>{DETECTORS[detector]}</a>
    ),
  },
  { key: 'market', title: 'Market', cell: ({ symbol }) => symbol },
  {
    key: 'accounts',
    title: 'Accounts',
    cell: ({ accounts }) => <AccountLinks accounts={accounts} />,
  },
  { key: 'case', title: 'Case', cell: ({ caseStatus }) => <CaseBadge status={caseStatus} /> },
  { key: 'assignee', title: 'Assignee', cell: ({ assignee }) => assignee ?? '–' },
];

const DETECTOR_OPTIONS = [
  ['', 'All detectors'],
  ...(Object.entries(DETECTORS) as [SurveillanceAlert['detector'], string][]),
] as const;
const CASE_OPTIONS = [
  ['', 'All cases'],
  ['open', 'Open'],
  ['assigned', 'Assigned'],
  ['closed', 'Closed'],
] as const;

function AlertList() {
  const filter = useSignal<Filter>({ limit: PAGE_SIZE });
  const page = useResource(() => api.listSurveillanceAlerts(filter.value));
  const older = useAction();
  const apply = (wanted: Filter) =>
    page.show(async () => {
      const response = await api.listSurveillanceAlerts(wanted);
      filter.value = wanted;
      return response;
    });
  const loadOlder = (cursor: string) =>
    older.run(async () => {
      const current = filter.value;
      const next = await api.listSurveillanceAlerts({ ...current, cursor });
      // The filter has changed in the meantime.
      if (filter.value !== current) return;
      const shown = page.data.value?.alerts ?? [];
      page.data.value = { ...next, alerts: [...shown, ...next.alerts] };
    });
  return (
    <Panel
      title="Surveillance"
      lead="Patterns of market abuse that detectors found. An alert proves no intention."
      flush
    >
      <FilterForm onApply={apply} />
      <Loaded resource={page}>
        {({ alerts, failedDetectors, nextCursor }) => (
          <>
            {failedDetectors.map(({ detector: name, error }) => (
              <Notice key={name} kind="error">
                The detector {DETECTORS[name]} failed and is off: {error}
              </Notice>
            ))}
            <Table
              caption="Alerts, newest first"
              columns={COLUMNS}
              rows={alerts}
              rowKey={({ id }) => id}
              empty="No alerts match the filter"
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void loadOlder(nextCursor)}>
                  Load older alerts
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function FilterForm({ onApply }: { onApply: (filter: Filter) => Promise<void> }) {
  const detector = useSignal<SurveillanceAlert['detector'] | ''>('');
  const symbol = useSignal('');
  const account = useSignal('');
  const caseStatus = useSignal<SurveillanceAlert['caseStatus'] | ''>('');
  const search = useAction();
  const submit = async () => {
    const criteria = {
      detector: detector.value,
      symbol: symbol.value,
      account: account.value.trim(),
      caseStatus: caseStatus.value,
    };
    const given = Object.entries(criteria).filter(([, value]) => value !== '');
    await onApply({ ...Object.fromEntries(given), limit: PAGE_SIZE });
  };
  return (
    <Form
      action={search}
      onSubmit={submit}
      fields={['account']}
      class="panel-bar filters"
      label="Filter"
    >
      <Select
        label="Detector"
        value={detector.value}
        options={DETECTOR_OPTIONS}
        onChange={(value) => {
          detector.value = value;
        }}
      />
      <MarketSelect symbol={symbol} none="All markets" />
      <Field label="Account" {...bound(account)} error={search.fieldError('account')} />
      <Select
        label="Case"
        value={caseStatus.value}
        options={CASE_OPTIONS}
        onChange={(value) => {
          caseStatus.value = value;
        }}
      />
      <Submit action={search} label="Filter" />
    </Form>
  );
}
