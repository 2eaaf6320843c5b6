import { Field } from './field.tsx';

interface CodeFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  /** Where a recovery code is taken too, it says so. */
  readonly hint?: string;
}

/** The code of a second factor. A recovery code has letters too, so any text can be typed. */
export function CodeField({ value, onInput, error, autofocus = false, hint }: CodeFieldProps) {
  return (
    <Field
      label="Code"
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
