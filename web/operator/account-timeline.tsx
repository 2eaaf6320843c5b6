import { useSignal } from '@preact/signals';
import type {
  AccountName,
  GetAccountTimelineParameters,
  UserTimelineEntry,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Select } from '../components/field.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { DepositStatus, WithdrawalStatus } from '../custody/status.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AccountLink, Subject } from './account-link.tsx';
import { describeAction, describeDetails } from './audit-text.ts';
import { Filters } from './filters.tsx';
import { LogPosition } from './log-position.tsx';
import { recordCard } from './record-card.tsx';

const PAGE_SIZE = 20;

type Entry = UserTimelineEntry<string>;
type Kind = Entry['kind'];

const KINDS: Record<Kind, string> = {
  account: msg('Account'),
  fees: msg('Fees'),
  limits: msg('Limits'),
  keys: msg('API keys'),
  roles: msg('Roles'),
  notes: msg('Notes'),
  transfers: msg('Transfers'),
  deposits: msg('Deposits'),
  withdrawals: msg('Withdrawals'),
  other: msg('Other'),
};
const KIND_OPTIONS = [
  ['', msg('All entries')],
  ...(Object.entries(KINDS) as [Kind, string][]),
] as const;

/** @param names Names of the accounts of the user */
const buildColumns = (names: readonly AccountName[]): readonly Column<Entry>[] => [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'kind', title: msg('Kind'), cell: ({ kind }) => t(KINDS[kind]) },
  {
    key: 'actor',
    title: msg('Actor'),
    cell: ({ command }) => {
      if (command === null) return '–';
      if (command.account === null) return t('System');
      return <AccountLink accountId={command.account} names={command.accounts} />;
    },
  },
  { key: 'entry', title: msg('Entry'), cell: (entry) => <EntryName entry={entry} /> },
  {
    key: 'account',
    title: msg('Account'),
    cell: ({ command, deposit, withdrawal }) => {
      const subject = command?.subject ?? deposit?.account ?? withdrawal?.account;
      return subject == null ? '–' : <Subject subject={subject} names={names} />;
    },
  },
  {
    key: 'details',
    title: msg('Details'),
    cell: (entry) => {
      const text = detailsOfEntry(entry);
      return text === '' ? '' : <span class="wrapped details">{text}</span>;
    },
  },
  {
    key: 'place',
    title: msg('Log position'),
    numeric: true,
    cell: LogPosition,
  },
];

/** Everything about the user of an account, newest first; older pages are appended. */
export function AccountTimeline({ accountId: id }: { accountId: string }) {
  const kind = useSignal<Kind | ''>('');
  const readFilter = (): GetAccountTimelineParameters => ({
    ...{ id, limit: PAGE_SIZE },
    ...(kind.value === '' ? {} : { timelineKind: kind.value }),
  });
  const page = useResource(() => api.getAccountTimeline(readFilter()));
  const older = useAction();
  const loadOlder = (cursor: string) =>
    older.run(async () => {
      const shown = page.data.value;
      const next = await api.getAccountTimeline({ ...readFilter(), cursor });
      // The filter has changed in the meantime.
      if (page.data.value !== shown) return;
      page.data.value = { ...next, entries: [...(shown?.entries ?? []), ...next.entries] };
    });
  return (
    <Panel
      title={t('Timeline')}
      lead={t('Everything about this user, sub-accounts included, newest first.')}
      flush
    >
      <Filters count={Number(kind.value !== '')}>
        <search class="panel-bar filters">
          <Select
            label={t('Kind')}
            value={kind.value}
            options={KIND_OPTIONS}
            onChange={(value) => {
              kind.value = value;
              void page.load();
            }}
          />
        </search>
      </Filters>
      <Loaded resource={page}>
        {({ entries, names, nextCursor }) => (
          <>
            <Table
              caption={t('Timeline of {account}', { account: id })}
              columns={buildColumns(names)}
              rows={entries}
              rowKey={entryKey}
              empty={t('No entries match the filter.')}
              card={recordCard('entry', 'time')}
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

function EntryName({ entry: { command, deposit, withdrawal } }: { entry: Entry }) {
  if (command !== null) {
    return (
      <>
        <b>{t(describeAction(command.action))}</b>
        {command.outcome === 'rejected' ? <span class="badge off">{t('Rejected')}</span> : null}
      </>
    );
  }
  return (
    <>
      <b>{deposit === null ? t('Withdrawal') : t('Deposit')}</b>{' '}
      {deposit === null ? null : <DepositStatus deposit={deposit} />}
      {withdrawal === null ? null : <WithdrawalStatus withdrawal={withdrawal} />}
    </>
  );
}

function detailsOfEntry({ command, deposit, withdrawal }: Entry): string {
  if (command !== null) return describeDetails(command.details, null, command.accounts);
  const payment = deposit ?? withdrawal;
  if (payment === null) return '';
  return `${grouped(payment.amount)} ${payment.asset}, ${payment.network}, id ${payment.id}`;
}

/** Returns a key of an entry: a command may change several deposits, and a deposit changes once per command and status. */
function entryKey({ logPosition, index, command, deposit, withdrawal }: Entry): string {
  const payment = deposit ?? withdrawal;
  const what = command === null ? `${payment?.id} ${payment?.status}` : command.id;
  return `${logPosition}.${index} ${what}`;
}
