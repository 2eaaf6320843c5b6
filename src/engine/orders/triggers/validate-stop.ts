import type { MarketRules, PlaceStopOrder } from '../../command.ts';
import type { Account } from '../../ledger/accounts.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../limits.ts';
import type { Market } from '../../markets/markets.ts';
import { type Rejection, RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { Side, triggersOnRise } from '../../terms.ts';
import { hasLimit } from '../order-terms.ts';
import { isMemoryFull } from '../placement.ts';
import { acceptsOrder, insufficientFunds, validateAmount, validatePrice } from '../validate.ts';

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
  const { type, side, price, triggerPrice } = command;
  return hasLimit(type) ? price : market.collarPrice(side, triggerPrice);
}

/**
 * Validates amount, price and trigger. Without a limit price, the notional is computed at the
 * trigger price.
 */
export function validateStopBounds(command: PlaceStopOrder, market: Market): Rejection | undefined {
  const { type, price, triggerPrice, amount } = command;
  const { rules } = market;
  const rejection =
    validateAmount(amount, rules) ??
    (hasLimit(type) ? validatePrice(price, rules) : undefined) ??
    validateTriggerPrice(triggerPrice, rules);
  if (rejection !== undefined) return rejection;
  return market.notional(price || triggerPrice, amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

export function validateTriggerPrice(price: number, rules: MarketRules): Rejection | undefined {
  const rejection = validatePrice(price, rules);
  return rejection && rejected(RejectionCode.triggerOutOfBounds, rejection.rule);
}

/** Returns whether the last price has already reached the trigger. */
export function isTriggerCrossed(
  { type, side, triggerPrice }: Pick<PlaceStopOrder, 'type' | 'side' | 'triggerPrice'>,
  market: Market,
): boolean {
  return triggersOnRise(type, side) ? market.price >= triggerPrice : market.price <= triggerPrice;
}

export function validateStopMarketState(
  state: State,
  command: PlaceStopOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const { expiresAt, clientOrderId } = command;
  if (!acceptsOrder(market.status, command)) return rejected(RejectionCode.marketUnavailable);
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
