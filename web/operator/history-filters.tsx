import type { Signal } from '@preact/signals';
import type { LedgerEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Field, Select } from '../components/field.tsx';
import { useResource } from '../components/resource.ts';
import { msg, t } from '../i18n/index.ts';
import { clock } from '../preferences.ts';
import { countFilters, findPeriod, type Period } from '../trade/history/filter.ts';
import { Filters } from './filters.tsx';
import { ENTRY_TYPES } from './record-names.ts';
import { DateField } from './time-field.tsx';

/** Filters of the records of an account. An empty text selects everything. */
export interface HistoryFilter {
  readonly status: '' | 'open' | 'closed' | 'filled' | 'canceled' | 'expired' | 'rejected';
  readonly symbol: string;
  readonly side: '' | 'buy' | 'sell';
  readonly asset: string;
  readonly entryType: LedgerEntry['type'] | '';
  readonly orderId: string;
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: HistoryFilter = {
  ...{ status: '', symbol: '', side: '', asset: '', entryType: '', orderId: '', from: '', to: '' },
};

const STATUSES = [
  ['', msg('All')],
  ['open', msg('Open')],
  ['closed', msg('Ended')],
  ['filled', msg('Filled')],
  ['canceled', msg('Canceled')],
  ['expired', msg('Expired')],
  ['rejected', msg('Rejected')],
] as const;
const ENTRY_TYPE_OPTIONS = [
  ['', msg('All')],
  ...(Object.entries(ENTRY_TYPES) as [LedgerEntry['type'], string][]),
] as const;
const SIDES = [
  ['', msg('All')],
  ['buy', msg('Buy')],
  ['sell', msg('Sell')],
] as const;

interface HistoryFiltersProps {
  readonly filter: Signal<HistoryFilter>;
  readonly fields: readonly ('status' | 'symbol' | 'side' | 'asset' | 'entryType' | 'orderId')[];
}

/** Fields above a list of records of an account; the list follows them at once. */
export function HistoryFilters({ filter, fields }: HistoryFiltersProps) {
  const now = filter.value;
  const set = (change: Partial<HistoryFilter>) => {
    filter.value = { ...filter.value, ...change };
  };
  const day = (name: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      name={name}
      value={now[name]}
      onInput={(value) => set({ [name]: value })}
    />
  );
  return (
    <Filters count={countFilters(now)}>
      <search class="panel-bar filters history-filters">
        {fields.includes('status') ? (
          <Select
            label={t('Status')}
            value={now.status}
            options={STATUSES}
            onChange={(status) => set({ status })}
          />
        ) : null}
        {fields.includes('symbol') ? (
          <Markets value={now.symbol} onChange={(symbol) => set({ symbol })} />
        ) : null}
        {fields.includes('side') ? (
          <Select
            label={t('Side')}
            value={now.side}
            options={SIDES}
            onChange={(side) => set({ side })}
          />
        ) : null}
        {fields.includes('asset') ? (
          <AssetSelect value={now.asset} onChange={(asset) => set({ asset })} />
        ) : null}
        {fields.includes('entryType') ? (
          <Select
            label={t('Type')}
            value={now.entryType}
            options={ENTRY_TYPE_OPTIONS}
            onChange={(entryType) => set({ entryType })}
          />
        ) : null}
        {fields.includes('orderId') ? (
          <Field
            label={t('Order')}
            value={now.orderId}
            onInput={(orderId) => set({ orderId: orderId.trim() })}
            input={{ name: 'orderId', inputMode: 'numeric', maxLength: 16 }}
          />
        ) : null}
        <div class="period">
          {day('from', t('From'))}
          {day('to', t('To'))}
        </div>
      </search>
    </Filters>
  );
}

/** Returns the period of a filter as request parameters. */
export function filterPeriod(filter: Pick<HistoryFilter, 'from' | 'to'>): Period {
  return findPeriod(filter, clock.value === 'utc');
}

interface ChoiceProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Markets(props: ChoiceProps) {
  const { data } = useResource(() => api.getMarkets());
  const symbols = (data.value?.markets ?? []).map(({ symbol }) => [symbol, symbol] as const);
  return <Select label={t('Market')} options={[['', msg('All')], ...symbols]} {...props} />;
}

export function AssetSelect(props: ChoiceProps) {
  const { data } = useResource(() => api.getAssets());
  const names = (data.value?.assets ?? []).map(({ asset }) => [asset, asset] as const);
  return <Select label={t('Asset')} options={[['', msg('All')], ...names]} {...props} />;
}
