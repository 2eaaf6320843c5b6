import type { Attached, OcoLeg } from '../../engine/command.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { quoteSender } from '../http/errors.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json.ts';
import { invalid } from '../http/query.ts';
import { type OffGrid, readPrice } from './order-number.ts';
import { isPresent } from './order-request.ts';

/** Take profits and stops within a body: those of a pair, and those attached to an order. */

export type LegName = keyof Attached;

export const LEG_NAMES: readonly LegName[] = ['takeProfit', 'stopLoss'];
const LEG_FIELDS: readonly string[] = ['price', 'triggerPrice'];

/** Its prices, a bigint where one is beyond any book. */
export type LegPrices = { readonly [Field in keyof OcoLeg]: Exact };

/** @throws ApiError INVALID_REQUEST naming the field that is not among those known */
export function checkFields(object: JsonObject, known: readonly string[], prefix: string): void {
  for (const field in object) {
    if (known.includes(field)) continue;
    const name = `${prefix}${field}`;
    throw invalid(name, 'unknownField', `There is no field ${quoteSender(name)} here.`);
  }
}

/** The form of one of them. @param path How it is called from the body down. */
export function readLeg(value: JsonValue | undefined, path: string): JsonObject {
  const leg = readObject(value, path, `Send ${path}: an object with price, triggerPrice or both.`);
  checkFields(leg, LEG_FIELDS, `${path}.`);
  return leg;
}

export function readObject(
  value: JsonValue | undefined,
  path: string,
  message: string,
): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && !(value instanceof JsonNumber)) return value;
  throw invalid(path, 'object', message);
}

/**
 * A stop needs its trigger, a take profit that or a price; 0 for what is left out.
 * @throws ApiError INVALID_PRICE
 */
export function readLegPrices(
  leg: JsonObject,
  name: LegName,
  path: string,
  market: Market,
  offGrid: OffGrid,
): LegPrices {
  const isPriced = name === 'takeProfit' && !isPresent(leg.triggerPrice);
  const read = (field: keyof OcoLeg, isNeeded: boolean): Exact =>
    isNeeded || isPresent(leg[field])
      ? readPrice(leg[field], market, `${path}.${field}`, offGrid)
      : 0;
  return {
    price: read('price', isPriced),
    triggerPrice: read('triggerPrice', name === 'stopLoss'),
  };
}

export function fitsBook(leg: LegPrices): leg is OcoLeg {
  return typeof leg.price === 'number' && typeof leg.triggerPrice === 'number';
}
