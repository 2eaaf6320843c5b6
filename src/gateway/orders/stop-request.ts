import type { Exchange } from '../../engine/exchange.ts';
import { requiredFor } from '../../engine/ledger/holds.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { hasLimit } from '../../engine/orders/order-terms.ts';
import type { Side } from '../../engine/terms.ts';
import { ApiError } from '../http/errors.ts';
import type { JsonObject } from '../http/json.ts';
import { readAmount, readPrice } from './order-number.ts';
import { isPresent, type OrderReader, tooLarge } from './order-request.ts';

interface StopNumbers {
  /** 0 for an order that trades at any price within the collar once it is triggered. */
  readonly price: number;
  readonly amount: number;
  readonly cost: 0;
  readonly triggerPrice: number;
}

/** The numbers of a stop or take profit. @throws ApiError INVALID_AMOUNT, INVALID_PRICE and more */
export function readStop(
  body: JsonObject,
  type: number,
  side: Side,
  market: Market,
  placer: OrderReader,
  exchange: Exchange,
): StopNumbers {
  if (isPresent(body.cost)) {
    throw new ApiError('INVALID_AMOUNT', 'Send amount: only a market buy takes cost.', {
      field: 'cost',
      rule: 'marketBuysOnly',
    });
  }
  const isLimit = hasLimit(type);
  if (!isLimit && isPresent(body.price)) {
    const message =
      'This type takes no price. Leave it out, or send stop_limit, take_profit_limit.';
    throw new ApiError('INVALID_PRICE', message, { field: 'price', rule: 'limitOrdersOnly' });
  }
  const amount = readAmount(body.amount, market, placer.offGrid);
  const price = isLimit ? readPrice(body.price, market, 'price', placer.offGrid) : 0;
  const triggerPrice = readPrice(body.triggerPrice, market, 'triggerPrice', placer.offGrid);
  if (typeof amount === 'number' && typeof price === 'number' && typeof triggerPrice === 'number') {
    return { price, amount, cost: 0, triggerPrice };
  }
  const required = requiredFor(market, side, { price, triggerPrice, amount });
  const field =
    typeof amount !== 'number' ? 'amount' : typeof price !== 'number' ? 'price' : 'triggerPrice';
  throw tooLarge(required, side, market, placer, exchange, field);
}
