import { t } from '../i18n/index.ts';
import type { ExactOrder } from './records.ts';

/** Names an order in the labels of its buttons and in messages. */
export function orderName({ side, amount, symbol, price, triggerPrice }: ExactOrder): string {
  const at = price ?? triggerPrice;
  if (at === null) {
    return side === 'buy'
      ? t('buy {amount} {symbol}', { amount, symbol })
      : t('sell {amount} {symbol}', { amount, symbol });
  }
  return side === 'buy'
    ? t('buy {amount} {symbol} at {at}', { amount, symbol, at })
    : t('sell {amount} {symbol} at {at}', { amount, symbol, at });
}
