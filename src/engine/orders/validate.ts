import type { MarketRules, PlaceOrder } from '../command.ts';
import type { Account } from '../ledger/accounts.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { type Exact, multiple, quotient } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { MarketStatus, NONE, OrderType, Side } from '../terms.ts';
import { marketCost } from './matching.ts';
import { canRest, crosses, hasLimit } from './order-terms.ts';
import { isMemoryFull } from './placement.ts';

/**
 * Why an order is not accepted, undefined where it is. With several reasons the first counts:
 * funds, bounds and worth, then what depends on the market at that moment (API section 1).
 */
export function refusalOf(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  return (
    insufficientFunds_(state, command, account, market) ??
    outOfBounds(command, market) ??
    notAdmitted(state, command, account, market)
  );
}

/**
 * What the order needs that the account does not have (API section 1: checked before upper
 * bounds). A limit order needs its worst case, a market order what the book asks of it now.
 */
export function insufficientFunds_(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const { base, quote } = market;
  if (command.side === Side.sell) {
    return shortOf(account, base.index, market.baseAmount(command.amount));
  }
  return shortOf(account, quote.index, quoteNeeded(state, command, market));
}

function quoteNeeded(state: State, command: PlaceOrder, market: Market): Exact {
  if (command.type === OrderType.limit) return market.notional(command.price, command.amount);
  if (command.cost !== 0) return command.cost;
  return costToBuy(state, command.account, market, command.amount);
}

/**
 * The quote minor units that the book asks now within the collar for `amount`. Of what the account cannot pay for,
 * and of an amount above the market's maximum, only the first orders are counted (`MAX_ORDERS_BEYOND_BUDGET`).
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
    account,
    budget,
    state.scan,
  );
  return multiple(cost, market.quoteUnit);
}

/** Insufficient balance, where `required` minor units are more than is available. */
export function shortOf(account: Account, asset: number, required: Exact): Rejection | undefined {
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

/** The market's bounds on amount, price and worth (API section 1: checked after funds). */
export function outOfBounds(command: PlaceOrder, market: Market): Rejection | undefined {
  const { rules, book } = market;
  if (command.cost === 0) {
    const refusal = amountOutOfBounds(command.amount, rules);
    if (refusal !== undefined) return refusal;
  } else if (command.cost < rules.minNotional) {
    return rejected(RejectionCode.minNotional);
  }
  if (command.type === OrderType.limit) {
    const refusal = priceOutOfBounds(command.price, rules);
    if (refusal !== undefined) return refusal;
    return market.notional(command.price, command.amount) < rules.minNotional
      ? rejected(RejectionCode.minNotional)
      : undefined;
  }
  const bestPrice = book.bestPrice(command.side === Side.buy ? Side.sell : Side.buy);
  // Without a price there is nothing to value the order by; it is refused for that just after.
  if (bestPrice === undefined || command.cost !== 0) return undefined;
  return market.notional(bestPrice, command.amount) < rules.minNotional
    ? rejected(RejectionCode.minNotional)
    : undefined;
}

/** Why a market takes no order of this amount, undefined where it does. */
export function amountOutOfBounds(amount: number, rules: MarketRules): Rejection | undefined {
  const code = RejectionCode.amountOutOfBounds;
  if (amount < rules.minAmount) return rejected(code, 'minAmount');
  if (amount > rules.maxAmount) return rejected(code, 'maxAmount');
  return amount % rules.step === 0 ? undefined : rejected(code, 'stepSize');
}

/** Why a market takes no order at this price, undefined where it does. */
export function priceOutOfBounds(price: number, rules: MarketRules): Rejection | undefined {
  const code = RejectionCode.priceOutOfBounds;
  if (price < rules.minPrice) return rejected(code, 'minPrice');
  if (price > rules.maxPrice) return rejected(code, 'maxPrice');
  return price % rules.tick === 0 ? undefined : rejected(code, 'tickSize');
}

/** The checks that depend on the market's state and on what else the account has open. */
export function notAdmitted(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Rejection | undefined {
  const isMarketOrder = command.type === OrderType.market;
  if (!admits(market.status, command)) return rejected(RejectionCode.marketUnavailable);
  if (command.expiresAt !== 0 && command.expiresAt <= state.time) {
    return rejected(RejectionCode.expiryPassed);
  }
  const opposite = command.side === Side.buy ? Side.sell : Side.buy;
  if (isMarketOrder && market.book.best(opposite) === NONE) {
    return rejected(RejectionCode.noLiquidity);
  }
  if (command.postOnly && wouldTake(command, market)) {
    return rejected(RejectionCode.postOnlyWouldTake);
  }
  if (canRest(command) && account.openOrders >= MAX_OPEN_ORDERS_PER_ACCOUNT) {
    return rejected(RejectionCode.tooManyOpenOrders);
  }
  if (isMemoryFull(state, command.clientOrderId)) {
    return rejected(RejectionCode.limitReached, 'too many client order ids are remembered');
  }
  return undefined;
}

/** Whether a limit order would trade at once. */
export function wouldTake(command: PlaceOrder, market: Market): boolean {
  const best = market.book.bestPrice(command.side === Side.buy ? Side.sell : Side.buy);
  return best !== undefined && crosses(command, best);
}

/** Whether a market of this status takes the order. */
export function admits(status: number, command: Pick<PlaceOrder, 'postOnly' | 'type'>): boolean {
  if (status === MarketStatus.online) return true;
  if (status === MarketStatus.postOnly) return command.postOnly;
  return status === MarketStatus.limitOnly && hasLimit(command.type);
}
