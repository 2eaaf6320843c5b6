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
import { networkName } from '../custody/networks.ts';
import { DepositStatus, WithdrawalStatus } from '../custody/status.tsx';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AccountLink } from './account-link.tsx';
import { paymentPath } from './account-path.ts';
import { describeAction } from './audit-text.ts';
import { FlowingDetails } from './detail-list.tsx';
import { Filters } from './filters.tsx';
import { TimeInLog } from './log-position.tsx';
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
  {
    key: 'time',
    title: msg('Time'),
    cell: (entry) => <TimeInLog entry={entry} />,
  },
  {
    key: 'actor',
    title: msg('Actor'),
    cell: ({ command }) => {
      if (command === null) return '–';
      if (command.account === null) return t('System');
      return <AccountLink accountId={command.account} names={command.accounts} />;
    },
  },
  {
    key: 'entry',
    title: msg('Entry'),
    cell: (entry) => (
      <span class="account-cell">
        <span>
          <EntryName entry={entry} />
        </span>
        <small class="muted">{t(KINDS[entry.kind])}</small>
      </span>
    ),
  },
  {
    key: 'account',
    title: msg('Account'),
    cell: (entry) => {
      const account = findAccount(entry);
      const known = entry.command?.accounts ?? names;
      return account === null ? '–' : <AccountLink accountId={account} names={known} />;
    },
  },
  { key: 'details', title: msg('Details'), cell: (entry) => <Details entry={entry} /> },
];

/** Returns the account that an entry changed; a command about an asset, such as a transfer, changed that of its sender. */
function findAccount({ command, deposit, withdrawal }: Entry): string | null {
  if (command === null) return (deposit ?? withdrawal)?.account ?? null;
  const { subject, accounts } = command;
  return accounts.some(({ accountId }) => accountId === subject) ? subject : command.account;
}

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
          <div class="timeline-table">
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
          </div>
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

function Details({ entry: { command, deposit, withdrawal } }: { entry: Entry }) {
  if (command !== null)
    return <FlowingDetails details={command.details} names={command.accounts} />;
  const payment = deposit ?? withdrawal;
  if (payment === null) return <>–</>;
  const { id, amount, asset, network } = payment;
  return (
    <div class="flowing-details">
      {grouped(amount)} {asset} · {networkName(network)} ·{' '}
      <a href={paymentPath(deposit === null ? 'withdrawals' : 'deposits', id)}>
        {deposit === null
          ? t('Withdrawal {number}', { number: id })
          : t('Deposit {number}', { number: id })}
      </a>
    </div>
  );
}

/** Returns a key of an entry: a command may change several deposits, and a deposit changes once per command and status. */
function entryKey({ logPosition, index, command, deposit, withdrawal }: Entry): string {
  const payment = deposit ?? withdrawal;
  const what = command === null ? `${payment?.id} ${payment?.status}` : command.id;
  return `${logPosition}.${index} ${what}`;
}
