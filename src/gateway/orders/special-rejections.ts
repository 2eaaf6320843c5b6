import { MAX_ICEBERG_PARTS, MAX_TRAILING_BASIS_POINTS } from '../../engine/limits.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { Rejection } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { JsonNumber } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import type { RejectedOrder } from './out-of-bounds.ts';

/** Returns the error for a distance or an activation price of a trailing stop that is out of bounds. */
export function trailingOutOfBounds(
  { rule: path = '' }: Rejection,
  state: State,
  order: RejectedOrder | undefined,
): ApiError {
  const [field = '', rule = ''] = path.split('.');
  const fail = (message: string, nearest?: string) =>
    new ApiError('INVALID_PRICE', `${field} ${message}`, {
      field,
      rule,
      ...(nearest === undefined ? {} : { nearest: new JsonNumber(nearest) }),
    });
  const rules = state.markets[order?.market ?? 0]?.rules;
  if (rule === 'tooFar' || rules === undefined) {
    return fail('moves the trigger price out of all possible prices. Send a shorter distance.');
  }
  if (rule === 'maximum') {
    const maximum = formatUnits(MAX_TRAILING_BASIS_POINTS, 2);
    return fail(`is above the maximum of ${maximum}.`, maximum);
  }
  const bounds: Record<string, number> = {
    tickSize: rules.tick,
    minPrice: rules.minPrice,
    maxPrice: rules.maxPrice,
  };
  const bound = formatUnits(bounds[rule] ?? 0, rules.priceDecimals);
  if (rule === 'tickSize') return fail(`must be a multiple of ${bound}.`, bound);
  const isBelow = rule === 'minPrice';
  return fail(`is ${isBelow ? 'below the minimum' : 'above the maximum'} of ${bound}.`, bound);
}

/** Returns the error for the visible amount of an iceberg. */
export function displayOutOfBounds(
  { rule = '' }: Rejection,
  state: State,
  order: RejectedOrder | undefined,
): ApiError {
  const field = 'displayAmount';
  const rules = state.markets[order?.market ?? 0]?.rules;
  if (rule === 'amount' || rules === undefined) {
    const message = 'displayAmount is above the amount of the order. Lower it, or remove it.';
    return new ApiError('INVALID_AMOUNT', message, { field, rule });
  }
  if (rule === 'icebergParts') {
    const message = `The order would be shown in more than ${MAX_ICEBERG_PARTS} parts. Raise displayAmount.`;
    return new ApiError('INVALID_AMOUNT', message, { field, rule, maximum: MAX_ICEBERG_PARTS });
  }
  const isStep = rule === 'stepSize';
  const bound = formatUnits(isStep ? rules.step : rules.minAmount, rules.amountDecimals);
  const message = isStep ? `must be a multiple of ${bound}.` : `is below the minimum of ${bound}.`;
  const nearest = new JsonNumber(bound);
  return new ApiError('INVALID_AMOUNT', `displayAmount ${message}`, { field, rule, nearest });
}

/** Returns the error for a change that an order does not take because of its kind; undefined for other rules. */
export function specialAmendmentError(rule: string): ApiError | undefined {
  switch (rule) {
    case 'notTrailing':
      return new ApiError(
        'INVALID_PRICE',
        'Only a trailing stop takes trailingAmount, trailingPercent and activationPrice. Remove them.',
        { field: 'trailingAmount', rule },
      );
    case 'trailing':
      return new ApiError(
        'INVALID_PRICE',
        'The trigger price of a trailing stop follows the market. Send trailingAmount or trailingPercent.',
        { field: 'triggerPrice', rule },
      );
    case 'activated':
      return new ApiError(
        'INVALID_PRICE',
        'The trailing has started, so activationPrice cannot change. Remove it.',
        { field: 'activationPrice', rule },
      );
    case 'notIceberg':
      return new ApiError('INVALID_AMOUNT', 'Only a limit order takes displayAmount. Remove it.', {
        field: 'displayAmount',
        rule,
      });
    default:
      return undefined;
  }
}
