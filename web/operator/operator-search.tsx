import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/index.ts';
import { isNarrow } from '../viewport.ts';
import { Combobox, type Suggestion } from './combobox.tsx';
import { useRecordSearch } from './record-search.ts';
import { RESULT_GROUPS, RecordResult, resultPath } from './search-results.tsx';

/** Time for the page of a result to appear. */
const FOCUS_AFTER_MS = 300;

/** The search at the top of the page, in the records of all accounts; the key / moves the focus to it. */
export function OperatorSearch() {
  const text = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const { results, search } = useRecordSearch();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const suggestions = useComputed<readonly Suggestion[]>(() =>
    (results.value ?? []).map((found) => ({
      key: `${found.kind} ${found.id}`,
      group: RESULT_GROUPS[found.kind],
      content: <RecordResult found={found} />,
      choose: () => {
        location.hash = resultPath(found);
        text.value = '';
        search('');
        input.current?.blur();
        focusResult();
      },
    })),
  );
  return (
    <search class="operator-search">
      <Combobox
        label={t('Search the exchange')}
        hiddenLabel
        value={text.value}
        onInput={(typed) => {
          text.value = typed;
          search(typed);
        }}
        suggestions={suggestions.value}
        note={results.value === undefined ? undefined : t('Nothing found')}
        placeholder={
          isNarrow.value
            ? t('Search email, order, transaction…')
            : t('Search email, name, order, reference, transaction…')
        }
        enterChooses
        inputRef={input}
        aside={
          <>
            <Icon name="search" />
            <kbd title={t('Press / to search')}>/</kbd>
          </>
        }
      />
    </search>
  );
}

/** Moves the focus to the record that a result led to, or to the heading of the page. */
function focusResult(): void {
  // The page of the result is rendered first; an order takes the focus by itself.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>('.section :is(.account-head h2, h2)');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus();
  }, FOCUS_AFTER_MS);
}

/** Returns whether a key that was pressed at an element is text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea, [contenteditable]');
}
