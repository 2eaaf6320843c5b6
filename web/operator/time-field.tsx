import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/index.ts';
import { readDate, readEnd, readFullDate, readTime } from './time-text.ts';

interface TimeFieldProps {
  readonly label: string;
  readonly name: string;
  /** The text as it is typed, which time-text.ts reads; '' for none. */
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
}

/**
 * A date as text, in the same form in every browser, and the browser's calendar. Its value is '' until the text is a
 * full date, so that a list that follows the field is not loaded at every key.
 */
export function DateField(props: TimeFieldProps) {
  const text = useSignal(props.value);
  if ((readFullDate(text.value) ?? '') !== props.value) text.value = props.value;
  return (
    <TimeText
      {...props}
      value={text.value}
      onInput={(typed) => {
        text.value = typed;
        props.onInput(readFullDate(typed) ?? '');
      }}
      read={readDate}
      placeholder={t('YYYY-MM-DD')}
      problem={t('Enter a date, such as 2026-01-31.')}
      picker="date"
    />
  );
}

/**
 * A date and a time of day in 24 hours, in the time zone of the operator's clock. Only a date is the beginning of that
 * day; in the field `until` it is all of it.
 */
export function TimeField(props: TimeFieldProps) {
  return (
    <TimeText
      {...props}
      read={props.name === 'until' ? readEnd : readTime}
      placeholder={t('YYYY-MM-DD HH:MM')}
      problem={t('Enter a time, such as 2026-01-31 14:05.')}
      picker="datetime-local"
    />
  );
}

interface TimeTextProps extends TimeFieldProps {
  readonly read: (text: string) => string | undefined;
  readonly placeholder: string;
  readonly problem: string;
  readonly picker: 'date' | 'datetime-local';
}

function TimeText(props: TimeTextProps) {
  const { label, name, value, onInput, hint, read, placeholder, problem, picker } = props;
  const id = useId();
  const calendar = useRef<HTMLInputElement>(null);
  const isLeft = useSignal(false);
  const found = read(value);
  const error = isLeft.value && value.trim() !== '' && found === undefined ? problem : props.error;
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].join(' ').trim();
  const type = (text: string) => {
    isLeft.value = false;
    onInput(text);
  };
  /** Shows the value that was understood, or the problem. */
  const leave = () => {
    isLeft.value = true;
    if (found !== undefined && found !== value) onInput(found);
  };
  return (
    <div class={`field time-field ${error ? 'has-error' : ''}`}>
      <label for={id}>{label}</label>
      <div class="input-box">
        <input
          type="text"
          inputMode="numeric"
          autocomplete="off"
          id={id}
          name={name}
          placeholder={placeholder}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={leave}
        />
        <button
          type="button"
          class="calendar-button"
          aria-label={t('Calendar of {label}', { label })}
          onClick={() => calendar.current?.showPicker()}
        >
          <Icon name="calendar" />
        </button>
        <input
          ref={calendar}
          class="calendar"
          type={picker}
          tabIndex={-1}
          aria-hidden="true"
          value={calendarValue(found, picker)}
          onInput={(event) => type(event.currentTarget.value.replace('T', ' '))}
        />
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

/** Returns the value of the browser's calendar, which needs a time of day if it has one. */
function calendarValue(found: string | undefined, picker: TimeTextProps['picker']): string {
  if (found === undefined) return '';
  const isWhole = picker === 'date' || found.includes(' ');
  return isWhole ? found.replace(' ', 'T') : `${found}T23:59`;
}
