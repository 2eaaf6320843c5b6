import type { Attached, PlaceOrder } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { requiredToPlace } from '../../engine/orders/validate.ts';
import type { JsonObject, JsonValue } from '../http/json.ts';
import { invalid } from '../http/request/query.ts';
import {
  fitsBook,
  LEG_FIELDS,
  LEG_NAMES,
  type LegName,
  readLeg,
  readLegPrices,
} from './leg-request.ts';
import { checkFields, isPresent, readObject } from './order-fields.ts';
import { type OrderReader, tooLarge } from './order-reader.ts';

/** The legs of a bracket order, checked for their form; their numbers are not read yet. */
export type BracketFields = ReadonlyMap<LegName, JsonObject>;

const FIELDS: ReadonlySet<string> = new Set(LEG_NAMES);

/** @throws ApiError INVALID_REQUEST */
export function readBracketFields(value: JsonValue, version: number): BracketFields {
  const message = 'attached must be an object with takeProfit, stopLoss or both.';
  const body = readObject(value, 'attached', message);
  checkFields(body, FIELDS, 'attached.');
  const legs = new Map<LegName, JsonObject>();
  for (const name of LEG_NAMES) {
    if (!isPresent(body[name])) continue;
    legs.set(name, readLeg(body[name], `attached.${name}`, LEG_FIELDS[name], version));
  }
  if (legs.size === 0) throw invalid('attached', 'takeProfit or stopLoss', message);
  return legs;
}

/**
 * Reads the prices of the legs attached to a valid order.
 * @throws ApiError INVALID_PRICE; for a price above any book, INSUFFICIENT_BALANCE if the order's own funds lack
 */
export function readBracketLegs(
  legs: BracketFields,
  order: PlaceOrder,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): Attached {
  const attached: { -readonly [Name in LegName]: Attached[Name] } = {
    takeProfit: null,
    stopLoss: null,
  };
  for (const [name, leg] of legs) {
    const path = `attached.${name}`;
    const prices = readLegPrices(leg, name, path, market, reader.offGrid);
    if (!fitsBook(prices)) {
      const field = typeof prices.price === 'number' ? 'triggerPrice' : 'price';
      const required = requiredToPlace(exchange.state, order, market);
      throw tooLarge(required, order.side, market, reader, exchange, `${path}.${field}`);
    }
    attached[name] = prices;
  }
  return attached;
}
