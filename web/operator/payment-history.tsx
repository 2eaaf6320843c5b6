import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type {
  Deposit,
  ListAllDepositsParameters,
  ListAllWithdrawalsParameters,
  Withdrawal,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Select } from '../components/field.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import { Panel } from '../components/panel.tsx';
import type { Column } from '../components/table.tsx';
import { DEPOSIT_LABELS, WITHDRAWAL_LABELS } from '../custody/status.tsx';
import { msg, t } from '../i18n/index.ts';
import { countFilters } from '../trade/history/filter.ts';
import { AccountPicker } from './account-picker.tsx';
import { Filters } from './filters.tsx';
import { AssetSelect, filterPeriod } from './history-filters.tsx';
import { depositColumns, withdrawalColumns } from './payment-columns.tsx';
import { recordCard } from './record-card.tsx';
import { DateField } from './time-field.tsx';
import { useValues } from './values.ts';

const PAGE_SIZE = 50;

type DepositStatusName = NonNullable<ListAllDepositsParameters['depositStatus']>;
type WithdrawalStatusName = NonNullable<ListAllWithdrawalsParameters['withdrawalStatus']>;

/** An empty text selects everything. */
interface PaymentFilter<Status extends string> {
  readonly account: string;
  readonly asset: string;
  readonly status: Status | '';
  readonly from: string;
  readonly to: string;
}

const DEPOSIT_STATUSES: readonly (readonly [DepositStatusName | '', string])[] = [
  ['', msg('All')],
  ['pending', msg('Confirming')],
  ['credited', msg('Credited')],
  ...(['review', 'dismissed', 'below_minimum', 'reversed', 'frozen', 'debited'] as const).map(
    (status) => [status, DEPOSIT_LABELS[status]] as const,
  ),
  ['released', msg('Left with the account')],
];
const WITHDRAWAL_STATUSES = [
  ['', msg('All')],
  ...(Object.entries(WITHDRAWAL_LABELS) as [WithdrawalStatusName, string][]),
] as const;

interface HistoryProps {
  /** Undefined for all accounts. */
  readonly accountId?: string | undefined;
}

/** Deposits of an account, or of all; open and ended ones. */
export function DepositHistory({ accountId }: HistoryProps) {
  const filter = useFilter<DepositStatusName>();
  const values = useValues();
  return (
    <Panel title={t('Deposits')} lead={accountId === undefined ? ALL_LEAD() : undefined} flush>
      <PaymentFilters
        filter={filter}
        statuses={DEPOSIT_STATUSES}
        hasAccount={accountId === undefined}
      />
      <PagedTable
        key={JSON.stringify(filter.value)}
        caption={t('Deposits')}
        columns={ofAccount(depositColumns(values.data.value), accountId)}
        rowKey={({ id }: Deposit<string>) => id}
        empty={t('No deposits match the filter.')}
        card={recordCard('amount', 'status')}
        fetchPage={async (cursor) => {
          const { deposits, nextCursor } = await api.listAllDeposits({
            ...readTerms(filter.value, accountId),
            ...{ depositStatus: filter.value.status || undefined, cursor },
          });
          return { rows: [...deposits], nextCursor };
        }}
      />
    </Panel>
  );
}

/** Withdrawals of an account, or of all; open and ended ones. */
export function WithdrawalHistory({ accountId }: HistoryProps) {
  const filter = useFilter<WithdrawalStatusName>();
  const values = useValues();
  return (
    <Panel title={t('Withdrawals')} lead={accountId === undefined ? ALL_LEAD() : undefined} flush>
      <PaymentFilters
        filter={filter}
        statuses={WITHDRAWAL_STATUSES}
        hasAccount={accountId === undefined}
      />
      <PagedTable
        key={JSON.stringify(filter.value)}
        caption={t('Withdrawals')}
        columns={ofAccount(withdrawalColumns(values.data.value), accountId)}
        rowKey={({ id }: Withdrawal<string>) => id}
        empty={t('No withdrawals match the filter.')}
        card={recordCard('amount', 'status')}
        fetchPage={async (cursor) => {
          const { withdrawals, nextCursor } = await api.listAllWithdrawals({
            ...readTerms(filter.value, accountId),
            ...{ withdrawalStatus: filter.value.status || undefined, cursor },
          });
          return { rows: [...withdrawals], nextCursor };
        }}
      />
    </Panel>
  );
}

const ALL_LEAD = () => t('Of all accounts, newest first. Values are at the last prices.');

function ofAccount<Row>(columns: readonly Column<Row>[], accountId: string | undefined) {
  return accountId === undefined ? columns : columns.filter(({ key }) => key !== 'account');
}

function useFilter<Status extends string>(): Signal<PaymentFilter<Status>> {
  return useSignal<PaymentFilter<Status>>({ account: '', asset: '', status: '', from: '', to: '' });
}

function readTerms({ account, asset, from, to }: PaymentFilter<string>, accountId?: string) {
  return {
    ...{ account: accountId ?? (account || undefined), asset: asset || undefined },
    ...{ limit: PAGE_SIZE, ...filterPeriod({ from, to }) },
  };
}

/** The account of the list: picked, typed and confirmed with Enter, or emptied. */
function AccountFilter({ onChange }: { onChange: (account: string) => void }) {
  const account = useSignal('');
  const isEmpty = account.value === '';
  useEffect(() => {
    if (isEmpty) onChange('');
  }, [isEmpty]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(account.value.trim());
      }}
    >
      <AccountPicker label={t('Account')} account={account} onChoose={onChange} />
    </form>
  );
}

interface PaymentFiltersProps<Status extends string> {
  readonly filter: Signal<PaymentFilter<Status>>;
  readonly statuses: readonly (readonly [Status | '', string])[];
  readonly hasAccount: boolean;
}

function PaymentFilters<Status extends string>(props: PaymentFiltersProps<Status>) {
  const { filter, statuses, hasAccount } = props;
  const set = (change: Partial<PaymentFilter<Status>>) => {
    filter.value = { ...filter.value, ...change };
  };
  const day = (name: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      name={name}
      value={filter.value[name]}
      onInput={(value) => set({ [name]: value } as Partial<PaymentFilter<Status>>)}
    />
  );
  return (
    <Filters count={countFilters(filter.value)}>
      <search class="panel-bar filters history-filters">
        {hasAccount ? <AccountFilter onChange={(account) => set({ account })} /> : null}
        <AssetSelect value={filter.value.asset} onChange={(asset) => set({ asset })} />
        <Select
          label={t('Status')}
          value={filter.value.status}
          options={statuses}
          onChange={(status: Status | '') => set({ status })}
        />
        <div class="period">
          {day('from', t('From'))}
          {day('to', t('To'))}
        </div>
      </search>
    </Filters>
  );
}
