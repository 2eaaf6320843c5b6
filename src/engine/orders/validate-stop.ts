import type { MarketRules, PlaceStopOrder } from '../command.ts';
import type { Account } from '../ledger/accounts.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { Side, triggersOnRise } from '../terms.ts';
import { hasLimit } from './order-terms.ts';
import { isMemoryFull } from './placement.ts';
import { admits, insufficientFunds, validateAmount, validatePrice } from './validate.ts';

/** Why a stop is not accepted, undefined where it is, in the order of API section 1. */
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

/** The price by which a buy's hold is reckoned: its limit, or the collar beyond its trigger. */
export function worstPrice(command: PlaceStopOrder, market: Market): number {
  const { type, side, price, triggerPrice } = command;
  return hasLimit(type) ? price : market.collarPrice(side, triggerPrice);
}

/** A stop without a limit is valued by its trigger. */
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

/** Whether the last price has reached the trigger already. */
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
  if (!admits(market.status, command)) return rejected(RejectionCode.marketUnavailable);
  if (expiresAt !== 0 && expiresAt <= state.time) return rejected(RejectionCode.expiryPassed);
  if (isTriggerCrossed(command, market)) return rejected(RejectionCode.triggerCrossed);
  if (account.openOrders >= MAX_OPEN_ORDERS_PER_ACCOUNT) {
    return rejected(RejectionCode.tooManyOpenOrders);
  }
  if (isMemoryFull(state, clientOrderId)) {
    return rejected(RejectionCode.limitReached, 'too many client order ids are remembered');
  }
  return undefined;
}
