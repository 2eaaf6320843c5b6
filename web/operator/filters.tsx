import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { isNarrow } from '../viewport.ts';

interface FiltersProps {
  /** The number of filters that are set. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** The filters above a table. A phone, whose first screen they would fill, shows them on request. */
export function Filters({ count, children }: FiltersProps) {
  const isOpen = useSignal(false);
  return (
    <details
      class="filter-box"
      open={!isNarrow.value || isOpen.value}
      onToggle={(event) => {
        if (isNarrow.value) isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{count === 0 ? t('Filters') : t('Filters ({count})', { count })}</summary>
      {children}
    </details>
  );
}
