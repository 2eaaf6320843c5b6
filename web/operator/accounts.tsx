import { useSignal } from '@preact/signals';
import type Big from 'big.js';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { StatusBadge } from '../components/account-status.tsx';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { type AccountStatus, readStatus } from '../components/read-status.ts';
import { useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { announce } from '../components/toast.tsx';
import { Short } from '../custody/status.tsx';
import { formatDate, grouped, timeOfDay } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AccountDetail } from './account.tsx';
import { Flags, MissingSignals, NO_SIGNALS, readSignals } from './account-flags.tsx';
import { ShortAccountId } from './account-link.tsx';
import { accountPath } from './account-path.ts';
import type { Signals } from './account-signals.ts';
import { ShortValue, THOUSAND } from './amount.tsx';
import { tierText } from './fee-tier.ts';
import { Filters } from './filters.tsx';
import { findRole, type Owner, ROLE_NAMES, type Role, summarizeOwners } from './owner.ts';
import { SecondFactorBadge } from './second-factor-badge.tsx';
import { type SortedColumn, SortedTable } from './sorted-table.tsx';
import { readValues } from './values.ts';

/** Number of accounts that are listed at first, and added by the button below the list. */
const PAGE_SIZE = 100;

export function AccountsSection() {
  const accountId = itemAt();
  return accountId === undefined ? (
    <AccountList />
  ) : (
    <AccountDetail key={accountId} accountId={accountId} />
  );
}

type AccountRow = Account<string> & {
  readonly owner: Owner | undefined;
  readonly value: Big;
  readonly quote: string;
  /** Whether the exchange has fee tiers. */
  readonly hasTiers: boolean;
  readonly signals: Signals;
};

/** Left out on a phone. */
const NO_OWNER = <span class="no-owner">–</span>;

const COLUMNS: readonly SortedColumn<AccountRow>[] = [
  {
    ...{ key: 'account', title: msg('Account') },
    cell: (row) => (
      <span class="account-cell">
        <a href={accountPath(row.accountId)}>{row.name ?? <ShortAccountId id={row.accountId} />}</a>
        {row.name === null ? null : (
          <small class="muted">
            <Short text={row.accountId} />
          </small>
        )}
        <Flags signals={row.signals} surveillanceExempt={row.surveillanceExempt} />
      </span>
    ),
    sortBy: ({ name, accountId }) => name ?? accountId,
  },
  {
    ...{ key: 'owner', title: msg('Owner') },
    cell: ({ owner, main }) => (
      <span class="account-cell">
        {owner === undefined ? (
          NO_OWNER
        ) : (
          <span>
            {owner.name} <small class="owner-role badge">{t(ROLE_NAMES[findRole(owner)])}</small>
          </span>
        )}
        {owner === undefined ? null : <small class="muted">{owner.email}</small>}
        {main === null ? null : (
          <small class="muted one-line">{t('sub-account of {account}', { account: main })}</small>
        )}
      </span>
    ),
    sortBy: ({ owner }) => owner?.name ?? null,
  },
  {
    ...{ key: 'status', title: msg('Status') },
    cell: (account) => <StatusBadge account={account} />,
    sortBy: readStatus,
  },
  {
    ...{ key: 'role', title: msg('Role') },
    cell: ({ owner }) => (owner === undefined ? NO_OWNER : t(ROLE_NAMES[findRole(owner)])),
    sortBy: ({ owner }) => (owner === undefined ? null : findRole(owner)),
  },
  {
    ...{ key: 'value', title: msg('Value'), numeric: true },
    cell: ({ value, quote }) => <ShortValue value={value} quote={quote} from={THOUSAND} />,
    sortBy: ({ value }) => value.toNumber(),
  },
  {
    ...{ key: 'factor', title: msg('2FA') },
    cell: ({ owner }) =>
      owner === undefined ? NO_OWNER : <SecondFactorBadge isOn={owner.secondFactor} />,
    sortBy: ({ owner }) => (owner === undefined ? null : Number(owner.secondFactor)),
  },
  {
    ...{ key: 'seen', title: msg('Last seen') },
    cell: ({ owner }) => (owner === undefined ? NO_OWNER : <LastSeen at={owner.lastSeenAt} />),
    sortBy: ({ owner }) => owner?.lastSeenAt ?? null,
  },
  {
    ...{ key: 'orders', title: msg('Open orders'), numeric: true },
    cell: ({ openOrders }) => grouped(`${openOrders}`),
    sortBy: ({ openOrders }) => openOrders,
  },
  {
    ...{ key: 'tier', title: msg('Fee tier') },
    cell: (account) => tierText(account, account.hasTiers),
    sortBy: ({ tier }) => tier,
  },
  {
    ...{ key: 'since', title: msg('Created') },
    cell: ({ createdAt }) => formatDate(createdAt),
    sortBy: ({ createdAt }) => createdAt,
  },
];

function LastSeen({ at }: { at: string | null }) {
  if (at === null) return <>{t('Never')}</>;
  return (
    <time class="account-cell" dateTime={at}>
      <span>{formatDate(at)}</span>
      <small class="muted">{timeOfDay(at)}</small>
    </time>
  );
}

const STATUS_OPTIONS = [
  ['', msg('All')],
  ['active', msg('Active')],
  ['frozen', msg('Frozen')],
  ['closed', msg('Closed||account')],
] as const;
const ROLE_OPTIONS = [
  ['', msg('All')],
  ...(Object.entries(ROLE_NAMES) as [Role, string][]),
] as const;

