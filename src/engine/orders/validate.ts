import type { MarketRules, PlaceOrder } from '../command.ts';
import type { Account } from '../ledger/accounts.ts';
import { MAX_ICEBERG_PARTS, MAX_OPEN_ORDERS_PER_ACCOUNT } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { type Exact, multiple, quotient } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { MarketStatus, NONE, OrderType, oppositeSide, Side } from '../terms.ts';
import { marketCost } from './matching/matching.ts';
import { canRest, crosses, hasLimit, isStop } from './order-terms.ts';
import { isMemoryFull } from './placement.ts';

/** Returns the first reason to reject an order: funds, bounds, then the state of the market. */
export function validateOrder(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  return (
    validateFunds(state, command, account, market) ??
    validateBounds(command, market) ??
    validateMarketState(state, command, account, market)
  );
}

/**
 * Validates the funds of an order; checked before the upper bounds. A limit order needs its maximum
 * cost, a market order its current cost in the book.
 */
export function validateFunds(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const asset = command.side === Side.buy ? market.quote : market.base;
  return insufficientFunds(account, asset.index, requiredToPlace(state, command, market));
}

/** Returns the minor units that an order needs: of the base asset for a sell, of the quote asset for a buy. */
export function requiredToPlace(state: State, command: PlaceOrder, market: Market): Exact {
  if (command.side === Side.sell) {
    const isByCost = command.cost !== 0;
    return market.baseAmount(isByCost ? minAmountFor(command.cost, market) : command.amount);
  }
  if (command.type === OrderType.limit) return market.notional(command.price, command.amount);
  if (command.cost !== 0) return command.cost;
  return costToBuy(state, command.account, market, command.amount);
}

/** Returns the amount that a sell by cost sells at the best bid, in amount units: at lower prices it sells more. */
function minAmountFor(cost: Exact, market: Market): number {
  const best = market.book.bestPrice(Side.buy);
  return best === undefined ? 0 : market.payable(best, cost);
}

/**
 * Returns the current cost of `amount` within the collar, in quote minor units. If the account
 * cannot pay, or the amount exceeds the maximum of the market, only the first orders are counted
 * (`MAX_ORDERS_BEYOND_BUDGET`).
 */
export function costToBuy(state: State, account: number, market: Market, amount: number): Exact {
  const limit = market.marketLimit(Side.buy);
  const available = state.accounts[account]!.available(market.quote.index);
  const budget = amount > market.rules.maxAmount ? -1 : quotient(available, market.quoteUnit);
  const cost = marketCost(
    market.book,
    state.orders,
    Side.buy,
    limit,
    amount,
    state.accounts[account]!.owner.index,
    budget,
    state.scan,
  );
  return multiple(cost, market.quoteUnit);
}

/** Rejects if `required` minor units exceed the available balance. */
export function insufficientFunds(
  account: Account,
  asset: number,
  required: Exact,
): Rejection | undefined {
  const available = account.available(asset);
  if (required <= available) return undefined;
  return {
    kind: 'rejected',
    code: RejectionCode.insufficientBalance,
    required,
    available,
    asset,
  };
}

/**
 * Validates amount, price and notional against the rules of the market; checked after the funds.
 */
export function validateBounds(command: PlaceOrder, market: Market): Rejection | undefined {
  const { rules, book } = market;
  if (command.cost === 0) {
    const rejection =
      validateAmount(command.amount, rules) ??
      validateDisplay(command.displayAmount, command.amount, rules);
    if (rejection !== undefined) return rejection;
  } else if (command.cost < rules.minNotional) {
    return rejected(RejectionCode.minNotional);
  }
  if (command.type === OrderType.limit) {
    const rejection = validatePrice(command.price, rules);
    if (rejection !== undefined) return rejection;
    return market.notional(command.price, command.amount) < rules.minNotional
      ? rejected(RejectionCode.minNotional)
      : undefined;
  }
  const bestPrice = book.bestPrice(oppositeSide(command.side));
  // Without a price the notional is unknown; the order is rejected for that below.
  if (bestPrice === undefined || command.cost !== 0) return undefined;
  return market.notional(bestPrice, command.amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

/** Validates an amount against the rules of a market. */
export function validateAmount(amount: number, rules: MarketRules): Rejection | undefined {
  const code = RejectionCode.amountOutOfBounds;
  if (amount < rules.minAmount) return rejected(code, 'minAmount');
  if (amount > rules.maxAmount) return rejected(code, 'maxAmount');
  return amount % rules.step === 0 ? undefined : rejected(code, 'stepSize');
}

/** Validates what the book shows of an order with this amount; undefined shows all of it. */
export function validateDisplay(
  displayAmount: number | undefined,
  amount: number,
  rules: MarketRules,
): Rejection | undefined {
  if (displayAmount === undefined) return undefined;
  const code = RejectionCode.displayOutOfBounds;
  if (displayAmount < rules.minAmount) return rejected(code, 'minAmount');
  if (displayAmount > amount) return rejected(code, 'amount');
  if (displayAmount % rules.step !== 0) return rejected(code, 'stepSize');
  return amount / displayAmount > MAX_ICEBERG_PARTS ? rejected(code, 'icebergParts') : undefined;
}

/** Validates a price against the rules of a market. */
export function validatePrice(price: number, rules: MarketRules): Rejection | undefined {
  const code = RejectionCode.priceOutOfBounds;
  if (price < rules.minPrice) return rejected(code, 'minPrice');
  if (price > rules.maxPrice) return rejected(code, 'maxPrice');
  return price % rules.tick === 0 ? undefined : rejected(code, 'tickSize');
}

/** Validates what depends on the state of the market and on the open orders of the account. */
export function validateMarketState(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const isMarketOrder = command.type === OrderType.market;
  if (!acceptsOrder(market.currentStatus, command))
    return rejected(RejectionCode.marketUnavailable);
  if (command.expiresAt !== 0 && command.expiresAt <= state.time) {
    return rejected(RejectionCode.expiryPassed);
  }
  if (isMarketOrder && market.book.best(oppositeSide(command.side)) === NONE) {
    return rejected(RejectionCode.noLiquidity);
  }
  if (command.postOnly && wouldTake(command, market)) {
    return rejected(RejectionCode.postOnlyWouldTake);
  }
  if (canRest(command) && account.openOrders >= MAX_OPEN_ORDERS_PER_ACCOUNT) {
    return rejected(RejectionCode.tooManyOpenOrders);
  }
  if (isMemoryFull(state, command.clientOrderId)) {
    return rejected(
      RejectionCode.limitReached,
      'the exchange cannot remember more client order ids',
    );
  }
  return undefined;
}

/** Returns whether a limit order would trade immediately; in the call phase of an auction none does. */
export function wouldTake(command: PlaceOrder, market: Market): boolean {
  if (market.status === MarketStatus.auction) return false;
  const best = market.book.bestPrice(oppositeSide(command.side));
  return best !== undefined && crosses(command, best);
}

/** Returns whether a market with this status accepts the order. */
export function acceptsOrder(
  status: number,
  command: Pick<PlaceOrder, 'postOnly' | 'timeInForce' | 'type'>,
): boolean {
  if (status === MarketStatus.online) return true;
  if (status === MarketStatus.auction) return isStop(command.type) || canRest(command);
  if (status === MarketStatus.postOnly) return command.postOnly;
  return status === MarketStatus.limitOnly && hasLimit(command.type);
}
