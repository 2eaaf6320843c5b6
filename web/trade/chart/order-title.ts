import Big from 'big.js';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { typeName } from '../order-names.ts';
import type { ExactOrder } from '../records.ts';

/** Returns the label of an order on the chart, such as `Buy limit 0.25`. */
export function orderTitle({ side, type, amount, filled }: ExactOrder): string {
  const remaining = grouped(new Big(amount).minus(filled));
  const kind = typeName(type).toLowerCase();
  return side === 'buy'
    ? t('Buy {kind} {remaining}', { kind, remaining })
    : t('Sell {kind} {remaining}', { kind, remaining });
}
