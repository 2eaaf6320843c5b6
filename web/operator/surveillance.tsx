import { type Signal, useSignal } from '@preact/signals';
import type { SurveillanceAlert } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { type Resource, useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AlertCase } from './alert-case.tsx';
import { CloseAlerts } from './alert-closing.tsx';
import { type AlertFilter, AlertFilters, PAGE_SIZE } from './alert-filters.tsx';
import { AccountLinks, CaseBadge, DETECTORS, SeverityBadge, severityRank } from './alert-text.tsx';
import { Detectors } from './detectors.tsx';
import { type SortedColumn, SortedTable } from './sorted-table.tsx';

type Page = Awaited<ReturnType<typeof api.listSurveillanceAlerts>>;

/** Alerts of market surveillance and their cases. */
export function SurveillanceSection() {
  const id = itemAt();
  return id === undefined ? <AlertList /> : <AlertCase key={id} id={id} />;
}

const COLUMNS: readonly SortedColumn<SurveillanceAlert>[] = [
  {
    key: 'severity',
    title: msg('Severity'),
    cell: (alert) => <SeverityBadge of={alert} />,
    sortBy: severityRank,
  },
  {
    key: 'time',
    title: msg('Time'),
    cell: ({ to }) => dateTime(to.timestamp),
    sortBy: ({ to }) => to.timestamp,
  },
  {
    key: 'detector',
    title: msg('Alert'),
    cell: ({ id, detector }) => (
      <a href={`#surveillance/${encodeURIComponent(id)}`}>{t(DETECTORS[detector])}</a>
    ),
    sortBy: ({ detector }) => t(DETECTORS[detector]),
  },
  {
    key: 'market',
    title: msg('Market'),
    cell: ({ symbol }) => symbol,
    sortBy: ({ symbol }) => symbol,
  },
  {
    key: 'accounts',
    title: msg('Accounts'),
    cell: ({ accounts }) => <AccountLinks accounts={accounts} />,
    sortBy: ({ accounts }) => accounts.join(),
  },
  {
    key: 'case',
    title: msg('Case'),
    cell: ({ caseStatus }) => <CaseBadge status={caseStatus} />,
    sortBy: ({ caseStatus }) => caseStatus,
  },
  {
    key: 'assignee',
    title: msg('Assignee'),
    cell: ({ assignee }) => assignee ?? '–',
    sortBy: ({ assignee }) => assignee,
  },
];

/** Returns the column of checkboxes of the alerts whose cases can be closed. */
function choice(chosen: Signal<ReadonlySet<string>>): SortedColumn<SurveillanceAlert> {
  return {
    key: 'choose',
    title: msg('Select'),
    cell: ({ id, detector, symbol, to, caseStatus }) =>
      caseStatus === 'closed' ? null : (
        <label class="check">
          <input
            type="checkbox"
            aria-label={t('Select {alert} in {symbol}, {time}', {
              alert: t(DETECTORS[detector]),
              symbol,
              time: dateTime(to.timestamp),
            })}
            checked={chosen.value.has(id)}
            onChange={(event) => {
              const others = new Set(chosen.value);
              if (event.currentTarget.checked) others.add(id);
              else others.delete(id);
              chosen.value = others;
            }}
          />
        </label>
      ),
  };
}

function AlertList() {
  const filter = useSignal<AlertFilter>({ limit: PAGE_SIZE });
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const isClosing = useSignal(false);
  const page = useResource(() => api.listSurveillanceAlerts(filter.value));
  const apply = (wanted: AlertFilter) =>
    page.show(async () => {
      const response = await api.listSurveillanceAlerts(wanted);
      filter.value = wanted;
      // Alerts may have been chosen while the list was loading.
      const listed = new Set(response.alerts.map(({ id }) => id));
      chosen.value = new Set([...chosen.value].filter((id) => listed.has(id)));
      return response;
    });
  return (
    <>
      <Panel
        title={t('Alerts')}
        lead={t('Patterns of market abuse that detectors found. An alert is not proof of abuse.')}
        flush
      >
        <AlertFilters count={countSet(filter.value)} onApply={apply} />
        <Loaded resource={page}>
          {(data) => (
            <>
              <Selection
                alerts={data.alerts}
                chosen={chosen}
                onClose={() => {
                  isClosing.value = true;
                }}
              />
              <SortedTable
                caption={t('Alerts, newest first')}
                class="alert-list"
                columns={[choice(chosen), ...COLUMNS]}
                rows={data.alerts}
                rowKey={({ id }) => id}
                empty={
                  countSet(filter.value) > 0
                    ? t('No alerts match the filter.')
                    : t('No alerts yet. The detectors below have found no pattern of abuse.')
                }
              />
              <Older page={page} filter={filter} />
            </>
          )}
        </Loaded>
        <Dialog
          title={t('Close cases')}
          open={isClosing.value}
          onClose={() => {
            isClosing.value = false;
          }}
        >
          {isClosing.value ? (
            <CloseAlerts
              ids={[...chosen.value]}
              onProgress={(left) => {
                chosen.value = new Set(left);
              }}
              onDone={async (count) => {
                isClosing.value = false;
                announce(
                  t('{count, plural, one {# case closed} other {# cases closed}}', { count }),
                  'success',
                );
                await page.load();
              }}
            />
          ) : null}
        </Dialog>
      </Panel>
      <Detectors />
    </>
  );
}

/** Counts the filters that are set, without the length of a page. */
function countSet(filter: AlertFilter): number {
  return Object.keys(filter).length - 1;
}

interface SelectionProps {
  readonly alerts: readonly SurveillanceAlert[];
  readonly chosen: Signal<ReadonlySet<string>>;
  readonly onClose: () => void;
}

/** Selects all open alerts that are shown, and closes the selected ones. */
function Selection({ alerts, chosen, onClose }: SelectionProps) {
  const open = alerts.filter(({ caseStatus }) => caseStatus !== 'closed').map(({ id }) => id);
  if (open.length === 0) return null;
  const count = chosen.value.size;
  const areAllChosen = open.every((id) => chosen.value.has(id));
  return (
    <div class="panel-bar selection">
      <label class="check">
        <input
          type="checkbox"
          checked={areAllChosen}
          onChange={() => {
            chosen.value = new Set(areAllChosen ? [] : open);
          }}
        />
        {t('Select all {count}', { count: open.length })}
      </label>
      <button type="button" class="button small" disabled={count === 0} onClick={onClose}>
        {t('{count, plural, =0 {Close selected…} one {Close # case…} other {Close # cases…}}', {
          count,
        })}
      </button>
    </div>
  );
}

interface OlderProps {
  readonly page: Resource<Page>;
  readonly filter: Signal<AlertFilter>;
}

function Older({ page, filter }: OlderProps) {
  const older = useAction();
  const cursor = page.data.value?.nextCursor;
  if (cursor == null) return null;
  const load = () =>
    older.run(async () => {
      const current = filter.value;
      const next = await api.listSurveillanceAlerts({ ...current, cursor });
      // The filter has changed in the meantime.
      if (filter.value !== current) return;
      const shown = page.data.value?.alerts ?? [];
      page.data.value = { ...next, alerts: [...shown, ...next.alerts] };
    });
  return (
    <div class="panel-foot">
      <button type="button" class="button" onClick={() => void load()}>
        {t('Load older alerts')}
      </button>
    </div>
  );
}
