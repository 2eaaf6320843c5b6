import type { Signal } from '@preact/signals';
import { FieldError } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { t } from '../i18n/index.ts';

/** A field of a new key that can be changed later. */
interface KeyFieldProps {
  readonly value: Signal<string>;
  readonly error: string | undefined;
}

interface AllowlistFieldProps extends KeyFieldProps {
  /** Whether addresses can only be removed, as of a key that can withdraw. */
  readonly onlyRemoves?: boolean;
}

export function LabelField({ value, error }: KeyFieldProps) {
  return (
    <Field
      label={t('Label')}
      {...bound(value)}
      hint={t('A name to recognize it, such as “Grid bot”.')}
      error={error}
      input={{ name: 'label', maxLength: 64, required: true }}
    />
  );
}

export function AllowlistField({ value, error, onlyRemoves = false }: AllowlistFieldProps) {
  return (
    <Field
      label={t('IP allowlist')}
      {...bound(value)}
      hint={
        onlyRemoves
          ? t(
              'This key can withdraw: you can remove addresses, not add any. To use others, create a new key.',
            )
          : t('IP addresses or CIDR ranges, separated by commas. Leave empty to allow any.')
      }
      error={error}
      input={{ name: 'addresses', placeholder: '203.0.113.7, 198.51.100.0/24' }}
    />
  );
}

/** @throws FieldError without a label */
export function readLabel(text: string): string {
  const label = text.trim();
  if (label === '') throw new FieldError('label', t('Enter a label.'));
  return label;
}

export function readAllowlist(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
