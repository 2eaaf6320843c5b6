import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';
import { Field, type FieldProps } from './field.tsx';
import { groupTyped, plainNumber } from './typed-number.ts';

/** A field for a number: it has separators of thousands while the user does not edit it. */
export function GroupedNumberField(field: FieldProps) {
  return <FormattedNumberField {...field} format={groupTyped} />;
}

interface FormattedNumberFieldProps extends FieldProps {
  /** Returns the shown text of a typed number. */
  readonly format: (typed: string) => string;
}

/** A field for a number that is formatted while the user does not edit it. */
export function FormattedNumberField(props: FormattedNumberFieldProps) {
  const { format, input, value, ...field } = props;
  const isEdited = useSignal(false);
  /** The input whose text was selected when it got the focus, by the Tab key or a shortcut. */
  const selected = useRef<HTMLInputElement>(undefined);
  useLayoutEffect(() => {
    if (isEdited.value) selected.current?.select();
  }, [isEdited.value]);
  return (
    <Field
      {...field}
      value={isEdited.value ? value : format(value)}
      input={{
        ...input,
        inputMode: 'decimal',
        onFocus: () => {
          const field = document.activeElement as HTMLInputElement;
          // A shortcut selects the text after it has set the focus; the text without separators is selected again.
          queueMicrotask(() => {
            if (document.activeElement !== field) return;
            selected.current = isWholeSelected(field) ? field : undefined;
            isEdited.value = true;
          });
          input?.onFocus?.();
        },
        onBlur: () => {
          isEdited.value = false;
          input?.onBlur?.();
        },
      }}
    />
  );
}

function isWholeSelected({ value, selectionStart, selectionEnd }: HTMLInputElement): boolean {
  return selectionStart === 0 && selectionEnd === value.length;
}

/** Formats an amount as the user typed it. Text that is not a number is returned as it is. */
export function withSeparators(typed: string): string {
  const value = decimal(plainNumber(typed));
  return value === undefined ? typed : grouped(value);
}
