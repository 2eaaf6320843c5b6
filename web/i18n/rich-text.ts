import { type ComponentChildren, createElement, Fragment } from 'preact';
import { formatFor } from './t.ts';

type TextValue = ComponentChildren | ((children: ComponentChildren) => ComponentChildren);

/**
 * Shows a text that contains elements:
 * `<T text="Read the <a>documentation</a>." a={(children) => <a href="/docs">{children}</a>} />`.
 * Other properties are values of the text.
 */
export function T({ text, ...values }: { readonly text: string } & Record<string, TextValue>) {
  const functions = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? (children: ComponentChildren[]) => value(createElement(Fragment, null, ...children))
      : value,
  ]);
  const parts = formatFor(text).format<ComponentChildren>(Object.fromEntries(functions));
  return createElement(Fragment, null, ...(Array.isArray(parts) ? parts : [parts]));
}
