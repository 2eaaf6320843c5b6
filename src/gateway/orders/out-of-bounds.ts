import type { PlaceOrder } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { type Rejection, RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { OrderType } from '../../engine/terms.ts';
import { JsonNumber } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { invalidCustodyAmount } from './custody-rejections.ts';
import { formatSubject } from './order-number.ts';

/** The rejected order; for a rejected change, the order as it would have been. */
export type RejectedOrder = Pick<PlaceOrder, 'market' | 'type' | 'price' | 'cost'> & {
  readonly triggerPrice?: number;
  /** Path of the amount of an attached order; absent if it is that of the order. */
  readonly amountField?: 'attached.amount';
};

/** Returns the error for an amount or price that is out of bounds, with the bound as `nearest`. */
export function outOfBounds(
  rejection: Rejection,
  state: State,
  order: RejectedOrder | undefined,
): ApiError {
  const market = order === undefined ? undefined : state.markets[order.market];
  if (market === undefined) return invalidTransfer(rejection);
  const { rules } = market;
  const rule = rejection.rule ?? '';
  const isTrigger = rejection.code === RejectionCode.triggerOutOfBounds;
  const isPrice = isTrigger || rejection.code === RejectionCode.priceOutOfBounds;
  const bounds: Record<string, number> = {
    minAmount: rules.minAmount,
    maxAmount: rules.maxAmount,
    stepSize: rules.step,
    minPrice: rules.minPrice,
    maxPrice: rules.maxPrice,
    tickSize: rules.tick,
  };
  const decimals = isPrice ? rules.priceDecimals : rules.amountDecimals;
  const bound = formatUnits(bounds[rule] ?? 0, decimals);
  const field = isTrigger ? 'triggerPrice' : isPrice ? 'price' : 'amount';
  const message = rule.startsWith('min')
    ? `is below the minimum of ${bound}.`
    : rule.startsWith('max')
      ? `is above the maximum of ${bound}.`
      : `must be a multiple of ${bound}.`;
  return new ApiError(
    isPrice ? 'INVALID_PRICE' : 'INVALID_AMOUNT',
    `${formatSubject(field)} ${message}`,
    { field, rule, nearest: new JsonNumber(bound) },
  );
}

function invalidTransfer({ rule = '' }: Rejection): ApiError {
  const custody = invalidCustodyAmount(rule);
  if (custody !== undefined) return custody;
  const message =
    rule === 'maxTotal'
      ? 'The credit would raise the total of this asset over all accounts above its maximum. Credit less.'
      : 'Amount must not be zero.';
  return new ApiError('INVALID_AMOUNT', message, { field: 'amount', rule });
}

/** Returns the smallest amount with the minimum notional; undefined if no price or no possible amount has it. */
function smallestSufficient(price: number, market: Market): string | undefined {
  const { rules } = market;
  // The trigger price of a trailing stop is not part of its request.
  if (price === 0) return undefined;
  const stepNotional = BigInt(market.notional(price, rules.step));
  const steps = (BigInt(rules.minNotional) + stepNotional - 1n) / stepNotional;
  const amount = steps * BigInt(rules.step);
  return amount <= rules.maxAmount ? formatUnits(amount, rules.amountDecimals) : undefined;
}

/**
 * Returns the error for an order that is worth too little. `nearest` is the smallest sufficient value of the
 * field; a market order by amount has none, because its value depends on the book.
 */
export function belowNotional(
  rejection: Rejection,
  state: State,
  order: RejectedOrder | undefined,
): ApiError {
  const market = order === undefined ? undefined : state.markets[order.market];
  if (order === undefined || market === undefined) return invalidTransfer(rejection);
  const { rules, quote } = market;
  const minimum = formatUnits(rules.minNotional, quote.decimals);
  let nearest: string | undefined;
  if (order.cost !== 0) nearest = minimum;
  else if (order.type !== OrderType.market) {
    nearest = smallestSufficient(order.price || (order.triggerPrice ?? 0), market);
  }
  const message = `Order value is below the minimum notional of ${minimum} ${quote.asset}.`;
  return new ApiError('MIN_NOTIONAL', message, {
    field: order.cost === 0 ? 'amount' : 'cost',
    rule: 'minNotional',
    nearest: nearest === undefined ? undefined : new JsonNumber(nearest),
    minNotional: new JsonNumber(minimum),
  });
}
