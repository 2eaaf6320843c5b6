import type { Signal } from '@preact/signals';

/** Returns the props that bind an input to a signal. */
export function bound<Value extends string>(field: Signal<Value>) {
  return {
    value: field.value,
    onInput: (value: Value) => {
      field.value = value;
    },
  };
}
