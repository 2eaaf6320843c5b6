import type { Attached, OcoLeg } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import type { JsonObject, JsonValue } from '../http/json.ts';
import { checkFields, isPresent, readObject } from './order-fields.ts';
import { type GridError, readPrice } from './order-number.ts';

/** Legs in a body: the two of an OCO order, and those attached to a bracket order. */

export type LegName = keyof Attached;

export const LEG_NAMES: readonly LegName[] = ['takeProfit', 'stopLoss'];
const LEG_FIELDS: ReadonlySet<string> = new Set(['price', 'triggerPrice']);

/** The prices of a leg; a bigint is above any book. */
export type LegPrices = { readonly [Field in 'price' | 'triggerPrice']: Exact };

/**
 * Checks the form of a leg; its numbers are not read yet.
 * @param path Its path in the body.
 * @throws ApiError INVALID_REQUEST
 */
export function readLeg(value: JsonValue | undefined, path: string): JsonObject {
  const message = `${path} must be an object with price, triggerPrice or both.`;
  const leg = readObject(value, path, message);
  checkFields(leg, LEG_FIELDS, `${path}.`);
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

/** Returns whether both prices are small enough for a command. */
export function fitsBook(leg: LegPrices): leg is OcoLeg {
  return typeof leg.price === 'number' && typeof leg.triggerPrice === 'number';
}
