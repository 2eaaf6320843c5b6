import type { PlaceOrder } from '../../engine/command.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../engine/limits.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { SWEEPS_UNDER_WAY } from '../../engine/orders/cancel.ts';
import { type Rejection, RejectionCode } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { marketStatuses, OrderType } from '../../engine/terms.ts';
import { ApiError } from '../http/errors.ts';
import { JsonNumber } from '../http/json.ts';

/** What an answer says of the order that was refused, or would be after the change that was. */
export type RejectedOrder = Pick<PlaceOrder, 'market' | 'type' | 'price' | 'cost'> & {
  readonly triggerPrice?: number;
};

const BUSY_CANCELING =
  'Too many of your cancellations are still being carried out. Wait for their answers, then send this again.';

/** What the engine refused, as the API says it. */
export function rejectionError(
  rejection: Rejection,
  state: State,
  order?: RejectedOrder,
): ApiError {
  const error = errorOf(rejection, state, order);
  const { code, message, details } = error;
  const { field } = details;
  if (rejection.attached === undefined || field === 'amount') return error;
  return new ApiError(code, message, {
    ...details,
    field: `attached.${rejection.attached}.${field}`,
  });
}

function errorOf(rejection: Rejection, state: State, order?: RejectedOrder): ApiError {
  const { code, rule = '' } = rejection;
  switch (code) {
    case RejectionCode.unauthorized:
      return new ApiError('UNAUTHORIZED');
    case RejectionCode.insufficientPermissions:
      return new ApiError('INSUFFICIENT_PERMISSIONS');
    case RejectionCode.accountFrozen:
      return new ApiError('ACCOUNT_FROZEN');
    case RejectionCode.insufficientBalance:
      return insufficientBalance(rejection, state);
    case RejectionCode.unknownMarket:
      return new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
    case RejectionCode.amountOutOfBounds:
    case RejectionCode.priceOutOfBounds:
    case RejectionCode.minNotional:
      return outOfBounds(rejection, state, order);
    case RejectionCode.amountBelowFilled:
      return new ApiError('INVALID_AMOUNT', 'The new amount is less than what is filled already.', {
        field: 'amount',
        rule: 'filled',
      });
    case RejectionCode.marketUnavailable:
      return marketUnavailable(state, order);
    case RejectionCode.triggerOutOfBounds:
      return outOfBounds(rejection, state, order);
    case RejectionCode.triggerCrossed:
      return new ApiError(
        'INVALID_PRICE',
        'The last price has reached triggerPrice already: choose one that is still to come.',
        { field: 'triggerPrice', rule: 'notCrossed' },
      );
    case RejectionCode.bracketOnWrongSide:
      return new ApiError(
        'INVALID_PRICE',
        "Put the take profit on the winning side of the order's price, the stop on the losing one.",
        { field: order?.triggerPrice === 0 ? 'price' : 'triggerPrice', rule: 'beyondPrice' },
      );
    case RejectionCode.notAmendable:
      return rule === 'pair'
        ? new ApiError(
            'INVALID_REQUEST',
            'One of a pair keeps its amount: cancel it and place another pair.',
            { field: 'amount', rule },
          )
        : new ApiError(
            'INVALID_REQUEST',
            'The trigger has been reached and the order is about to trade: look at it again.',
            { rule },
          );
    case RejectionCode.takesNoPrice:
      return new ApiError('INVALID_PRICE', 'This type takes no price: send triggerPrice.', {
        field: 'price',
        rule: 'limitOrdersOnly',
      });
    case RejectionCode.noPendingTrigger:
      return new ApiError('INVALID_PRICE', 'The order waits for no trigger, or not any more.', {
        field: 'triggerPrice',
        rule: 'waitingOrdersOnly',
      });
    case RejectionCode.postOnlyWouldTake:
      return new ApiError('POST_ONLY_WOULD_TAKE', undefined, { field: 'price', rule: 'postOnly' });
    case RejectionCode.noLiquidity:
      return new ApiError('NO_LIQUIDITY', undefined, { rule: 'emptyBook' });
    case RejectionCode.tooManyOpenOrders:
      return new ApiError('TOO_MANY_OPEN_ORDERS', undefined, {
        rule: 'maxOpenOrders',
        maximum: MAX_OPEN_ORDERS_PER_ACCOUNT,
      });
    case RejectionCode.duplicateClientOrderId:
      return new ApiError('DUPLICATE_CLIENT_ORDER_ID', undefined, { field: 'clientOrderId' });
    case RejectionCode.mustAskHistory:
      // History was asked, and each time so much was placed in the meantime that it had to be asked again.
      return new ApiError('OVERLOADED');
    case RejectionCode.orderNotOpen:
      return new ApiError('ORDER_NOT_FOUND');
    case RejectionCode.expiryPassed:
      return new ApiError('INVALID_REQUEST', 'expiresAt must be in the future.', {
        field: 'expiresAt',
        rule: 'future',
      });
    case RejectionCode.limitReached:
      if (rule === SWEEPS_UNDER_WAY) return new ApiError('OVERLOADED', BUSY_CANCELING, { rule });
      // What fills up over all traders empties by itself; what an operator fills does not.
      return order === undefined
        ? new ApiError('INVALID_REQUEST', `There is no room for more ${rule}.`, { rule })
        : new ApiError('OVERLOADED', undefined, { rule });
    case RejectionCode.duplicateReference:
      return new ApiError('DUPLICATE_REFERENCE', undefined, { field: 'reference' });
    case RejectionCode.unknownAccount:
      return new ApiError('NOT_FOUND', 'There is no such account.', { field: 'account' });
    case RejectionCode.unknownKey:
      return new ApiError('NOT_FOUND', 'There is no such key.', { field: 'apiKey' });
    case RejectionCode.unknownAsset:
      return new ApiError('NOT_FOUND', 'There is no such asset.', { field: 'asset' });
    case RejectionCode.alreadyExists:
    case RejectionCode.invalidRules:
      return new ApiError('INVALID_REQUEST', `Refused: ${rule}.`, { rule });
  }
}

