import type { OcoLeg } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import type { JsonObject, JsonValue } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { checkFields, isPresent, readObject } from './order-fields.ts';
import { type GridError, readPrice } from './order-number.ts';
import { findTrailingField, readTrailing, TRAILING_FIELDS } from './trailing-request.ts';

/** Legs in a body: the two of an OCO order, and those attached to a bracket order. */

export type LegName = 'takeProfit' | 'stopLoss';

export const LEG_NAMES: readonly LegName[] = ['takeProfit', 'stopLoss'];
const PRICE_FIELDS: ReadonlySet<string> = new Set(['price', 'triggerPrice']);
/** The fields of a leg. The amount of an attached one is known only when it is activated, so it has no visible amount. */
export const LEG_FIELDS: Readonly<Record<LegName, ReadonlySet<string>>> = {
  takeProfit: PRICE_FIELDS,
  stopLoss: PRICE_FIELDS.union(new Set(TRAILING_FIELDS)),
};

/** The prices of a leg; a bigint is above any book. */
export type LegPrices = { readonly [Field in 'price' | 'triggerPrice']: Exact } & Pick<
  OcoLeg,
  'trailing'
>;

/**
 * Checks the form of a leg; its numbers are not read yet.
 * @param path Its path in the body. @param fields The fields it takes since engine version 2.
 * @param version Engine version of the state.
 * @throws ApiError INVALID_REQUEST
 */
export function readLeg(
  value: JsonValue | undefined,
  path: string,
  fields: ReadonlySet<string>,
  version: number,
): JsonObject {
  const message = `${path} must be an object with price, triggerPrice or both.`;
  const leg = readObject(value, path, message);
  checkFields(leg, version < 2 ? PRICE_FIELDS : fields, `${path}.`);
  return leg;
}

/**
 * Reads the prices of a leg, 0 for one that is absent. A stop loss needs a trigger price, a take profit a trigger
 * price or a price.
 * @throws ApiError INVALID_PRICE
 */
export function readLegPrices(
  leg: JsonObject,
  name: LegName,
  path: string,
  market: Market,
  offGrid: GridError,
): LegPrices {
  if (findTrailingField(leg) !== undefined) return readTrailingLeg(leg, path, market, offGrid);
  const needsPrice = name === 'takeProfit' && !isPresent(leg.triggerPrice);
  const read = (field: keyof OcoLeg, isRequired: boolean): Exact =>
    isRequired || isPresent(leg[field])
      ? readPrice(leg[field], market, `${path}.${field}`, offGrid)
      : 0;
  return {
    price: read('price', needsPrice),
    triggerPrice: read('triggerPrice', name === 'stopLoss'),
  };
}

/** Reads a stop-loss leg that is a trailing stop, which has no price of its own. @throws ApiError INVALID_PRICE */
function readTrailingLeg(
  leg: JsonObject,
  path: string,
  market: Market,
  offGrid: GridError,
): LegPrices {
  for (const name of ['price', 'triggerPrice']) {
    if (!isPresent(leg[name])) continue;
    const field = `${path}.${name}`;
    const message = `A trailing stop takes no ${name}. Remove ${field}.`;
    throw new ApiError('INVALID_PRICE', message, { field, rule: 'notTrailingStops' });
  }
  const trailing = readTrailing(leg, market, offGrid, `${path}.`);
  return { price: 0, triggerPrice: 0, trailing };
}

/** Returns whether both prices are small enough for a command. */
export function fitsBook(leg: LegPrices): leg is OcoLeg {
  return typeof leg.price === 'number' && typeof leg.triggerPrice === 'number';
}
