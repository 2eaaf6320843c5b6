import type { UserEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, sentenceCase } from '../format.ts';

const PAGE = 50;

const COLUMNS: readonly Column<UserEntry>[] = [
  { key: 'time', title: 'When', cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'by', title: 'Who', cell: ({ by }) => by ?? 'The exchange' },
  { key: 'what', title: 'What', cell: ({ action }) => <b>{sentenceCase(action)}</b> },
  {
    key: 'person',
    title: 'Person, account',
    cell: ({ email, account }) => (
      <div class="two-lines">
        <span>{email}</span>
        <code>{account}</code>
      </div>
    ),
  },
  {
    key: 'details',
    title: 'Details',
    cell: ({ details }) => <span class="wrapped">{details ?? '–'}</span>,
  },
  { key: 'from', title: 'From', cell: ({ address }) => address ?? '–' },
];

/** What happened to people, newest first; older pages are added below. */
export function UserAudit() {
  const page = useResource(() => api.getUserAudit({ limit: PAGE }));
  const older = useAction();
  const more = (cursor: string) =>
    older.run(async () => {
      const next = await api.getUserAudit({ limit: PAGE, cursor });
      const entries = [...(page.data.value?.entries ?? []), ...next.entries];
      page.data.value = { entries, nextCursor: next.nextCursor };
    });
  return (
    <Panel title="People" lead="Who came in, and what they may do." flush>
      <Loaded resource={page}>
        {({ entries, nextCursor }) => (
          <>
            <Table
              caption="What happened to users"
              columns={COLUMNS}
              rows={entries}
              rowKey={({ id }) => id}
              empty="Nothing happened to anybody yet."
            />
            {nextCursor === null ? null : (
              <div class="panel-foot">
                <button type="button" class="button" onClick={() => void more(nextCursor)}>
                  Older entries of users
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
