import { msg, t } from '../i18n/t.ts';
import type { FormType, Side, TimeInForce } from './draft.ts';
import type { ExactOrder } from './records.ts';

export const TYPE_NAMES: Readonly<Record<FormType, string>> = {
  limit: msg('Limit'),
  market: msg('Market||order type'),
  stop: msg('Stop'),
  stop_limit: msg('Stop limit'),
  take_profit: msg('Take profit'),
  take_profit_limit: msg('Take profit limit'),
  trailing_stop: msg('Trailing stop'),
  oco: msg('OCO'),
};

export const STATUS_NAMES: Readonly<Record<ExactOrder['status'], string>> = {
  open: msg('Open'),
  filled: msg('Filled'),
  canceled: msg('Canceled'),
  expired: msg('Expired'),
  rejected: msg('Rejected'),
};

export const TIME_IN_FORCE_NAMES: Readonly<Record<TimeInForce, string>> = {
  GTC: msg('Good till canceled'),
  IOC: msg('Immediate or cancel'),
  FOK: msg('Fill or kill'),
  GTD: msg('Good till date'),
};

/** Returns `Take profit limit` in the user's language. */
export function typeName(type: FormType): string {
  return t(TYPE_NAMES[type]);
}

/** Names in rows and labels, which have one line. */
const SHORT_TYPE_NAMES: Readonly<Partial<Record<FormType, string>>> = {
  take_profit: msg('TP'),
  take_profit_limit: msg('TP limit'),
  trailing_stop: msg('Trailing'),
};

/** Returns `TP limit` in the user's language. */
export function shortTypeName(type: FormType): string {
  return t(SHORT_TYPE_NAMES[type] ?? TYPE_NAMES[type]);
}

/** Returns `Take profit limit buy order` in the user's language. */
export function typeAndSide(type: FormType, side: Side): string {
  return t(
    '{type, select, limit {Limit} market {Market} stop {Stop} stop_limit {Stop limit} take_profit {Take profit} take_profit_limit {Take profit limit} trailing_stop {Trailing stop} other {OCO}} {side, select, buy {buy} other {sell}} order',
    { type, side },
  );
}

/** Returns whether an order of a type has a limit price. */
export function hasLimit({ type }: Pick<ExactOrder, 'type'>): boolean {
  return type === 'limit' || type === 'stop_limit' || type === 'take_profit_limit';
}

/** Returns on which side of the trigger price the last price triggers an order. */
export function triggerSign({ type, side }: Pick<ExactOrder, 'type' | 'side'>): '≥' | '≤' {
  const isTakeProfit = type === 'take_profit' || type === 'take_profit_limit';
  return (side === 'buy') === isTakeProfit ? '≤' : '≥';
}

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
