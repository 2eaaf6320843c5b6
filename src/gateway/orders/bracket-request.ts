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
import { OTO_FIELDS, type OtoFields, readOtoFields, readOtoTerms } from './oto-request.ts';

/** The legs of a bracket order, checked for their form; their numbers are not read yet. */
export interface BracketFields {
  readonly legs: ReadonlyMap<LegName, JsonObject>;
  readonly oto: OtoFields | undefined;
}

/** The fields that nodes of an older release know. */
const FIELDS_OF_VERSION_1: ReadonlySet<string> = new Set(LEG_NAMES);
const FIELDS = FIELDS_OF_VERSION_1.union(new Set(OTO_FIELDS));

/** @throws ApiError INVALID_REQUEST */
export function readBracketFields(value: JsonValue, version: number): BracketFields {
  const message = 'attached must be an object with takeProfit, stopLoss or both, or with order.';
  const body = readObject(value, 'attached', message);
  checkFields(body, version < 2 ? FIELDS_OF_VERSION_1 : FIELDS, 'attached.');
  const legs = new Map<LegName, JsonObject>();
  for (const name of LEG_NAMES) {
    if (!isPresent(body[name])) continue;
    legs.set(name, readLeg(body[name], `attached.${name}`, LEG_FIELDS[name], version));
  }
  const oto = readOtoFields(body);
  const hasOrder = oto !== undefined && oto.order !== null;
  if (legs.size > 0 && hasOrder) {
    const message = 'attached takes either order, or takeProfit and stopLoss. Remove one of them.';
    throw invalid('attached.order', 'orderOrLegs', message);
  }
  if (legs.size === 0 && !hasOrder) throw invalid('attached', 'takeProfit or stopLoss', message);
  return { legs, oto };
}

/**
 * Reads the numbers of the legs attached to a valid order.
 * @throws ApiError INVALID_PRICE, INVALID_AMOUNT; for a number above any book, INSUFFICIENT_BALANCE if the order's own funds lack
 */
export function readBracketLegs(
  { legs, oto }: BracketFields,
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
  if (oto === undefined) return attached;
  return { ...attached, oto: readOtoTerms(oto, order, market, reader, exchange) };
}
