import Big from 'big.js';
import { ARROWS, grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { shortTypeName, typeName } from '../order-names.ts';
import type { ExactOrder } from '../records.ts';

/** Returns the texts of the label of an order on the chart, longest first: `Buy limit 0.25`, `↑ Limit 0.25`, `↑ 0.25`. */
export function orderTitles({ side, type, amount, filled }: ExactOrder): readonly string[] {
  const remaining = grouped(new Big(amount).minus(filled));
  const name = typeName(type);
  const kind = name.toLowerCase();
  const title =
    side === 'buy'
      ? t('Buy {kind} {remaining}', { kind, remaining })
      : t('Sell {kind} {remaining}', { kind, remaining });
  return [
    title,
    `${ARROWS[side]}${shortTypeName(type)} ${remaining}`,
    `${ARROWS[side]}${remaining}`,
  ];
}
