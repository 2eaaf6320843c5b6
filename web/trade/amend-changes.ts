import { localNumber, notNumber, plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { msg, t } from '../i18n/t.ts';
import type { Draft } from './draft.ts';
import { toDraft } from './price-guard.ts';
import type { ExactOrder } from './records.ts';

export type AmendField =
  | 'price'
  | 'triggerPrice'
  | 'trailingPercent'
  | 'trailingAmount'
  | 'activationPrice'
  | 'amount'
  | 'displayAmount';
/** Values as typed. */
export type AmendValues = Readonly<Partial<Record<AmendField, string>>>;

export const AMEND_FIELDS: readonly (readonly [AmendField, string])[] = [
  ['triggerPrice', msg('Trigger price')],
  ['price', msg('Limit price')],
  ['trailingPercent', msg('Trailing distance')],
  ['trailingAmount', msg('Trailing distance')],
  ['activationPrice', msg('Activation price')],
  ['amount', msg('Total amount')],
  ['displayAmount', msg('Visible amount')],
];

export interface AmendFault {
  /** Empty if the fault concerns the whole order. */
  readonly field: string;
  readonly text: string;
  /** The nearest valid value. */
  readonly nearest?: string | undefined;
}

/** Whether the order has the field and it may change. */
export function takes(order: ExactOrder, name: AmendField): boolean {
  if (order[name] === null) return false;
  // The amount of an OCO order cannot change (decision 36).
  if (name === 'amount' && order.ocoOrderId !== null) return false;
  // The trigger price of a trailing stop follows the market, and a reached activation price is past.
  if (name === 'triggerPrice') return order.type !== 'trailing_stop';
  return name !== 'activationPrice' || order.triggerPrice === null;
}

/** Returns the unit of a field of an order. */
export function unitFor(name: AmendField, symbol: string): string {
  const [base = '', quote = ''] = symbol.split('/');
  if (name === 'trailingPercent') return '%';
  return name === 'amount' || name === 'displayAmount' ? base : quote;
}

/** Returns the edited fields as the API takes them, or the first one that is not a positive number. */
export function readChanges(
  values: AmendValues,
  order: ExactOrder,
): { readonly changes: AmendValues } | AmendFault {
  const changes: Partial<Record<AmendField, string>> = {};
  for (const [name, label] of AMEND_FIELDS) {
    const text = values[name];
    if (text === undefined || text === localNumber(order[name] ?? '')) continue;
    const plain = plainNumber(text);
    const value = decimal(plain);
    if (value === undefined || value.lte(0)) {
      const mustBePositive = t('{label} must be greater than 0.', { label: t(label) });
      return { field: name, text: notNumber(plain, mustBePositive) };
    }
    changes[name] = value.toFixed();
  }
  return { changes };
}

/** Returns the order with its changes as a draft, to measure its distance from the market; undefined until they are valid. */
export function draftAmended(
  empty: Draft,
  values: AmendValues,
  order: ExactOrder,
  isTriggered: boolean,
): Draft | undefined {
  const read = readChanges(values, order);
  if (!('changes' in read)) return undefined;
  const { price, triggerPrice } = read.changes;
  if (price === undefined && triggerPrice === undefined) return undefined;
  return toDraft(empty, order, read.changes, isTriggered);
}
