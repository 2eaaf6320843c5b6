import type { Signal } from '@preact/signals';
import { api } from '../api.ts';
import { Select } from '../components/field.tsx';
import { GroupedNumberField } from '../components/grouped-number-field.tsx';
import { Notice } from '../components/notice.tsx';
import { useResource } from '../components/resource.ts';
import { t } from '../i18n/index.ts';
import { type LimitRow, limitField } from './approval-limits.ts';

interface LimitRowsProps {
  readonly rows: Signal<readonly LimitRow[]>;
  /** Returns the error of the limit of an asset. */
  readonly rowError: (asset: string) => string | undefined;
  /** An error of the limits as a whole, or of a row that is not known. */
  readonly error: string | undefined;
}

/** Limits of credits and debits, one an asset. */
export function LimitRows({ rows, rowError, error }: LimitRowsProps) {
  const { data } = useResource(() => api.getAssets());
  const assets = (data.value?.assets ?? []).map(({ asset }) => asset);
  const used = rows.value.map(({ asset }) => asset);
  const free = assets.filter((asset) => !used.includes(asset));
  const change = (at: number, changed: Partial<LimitRow>) => {
    rows.value = rows.value.map((row, index) => (index === at ? { ...row, ...changed } : row));
  };
  return (
    <fieldset class="choices limit-rows">
      <legend>{t('Limits of credits and debits, per operator in 24 hours')}</legend>
      {rows.value.map(({ asset, amount }, index) => (
        <div class="limit-row" key={index}>
          <Select
            label={t('Asset')}
            value={asset}
            options={[asset, ...free].map((each) => [each, each] as const)}
            onChange={(chosen) => change(index, { asset: chosen })}
          />
          <GroupedNumberField
            label={t('Limit')}
            value={amount}
            onInput={(text) => change(index, { amount: text })}
            unit={asset}
            error={rowError(asset)}
            input={{ name: limitField(asset) }}
          />
          <button
            type="button"
            class="button"
            aria-label={t('Remove the limit of {asset}', { asset })}
            onClick={() => {
              rows.value = rows.value.filter((_, other) => other !== index);
            }}
          >
            {t('Remove')}
          </button>
        </div>
      ))}
      {error === undefined ? null : <Notice kind="error">{error}</Notice>}
      <small class="muted">
        {t(
          'Above its limit an amount needs a second operator; without a limit, every amount does.',
        )}
      </small>
      <div class="buttons">
        <button
          type="button"
          class="button"
          disabled={free.length === 0}
          onClick={() => {
            rows.value = [...rows.value, { asset: free[0]!, amount: '' }];
          }}
        >
          {t('Add limit')}
        </button>
      </div>
    </fieldset>
  );
}
