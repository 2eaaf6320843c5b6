import { useSignal } from '@preact/signals';
import { Field, type FieldProps } from '../components/field.tsx';
import { plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';

/** A field for a large amount: it has separators of thousands while the user does not edit it. */
export function LargeAmountField({ input, value, ...field }: FieldProps) {
  const isEdited = useSignal(false);
  return (
    <Field
      {...field}
      value={isEdited.value ? value : withSeparators(value)}
      input={{
        ...input,
        inputMode: 'decimal',
        onFocus: () => {
          isEdited.value = true;
        },
        onBlur: () => {
          isEdited.value = false;
        },
      }}
    />
  );
}

/** Formats an amount as the user typed it. Text that is not a number is returned as it is. */
export function withSeparators(typed: string): string {
  const value = decimal(plainNumber(typed));
  return value === undefined ? typed : grouped(value);
}
