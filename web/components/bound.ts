import type { Signal } from '@preact/signals';

/** An input that shows a signal and sets it. */
export function bound<Value extends string>(field: Signal<Value>) {
  return {
    value: field.value,
    onInput: (value: Value) => {
      field.value = value;
    },
  };
}
