import { t } from '../i18n/index.ts';
import { Field } from './field.tsx';

interface CodeFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  readonly hint?: string;
}

/** A two-factor code. Any text is allowed, because recovery codes contain letters. */
export function CodeField({ value, onInput, error, autofocus = false, hint }: CodeFieldProps) {
  return (
    <Field
      label={t('Code')}
      value={value}
      onInput={onInput}
      error={error}
      hint={hint}
      input={{
        name: 'code',
        autocomplete: 'one-time-code',
        inputMode: 'text',
        maxLength: 40,
        required: true,
        autofocus,
      }}
    />
  );
}
