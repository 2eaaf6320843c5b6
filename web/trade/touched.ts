import type { Draft } from './draft.ts';
import type { Field } from './order-rules.ts';

/** The choices that decide which fields the form has. */
const FORM_CHOICES = ['type', 'side', 'by', 'trailBy', 'hasAttached', 'timeInForce'] as const;

/** Whether an edit may show other fields. */
export function showsOtherFields(change: Partial<Draft>): boolean {
  return FORM_CHOICES.some((choice) => choice in change);
}

/** Returns the fields that still show their faults: none of another order type, and no empty ones, which the user has yet to fill in. */
export function keepTouched(
  touched: ReadonlySet<Field>,
  draft: Draft,
  isOtherType: boolean,
): ReadonlySet<Field> {
  if (isOtherType) return new Set();
  return new Set([...touched].filter((field) => draft[field] !== ''));
}
