import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Action } from '../components/action.ts';
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

/** Returns a function that applies the filters of a form, after a run in progress. */
export function useApply(action: Action, submit: () => Promise<void>): () => void {
  const isWaiting = useSignal(false);
  const isBusy = action.busy.value;
  useEffect(() => {
    if (isBusy || !isWaiting.value) return;
    isWaiting.value = false;
    void action.run(submit);
  }, [isBusy, isWaiting.value]);
  return () => {
    isWaiting.value = true;
  };
}
