import { useSignal } from '@preact/signals';
import { Field, type FieldProps } from '../components/field.tsx';
import { plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';

/** A field for a large amount, shown with separators until it is edited: typed, `50,000` could be two numbers. */
export function LargeAmountField({ input, ...field }: FieldProps) {
  const isEdited = useSignal(false);
  const { value } = field;
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

/** Formats a typed amount. Text that is not a number is returned as it is. */
export function withSeparators(text: string): string {
  const value = decimal(plainNumber(text));
  return value === undefined ? text : grouped(value);
}
