import type { Trailing } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { hasLimit } from '../../engine/orders/order-terms.ts';
import { initialTrigger } from '../../engine/orders/triggers/initial-trigger.ts';
import { OrderType, type Side } from '../../engine/terms.ts';
import type { JsonObject } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { refuseDisplay } from './display-request.ts';
import { isPresent } from './order-fields.ts';
import { readAmount, readPrice } from './order-number.ts';
import { type OrderReader, tooLarge } from './order-reader.ts';
import { readTrailing, refuseTrailing } from './trailing-request.ts';

interface StopNumbers {
  /** 0 for an order that trades at any price within the collar once triggered. */
  readonly price: number;
  readonly amount: number;
  readonly cost: 0;
  readonly triggerPrice: number;
  readonly trailing?: Trailing;
}

/** Reads the numbers of a stop or take-profit order. @throws ApiError */
export function readStop(
  body: JsonObject,
  type: number,
  side: Side,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): StopNumbers {
  if (isPresent(body.cost)) {
    const message = 'Only a market order takes cost. Send amount.';
    throw new ApiError('INVALID_AMOUNT', message, { field: 'cost', rule: 'marketOrdersOnly' });
  }
  refuseDisplay(body);
  if (type === OrderType.trailingStop)
    return readTrailingStop(body, side, market, reader, exchange);
  refuseTrailing(body);
  const isLimit = hasLimit(type);
  if (!isLimit && isPresent(body.price)) {
    const message =
      'This order type takes no price. Remove it, or send type stop_limit or take_profit_limit.';
    throw new ApiError('INVALID_PRICE', message, { field: 'price', rule: 'limitOrdersOnly' });
  }
  const amount = readAmount(body.amount, market, reader.offGrid);
  const price = isLimit ? readPrice(body.price, market, 'price', reader.offGrid) : 0;
  const triggerPrice = readPrice(body.triggerPrice, market, 'triggerPrice', reader.offGrid);
  if (typeof amount === 'number' && typeof price === 'number' && typeof triggerPrice === 'number') {
    return { price, amount, cost: 0, triggerPrice };
  }
  const required = requiredFor(market, side, { price, triggerPrice, amount });
  const field =
    typeof amount !== 'number' ? 'amount' : typeof price !== 'number' ? 'price' : 'triggerPrice';
  throw tooLarge(required, side, market, reader, exchange, field);
}

function readTrailingStop(
  body: JsonObject,
  side: Side,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): StopNumbers {
  for (const field of ['price', 'triggerPrice']) {
    if (!isPresent(body[field])) continue;
    const message = `A trailing stop takes no ${field}. Remove it.`;
    throw new ApiError('INVALID_PRICE', message, { field, rule: 'notTrailingStops' });
  }
  const amount = readAmount(body.amount, market, reader.offGrid);
  const trailing = readTrailing(body, market, reader.offGrid);
  if (typeof amount === 'number') return { price: 0, amount, cost: 0, triggerPrice: 0, trailing };
  const triggerPrice = initialTrigger({ side, triggerPrice: 0, trailing }, market);
  const required = requiredFor(market, side, { price: 0, triggerPrice, amount });
  throw tooLarge(required, side, market, reader, exchange, 'amount');
}
