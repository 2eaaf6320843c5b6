import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Field } from './field.tsx';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly autocomplete: 'current-password' | 'new-password';
  readonly name?: string;
  readonly autofocus?: boolean;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
}

/** A password input with a button that shows it. */
export function PasswordField(props: PasswordFieldProps) {
  const { autocomplete, name = 'password', autofocus = false, ...field } = props;
  const shown = useSignal(false);
  const type = shown.value ? 'text' : 'password';
  return (
    <Field
      {...field}
      input={{ type, name, autocomplete, autofocus, required: true }}
      aside={
        <button
          type="button"
          class="link-button"
          aria-pressed={shown.value}
          onClick={() => {
            shown.value = !shown.value;
          }}
        >
          {shown.value ? t('Hide') : t('Show')}
          <span class="visually-hidden"> {field.label.toLowerCase()}</span>
        </button>
      }
    />
  );
}
