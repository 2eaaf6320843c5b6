import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { t } from '../i18n/index.ts';

export interface FieldProps {
  readonly label: string;
  /** Whether only screen readers get the label, as in a column with a title. */
  readonly hiddenLabel?: boolean;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Error message at the field. */
  readonly error?: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** Unit shown after the input. */
  readonly unit?: string;
  /** Shown next to the label, such as a button that fills the input. */
  readonly aside?: ComponentChildren;
  readonly input?: InputOptions;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** Attributes of the input element. */
export interface InputOptions {
  readonly type?: 'text' | 'password' | 'email' | 'search' | 'date' | 'datetime-local';
  readonly name?: string;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'search';
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly autofocus?: boolean;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** A labeled input whose hint and error are announced with it. */
export function Field(props: FieldProps) {
  const { label, value, onInput, error, hint, unit, aside, inputRef } = props;
  const { autofocus = false, ...input } = props.input ?? {};
  const id = useId();
  useEffect(() => {
    // The autofocus attribute works only in the initial HTML.
    if (autofocus) document.getElementById(id)?.focus();
  }, [autofocus, id]);
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div class={`field ${error ? 'has-error' : ''}`}>
      <div class={`field-head ${props.hiddenLabel ? 'visually-hidden' : ''}`}>
        <label for={id}>{label}</label>
        {aside}
      </div>
      <div class="input-box">
        <input
          type="text"
          autocomplete="off"
          {...(input as object)}
          {...(inputRef === undefined ? {} : { ref: inputRef })}
          id={id}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {unit ? <span class="unit">{unit}</span> : null}
      </div>
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

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Labels and tooltips are marked with `msg`; translated here. */
  readonly options: readonly (readonly [value: Value, label: string, title?: string | undefined])[];
  readonly onChange: (value: Value) => void;
  readonly hiddenLabel?: boolean;
  /** The id of an element that explains the chosen option. */
  readonly describedBy?: string | undefined;
  /** Explains the chosen option, below the field. */
  readonly hint?: string | undefined;
  readonly disabled?: boolean;
  /** Error message at the field. */
  readonly error?: ComponentChildren;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onChange, hiddenLabel, hint, disabled, error } = props;
  const id = useId();
  const describedBy = hint ? `${id}-hint` : props.describedBy;
  const chosen = options.find(([option]) => option === value)?.[2];
  return (
    <div class={`field ${error ? 'has-error' : ''}`}>
      <label for={id} class={hiddenLabel ? 'visually-hidden' : ''}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        title={chosen && t(chosen)}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : describedBy}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map(([option, text, title]) => (
          <option key={option} value={option} title={title && t(title)}>
            {t(text)}
          </option>
        ))}
      </select>
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
