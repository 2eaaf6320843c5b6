import type { MarketRules, PlaceStopOrder, Trailing } from '../../command.ts';
import type { Account } from '../../ledger/accounts.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT, MAX_TRAILING_BASIS_POINTS, MAX_UNITS } from '../../limits.ts';
import type { Market } from '../../markets/markets.ts';
import { type Rejection, RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { Side, triggersOnRise } from '../../terms.ts';
import { hasLimit } from '../order-terms.ts';
import { isMemoryFull } from '../placement.ts';
import { acceptsOrder, insufficientFunds, validateAmount, validatePrice } from '../validate.ts';
import { initialTrigger } from './initial-trigger.ts';

/** Returns the first reason to reject a stop: funds, bounds, then the state of the market. */
export function validateStop(
  state: State,
  command: PlaceStopOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const isBuy = command.side === Side.buy;
  const required = isBuy
    ? market.notional(worstPrice(command, market), command.amount)
    : market.baseAmount(command.amount);
  return (
    insufficientFunds(account, (isBuy ? market.quote : market.base).index, required) ??
    validateStopBounds(command, market) ??
    validateStopMarketState(state, command, account, market)
  );
}

/**
 * Returns the price on which the hold of a buy is based: its limit, or the collar beyond its
 * trigger.
 */
export function worstPrice(command: PlaceStopOrder, market: Market): number {
  const { type, side, price } = command;
  return hasLimit(type) ? price : market.collarPrice(side, initialTrigger(command, market));
}

/**
 * Validates amount, price and trigger. Without a limit price, the notional is computed at the
 * trigger price.
 */
export function validateStopBounds(command: PlaceStopOrder, market: Market): Rejection | undefined {
  const { type, side, price, triggerPrice, trailing, amount } = command;
  const { rules } = market;
  const rejection =
    validateAmount(amount, rules) ??
    (hasLimit(type) ? validatePrice(price, rules) : undefined) ??
    (trailing === undefined
      ? validateTriggerPrice(triggerPrice, rules)
      : validateTrailing(side, trailing, market));
  if (rejection !== undefined) return rejection;
  return market.notional(price || initialTrigger(command, market), amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

export function validateTriggerPrice(price: number, rules: MarketRules): Rejection | undefined {
  const rejection = validatePrice(price, rules);
  return rejection && rejected(RejectionCode.triggerOutOfBounds, rejection.rule);
}

/**
 * Validates distance and activation price of a trailing stop. The rule of the rejection starts with the name of the
 * field.
 */
export function validateTrailing(
  side: Side,
  trailing: Trailing,
  market: Market,
): Rejection | undefined {
  const code = RejectionCode.trailingOutOfBounds;
  const { rules } = market;
  const { amount, basisPoints, activationPrice } = trailing;
  const field = amount === 0 ? 'trailingPercent' : 'trailingAmount';
  if (amount % rules.tick !== 0) return rejected(code, `${field}.tickSize`);
  if (basisPoints > MAX_TRAILING_BASIS_POINTS) return rejected(code, `${field}.maximum`);
  const rejection = activationPrice === 0 ? undefined : validatePrice(activationPrice, rules);
  if (rejection !== undefined) return rejected(code, `activationPrice.${rejection.rule}`);
  const trigger = initialTrigger({ side, triggerPrice: 0, trailing }, market);
  const isPrice = trigger >= 1 && trigger < MAX_UNITS;
  return isPrice ? undefined : rejected(code, `${field}.tooFar`);
}

/** Returns whether the last price has already reached the trigger; not if there is none yet. */
export function isTriggerCrossed(
  { type, side, triggerPrice }: Pick<PlaceStopOrder, 'type' | 'side' | 'triggerPrice'>,
  market: Market,
): boolean {
  if (triggerPrice === 0) return false;
  return triggersOnRise(type, side) ? market.price >= triggerPrice : market.price <= triggerPrice;
}

export function validateStopMarketState(
  state: State,
  command: PlaceStopOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const { expiresAt, clientOrderId } = command;
  if (!acceptsOrder(market.currentStatus, command))
    return rejected(RejectionCode.marketUnavailable);
  if (expiresAt !== 0 && expiresAt <= state.time) return rejected(RejectionCode.expiryPassed);
  if (isTriggerCrossed(command, market)) return rejected(RejectionCode.triggerCrossed);
  if (account.openOrders >= MAX_OPEN_ORDERS_PER_ACCOUNT) {
    return rejected(RejectionCode.tooManyOpenOrders);
  }
  if (isMemoryFull(state, clientOrderId)) {
    return rejected(
      RejectionCode.limitReached,
      'the exchange cannot remember more client order ids',
    );
  }
  return undefined;
}
