import { useSignal } from '@preact/signals';
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';

export interface Suggestion {
  readonly key: string;
  /** Title of its group, marked with `msg`; suggestions of a group are adjacent. */
  readonly group: string;
  readonly content: ComponentChildren;
  readonly choose: () => void;
}

interface ComboboxProps {
  readonly label: string;
  readonly hiddenLabel?: boolean;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly suggestions: readonly Suggestion[];
  /** Shown in the list instead of suggestions, such as that nothing was found. */
  readonly note?: string | undefined;
  readonly placeholder?: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly name?: string;
  /** Whether Enter takes the first suggestion if none is active. */
  readonly enterChooses?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Shown at the right of the input. */
  readonly aside?: ComponentChildren;
}

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A text field with suggestions in groups, with the keyboard behavior of the ARIA combobox pattern. */
export function Combobox(props: ComboboxProps) {
  const { suggestions, value, onInput, note, error, hint } = props;
  const id = useId();
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    active.value = -1;
  }, [suggestions]);
  const hasList = isOpen.value && (suggestions.length > 0 || note !== undefined);
  const choose = (place: number) => {
    isOpen.value = false;
    suggestions[place]?.choose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && hasList) {
      event.stopPropagation();
      event.preventDefault();
      isOpen.value = false;
    } else if (event.key === 'Enter' && hasList && (active.value >= 0 || props.enterChooses)) {
      event.preventDefault();
      if (suggestions.length > 0) choose(Math.max(0, active.value));
    } else if (MOVES[event.key] !== undefined && suggestions.length > 0) {
      event.preventDefault();
      isOpen.value = true;
      const { length } = suggestions;
      const from = active.value < 0 && event.key === 'ArrowUp' ? 0 : active.value;
      active.value = (from + MOVES[event.key]! + length) % length;
      requestAnimationFrame(() =>
        box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
      );
    }
  };
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div
      class={`field combobox ${error ? 'has-error' : ''}`}
      ref={box}
      onFocusOut={(event) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) isOpen.value = false;
      }}
    >
      <label for={id} class={props.hiddenLabel ? 'visually-hidden' : ''}>
        {props.label}
      </label>
      <div class="input-box">
        <input
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          id={id}
          name={props.name}
          value={value}
          placeholder={props.placeholder}
          {...(props.inputRef === undefined ? {} : { ref: props.inputRef })}
          aria-expanded={hasList}
          aria-controls={hasList ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={hasList && active.value >= 0 ? `${id}-${active.value}` : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => {
            isOpen.value = true;
            onInput(event.currentTarget.value);
          }}
          onFocus={() => {
            isOpen.value = true;
          }}
          onClick={() => {
            isOpen.value = true;
          }}
          onKeyDown={onKeyDown}
        />
        {props.aside}
      </div>
      <List id={id} isOpen={hasList} active={active.value} onChoose={choose} {...props} />
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

interface ListProps extends Pick<ComboboxProps, 'suggestions' | 'note'> {
  readonly id: string;
  readonly isOpen: boolean;
  readonly active: number;
  readonly onChoose: (place: number) => void;
}

function List({ id, isOpen, active, onChoose, suggestions, note }: ListProps) {
  if (!isOpen) return null;
  const groups = Map.groupBy(suggestions.entries(), ([, { group }]) => group);
  return (
    <div class="suggestions">
      <div role="listbox" id={`${id}-list`} aria-label={t('Suggestions')}>
        {[...groups].map(([group, members], place) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form controls
          <div key={group} role="group" aria-labelledby={`${id}-group-${place}`}>
            <div class="suggestions-title" id={`${id}-group-${place}`}>
              {t(group)}
            </div>
            {members.map(([index, { key, content }]) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
              <div
                key={key}
                role="option"
                tabIndex={-1}
                id={`${id}-${index}`}
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(index)}
              >
                {content}
              </div>
            ))}
          </div>
        ))}
      </div>
      {suggestions.length === 0 && note !== undefined ? (
        <p class="suggestions-note" role="status">
          {note}
        </p>
      ) : null}
    </div>
  );
}
