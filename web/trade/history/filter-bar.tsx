import { type Signal, signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { LedgerEntry } from '../../../src/client/index.ts';
import { Icon } from '../../components/icon.tsx';
import { announceError } from '../../components/toast.tsx';
import { msg, t } from '../../i18n/index.ts';
import { balances } from '../account.ts';
import { markets } from '../markets.ts';
import { ENTRY_TYPES } from '../order-columns.tsx';
import { countFilters, type HistoryFilter, NO_FILTER } from './filter.ts';

export interface LedgerFilter {
  readonly asset: string;
  readonly type: LedgerEntry['type'] | '';
  readonly from: string;
  readonly to: string;
}

const NO_LEDGER_FILTER: LedgerFilter = { asset: '', type: '', from: '', to: '' };

/** Filters of the lists; they stay when the user changes the tab. */
export const orderFilter = signal(NO_FILTER);
export const fillFilter = signal(NO_FILTER);
export const ledgerFilter = signal(NO_LEDGER_FILTER);

const areShown = signal(false);

interface ListControlsProps {
  readonly filter: Signal<HistoryFilter> | Signal<LedgerFilter>;
  readonly onDownload: () => Promise<void>;
}

/** The buttons next to the tabs that show the filters and download the list. */
export function ListControls({ filter, onDownload }: ListControlsProps) {
  const isLoading = useSignal(false);
  const count = countFilters(filter.value);
  const download = async () => {
    if (isLoading.value) return;
    isLoading.value = true;
    await onDownload()
      .catch(announceError)
      .finally(() => {
        isLoading.value = false;
      });
  };
  return (
    <>
      <button
        type="button"
        class="button small"
        title={t('Filter')}
        aria-expanded={areShown.value}
        onClick={() => {
          areShown.value = !areShown.value;
        }}
      >
        <Icon name="filter" />
        <span class="button-text">{t('Filter')}</span>
        {count === 0 ? null : <span class="count">{count}</span>}
      </button>
      <button
        type="button"
        class="button small"
        title={t('Download CSV')}
        aria-busy={isLoading.value}
        onClick={() => void download()}
      >
        <Icon name="download" />
        <span class="button-text">{t('Download CSV')}</span>
      </button>
    </>
  );
}

const SIDES = [
  ['', msg('All sides')],
  ['buy', msg('Buy')],
  ['sell', msg('Sell')],
] as const;
const STATUSES = [
  ['', msg('All statuses')],
  ['filled', msg('Filled')],
  ['canceled', msg('Canceled')],
  ['expired', msg('Expired')],
  ['rejected', msg('Rejected')],
] as const;
const TYPES = [
  ['', msg('All types')],
  ['limit', msg('Limit')],
  ['market', msg('Market||order type')],
  ['stop', msg('Stop')],
  ['stop_limit', msg('Stop limit')],
  ['take_profit', msg('Take profit')],
  ['take_profit_limit', msg('Take profit limit')],
  ['trailing_stop', msg('Trailing stop')],
] as const;

const LEDGER_TYPES = [
  ['', msg('All types')],
  ...(Object.entries(ENTRY_TYPES) as [LedgerEntry['type'], string][]),
] as const;

interface HistoryFilterBarProps {
  readonly filter: Signal<HistoryFilter>;
  /** Whether the rows are orders, which have a type and a status. */
  readonly hasStatus: boolean;
}

export function HistoryFilterBar({ filter, hasStatus }: HistoryFilterBarProps) {
  if (!areShown.value) return null;
  const { symbol, side, type, status } = filter.value;
  const set = (change: Partial<HistoryFilter>) => {
    filter.value = { ...filter.value, ...change };
  };
  const symbols = markets.value.map((each) => [each.symbol, each.symbol] as const);
  return (
    <div class="filter-bar">
      <Choice
        label={t('Market')}
        value={symbol}
        options={[['', msg('All markets')], ...symbols]}
        onChange={(chosen) => set({ symbol: chosen })}
      />
      <Choice
        label={t('Side')}
        value={side}
        options={SIDES}
        onChange={(chosen) => set({ side: chosen })}
      />
      {hasStatus ? (
        <>
          <Choice
            label={t('Type')}
            value={type}
            options={TYPES}
            onChange={(chosen) => set({ type: chosen })}
          />
          <Choice
            label={t('Status')}
            value={status}
            options={STATUSES}
            onChange={(chosen) => set({ status: chosen })}
          />
        </>
      ) : null}
      <Days filter={filter.value} onChange={set} />
      <Reset
        count={countFilters(filter.value)}
        onClick={() => {
          filter.value = NO_FILTER;
        }}
      />
    </div>
  );
}

export function LedgerFilterBar() {
  if (!areShown.value) return null;
  const filter = ledgerFilter.value;
  const set = (change: Partial<LedgerFilter>) => {
    ledgerFilter.value = { ...filter, ...change };
  };
  const assets = balances.value.map(({ asset }) => [asset, asset] as const);
  return (
    <div class="filter-bar">
      <Choice
        label={t('Asset')}
        value={filter.asset}
        options={[['', msg('All assets')], ...assets]}
        onChange={(asset) => set({ asset })}
      />
      <Choice
        label={t('Type')}
        value={filter.type}
        options={LEDGER_TYPES}
        onChange={(type) => set({ type })}
      />
      <Days filter={filter} onChange={set} />
      <Reset
        count={countFilters(filter)}
        onClick={() => {
          ledgerFilter.value = NO_LEDGER_FILTER;
        }}
      />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Labels are marked with `msg`. */
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** A choice whose first option names it, so that the bar needs no labels. */
function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {t(text)}
        </option>
      ))}
    </select>
  );
}

interface DaysProps {
  readonly filter: { readonly from: string; readonly to: string };
  readonly onChange: (change: { from: string } | { to: string }) => void;
}

function Days({ filter, onChange }: DaysProps) {
  const id = useId();
  return (
    <>
      <span class="filter-day">
        <label for={`${id}-from`}>{t('From')}</label>
        <input
          id={`${id}-from`}
          type="date"
          value={filter.from}
          max={filter.to}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
      </span>
      <span class="filter-day">
        <label for={`${id}-to`}>{t('To')}</label>
        <input
          id={`${id}-to`}
          type="date"
          value={filter.to}
          min={filter.from}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        />
      </span>
    </>
  );
}

function Reset({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <button type="button" class="button small" disabled={count === 0} onClick={onClick}>
      {t('Reset')}
    </button>
  );
}