function insufficientBalance(rejection: Rejection, state: State): ApiError {
  const { asset, decimals } = state.assets[rejection.asset!]!;
  const required = formatUnits(rejection.required!, decimals);
  const available = formatUnits(rejection.available!, decimals);
  return new ApiError(
    'INSUFFICIENT_BALANCE',
    `This needs ${required} ${asset}; ${available} is available.`,
    {
      required: new JsonNumber(required),
      available: new JsonNumber(available),
      asset,
    },
  );
}

function marketUnavailable(state: State, order: RejectedOrder | undefined): ApiError {
  const status = marketStatuses[state.markets[order?.market ?? 0]?.status ?? 0];
  return new ApiError(
    'MARKET_UNAVAILABLE',
    `The market is ${status} and does not take this order now.`,
    { status: status ?? 'halted' },
  );
}

/** `nearest` is the least of the field that is worth enough; a market order's changes all the time. */
function belowNotional(market: Market, order: RejectedOrder): ApiError {
  const { rules, quote } = market;
  const least = formatUnits(rules.minNotional, quote.decimals);
  let nearest: string | undefined;
  if (order.cost !== 0) nearest = least;
  else if (order.type !== OrderType.market) {
    const price = order.price === 0 ? order.triggerPrice! : order.price;
    const worthOfStep = BigInt(market.notional(price, rules.step));
    const steps = (BigInt(rules.minNotional) + worthOfStep - 1n) / worthOfStep;
    const amount = steps * BigInt(rules.step);
    if (amount <= rules.maxAmount) nearest = formatUnits(amount, rules.amountDecimals);
  }
  return new ApiError(
    'MIN_NOTIONAL',
    `The order is worth less than the least of this market, ${least} ${quote.asset}.`,
    {
      field: order.cost === 0 ? 'amount' : 'cost',
      rule: 'minNotional',
      nearest: nearest === undefined ? undefined : new JsonNumber(nearest),
      minNotional: new JsonNumber(least),
    },
  );
}

/** Amount, price or worth beyond a bound, with the bound as the nearest value that would do. */
function outOfBounds(
  rejection: Rejection,
  state: State,
  order: RejectedOrder | undefined,
): ApiError {
  const market = order === undefined ? undefined : state.markets[order.market];
  if (order === undefined || market === undefined) {
    const message =
      rejection.rule === 'maxTotal'
        ? 'Credit less: with this, all accounts together would have too much of the asset.'
        : 'The amount must not be zero.';
    return new ApiError('INVALID_AMOUNT', message, { field: 'amount', rule: rejection.rule });
  }
  const { rules } = market;
  if (rejection.code === RejectionCode.minNotional) return belowNotional(market, order);
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
  const bound = formatUnits(
    bounds[rule] ?? 0,
    isPrice ? rules.priceDecimals : rules.amountDecimals,
  );
  const field = isTrigger ? 'triggerPrice' : isPrice ? 'price' : 'amount';
  const message = rule.startsWith('min')
    ? `The least ${field} of this market is ${bound}.`
    : rule.startsWith('max')
      ? `The largest ${field} of this market is ${bound}.`
      : `${field} must be a multiple of ${bound}.`;
  return new ApiError(isPrice ? 'INVALID_PRICE' : 'INVALID_AMOUNT', message, {
    field,
    rule,
    nearest: new JsonNumber(bound),
  });
}
