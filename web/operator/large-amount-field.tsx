import { useSignal } from '@preact/signals';
import { Field, type FieldProps } from '../components/field.tsx';
import { plainNumber, withoutGroups } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';

/** A field for a large amount: it has separators in thousands, which may also be typed. */
export function LargeAmountField({ input, onInput, value, ...field }: FieldProps) {
  /** The text while it is typed. */
  const typed = useSignal<string | undefined>(undefined);
  return (
    <Field
      {...field}
      value={typed.value ?? withSeparators(value)}
      onInput={(text) => {
        typed.value = text;
        onInput(withoutGroups(text));
      }}
      input={{
        ...input,
        inputMode: 'decimal',
        onBlur: () => {
          typed.value = undefined;
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
