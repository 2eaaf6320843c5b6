import type { Signal } from '@preact/signals';
import { api } from '../api.ts';
import { Select } from '../components/field.tsx';
import { useResource } from '../components/resource.ts';
import { t } from '../i18n/index.ts';

interface Props {
  readonly symbol: Signal<string>;
  /** The text of the option without a market. */
  readonly none: string;
  readonly error?: string | undefined;
  readonly onChange?: () => void;
}

/** A choice among all markets, delisted ones included. */
export function MarketSelect({ symbol, none, error, onChange }: Props) {
  const markets = useResource(() => api.listAdminMarkets());
  const symbols = (markets.data.value?.markets ?? []).map((market) => market.symbol);
  return (
    <Select
      label={t('Market')}
      value={symbol.value}
      error={error}
      options={[['', none] as const, ...symbols.map((each) => [each, each] as const)]}
      onChange={(value) => {
        symbol.value = value;
        onChange?.();
      }}
    />
  );
}
