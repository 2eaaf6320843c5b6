import type { Attached, PlaceOrder } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { OrderType, Side } from '../../engine/terms.ts';
import type { JsonObject, JsonValue } from '../http/json.ts';
import { invalid } from '../http/query.ts';
import {
  checkFields,
  fitsBook,
  LEG_NAMES,
  type LegName,
  readLeg,
  readLegPrices,
  readObject,
} from './leg-request.ts';
import { isPresent, type OrderReader, tooLarge } from './order-request.ts';

/** The form of what is attached; numbers are not looked at. */
export type BracketFields = ReadonlyMap<LegName, JsonObject>;

/** @throws ApiError INVALID_REQUEST */
export function readBracketFields(value: JsonValue): BracketFields {
  const message = 'Send attached: an object with takeProfit, stopLoss or both.';
  const body = readObject(value, 'attached', message);
  checkFields(body, LEG_NAMES, 'attached.');
  const form = new Map<LegName, JsonObject>();
  for (const name of LEG_NAMES) {
    if (isPresent(body[name])) form.set(name, readLeg(body[name], `attached.${name}`));
  }
  if (form.size === 0) throw invalid('attached', 'takeProfit or stopLoss', message);
  return form;
}

/**
 * The prices of what is attached to an order that can be placed.
 * @throws ApiError INVALID_PRICE; of prices beyond any book the order's own lack of funds comes first
 */
export function readBracketLegs(
  form: BracketFields,
  order: PlaceOrder,
  market: Market,
  placer: OrderReader,
  exchange: Exchange,
): Attached {
  const attached: { -readonly [Name in LegName]: Attached[Name] } = {
    takeProfit: null,
    stopLoss: null,
  };
  for (const [name, leg] of form) {
    const path = `attached.${name}`;
    const prices = readLegPrices(leg, name, path, market, placer.offGrid);
    if (!fitsBook(prices)) {
      const field = typeof prices.price === 'number' ? 'triggerPrice' : 'price';
      const required = neededBy(order, market, exchange);
      throw tooLarge(required, order.side, market, placer, exchange, `${path}.${field}`);
    }
    attached[name] = prices;
  }
  return attached;
}

function neededBy(order: PlaceOrder, market: Market, exchange: Exchange) {
  const { side, type, price, amount, cost, account } = order;
  if (side === Side.sell) return market.baseAmount(amount);
  if (type === OrderType.limit) return market.notional(price, amount);
  return cost === 0 ? exchange.costToBuy(account, market, amount) : cost;
}