function AccountList() {
  const search = useSignal('');
  const status = useSignal<AccountStatus | ''>('');
  const role = useSignal<Role | ''>('');
  const isCreating = useSignal(false);
  const found = useResource(() => {
    const text = search.value.trim();
    const terms = text === '' ? {} : { search: text };
    return api.listAccounts({ ...terms, includeBalances: 'true' });
  });
  const terms = useResource(readTerms);
  // Read apart: the list is also of use without them.
  const signals = useResource(readSignals);
  const selects = (account: AccountRow) =>
    (status.value === '' || readStatus(account) === status.value) &&
    (role.value === '' || (account.owner !== undefined && findRole(account.owner) === role.value));
  return (
    <Panel
      title={t('Accounts')}
      lead={`${t('An account holds balances and orders. Users and API keys act on its behalf.')} ${countText(found.data.value?.accounts.length)}`}
      aside={
        <button
          type="button"
          class="button primary"
          onClick={() => {
            isCreating.value = true;
          }}
        >
          {t('Create account')}
        </button>
      }
      flush
    >
      <Filters
        count={
          Number(search.value !== '') + Number(status.value !== '') + Number(role.value !== '')
        }
      >
        <search class="panel-bar filters account-filters">
          <Field
            label={t('Search accounts')}
            value={search.value}
            onInput={(text) => {
              search.value = text;
              void found.load();
            }}
            input={{
              type: 'search',
              name: 'search',
              placeholder: t('Account ID, name or email'),
            }}
          />
          <Select
            label={t('Status')}
            value={status.value}
            options={STATUS_OPTIONS}
            onChange={(chosen) => {
              status.value = chosen;
            }}
          />
          <Select
            label={t('Role')}
            value={role.value}
            options={ROLE_OPTIONS}
            onChange={(chosen) => {
              role.value = chosen;
            }}
          />
        </search>
      </Filters>
      {signals.failure.value === undefined ? null : (
        <div class="panel-bar">
          <MissingSignals error={signals.failure.value.message} />
        </div>
      )}
      <Loaded resource={terms}>
        {(known) => (
          <Loaded resource={found}>
            {(listed) => <Rows rows={toRows(listed, known, signals.data.value).filter(selects)} />}
          </Loaded>
        )}
      </Loaded>
      <Dialog
        title={t('Create account')}
        open={isCreating.value}
        onClose={() => {
          isCreating.value = false;
        }}
      >
        <CreateAccount />
      </Dialog>
    </Panel>
  );
}

function Rows({ rows }: { rows: readonly AccountRow[] }) {
  const maxShown = useSignal(PAGE_SIZE);
  const shown = Math.min(maxShown.value, rows.length);
  return (
    <>
      <SortedTable
        caption={t('Accounts')}
        class="account-list"
        sortedBy="account"
        columns={COLUMNS}
        rows={rows}
        maxRows={shown}
        rowKey={({ accountId }) => accountId}
        onOpen={({ accountId }) => {
          location.hash = accountPath(accountId);
        }}
        empty={t('No accounts match the filter.')}
      />
      {shown < rows.length ? (
        <p class="panel-foot more">
          <button
            type="button"
            class="button"
            onClick={() => {
              maxShown.value += PAGE_SIZE;
            }}
          >
            {t('Show {count} more', { count: Math.min(PAGE_SIZE, rows.length - shown) })}
          </button>
        </p>
      ) : null}
    </>
  );
}

type Listed = Awaited<ReturnType<typeof api.listAccounts>>;
type Terms = Awaited<ReturnType<typeof readTerms>>;

/** Reads what the values and tiers of accounts depend on. */
async function readTerms() {
  const [values, { tiers }] = await Promise.all([readValues(), api.getFeeTiers()]);
  return { values, hasTiers: tiers.length > 0 };
}

function toRows(
  { accounts, owners, balances }: Listed,
  { values, hasTiers }: Terms,
  findSignals: (accountId: string) => Signals = () => NO_SIGNALS,
): readonly AccountRow[] {
  const byAccount = Map.groupBy(owners, ({ accountId }) => accountId);
  const totals = new Map(balances.map((each) => [each.accountId, each.balances]));
  return accounts.map((account) => ({
    ...account,
    owner: summarizeOwners(byAccount.get(account.main ?? account.accountId)),
    ...{ quote: values.quote, hasTiers },
    signals: findSignals(account.accountId),
    value: values.sum(totals.get(account.accountId) ?? []),
  }));
}

/** @param count Undefined until loaded */
function countText(count: number | undefined): string {
  return count === undefined
    ? ''
    : t('{count, plural, one {# account} other {# accounts}}.', { count });
}

function CreateAccount() {
  const accountId = useSignal('');
  const action = useAction();
  const submit = async () => {
    const { account, created } = await api.createAccount({ accountId: accountId.value.trim() });
    announce(
      created
        ? t('{account} created', { account: account.accountId })
        : t('{account} already exists', { account: account.accountId }),
      created ? 'success' : 'info',
    );
    location.hash = accountPath(account.accountId);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['accountId']}>
      <Field
        label={t('Account ID')}
        {...bound(accountId)}
        hint={t('Letters, digits, _ . and -. It cannot be changed later.')}
        error={action.fieldError('accountId')}
        input={{ name: 'accountId', maxLength: 64, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label={t('Create account')} />
      </div>
    </Form>
  );
}
