import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Field, type FieldProps } from '../components/field.tsx';
import { plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';

/** A field for a large amount: it has separators of thousands while the user does not edit it. */
export function LargeAmountField(field: Omit<FieldProps, 'inputRef'>) {
  return <FormattedField {...field} format={withSeparators} />;
}

interface FormattedFieldProps extends Omit<FieldProps, 'inputRef'> {
  /** Returns the shown text of a typed number. */
  readonly format: (typed: string) => string;
}

/** A field for a number that is formatted while the user does not edit it. */
export function FormattedField({ format, input, value, ...field }: FormattedFieldProps) {
  const isEdited = useSignal(false);
  const element = useRef<HTMLInputElement>(null);
  const isSelected = useRef(false);
  useLayoutEffect(() => {
    // The selection of the tabulator key ends with the text: typing must replace the new one.
    if (isEdited.value && isSelected.current) element.current?.select();
  }, [isEdited.value]);
  return (
    <Field
      {...field}
      inputRef={element}
      value={isEdited.value ? value : format(value)}
      input={{
        ...input,
        inputMode: 'decimal',
        onFocus: () => {
          const { selectionStart, selectionEnd, value: shown } = element.current!;
          isSelected.current = selectionStart === 0 && selectionEnd === shown.length;
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
