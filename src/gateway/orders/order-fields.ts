import type { Exchange } from '../../engine/exchange.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { type Side, sides } from '../../engine/terms.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json.ts';
import {
  CLIENT_ORDER_ID,
  invalid,
  invalidClientOrderId,
  parseTimeValue,
} from '../http/request/query.ts';
import { ApiError, quoteSender } from '../http/response/errors.ts';

/** Returns whether an optional field was sent; `null` counts as absent. */
export function isPresent(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

/** @throws ApiError INVALID_REQUEST naming the first field that is not in `known` */
export function checkFields(object: JsonObject, known: ReadonlySet<string>, prefix = ''): void {
  for (const field in object) {
    if (known.has(field)) continue;
    const name = `${prefix}${field}`;
    throw invalid(name, 'unknownField', `Unknown field ${quoteSender(name)}. Remove it.`);
  }
}

/** @throws ApiError INVALID_REQUEST if the value is not a JSON object */
export function readObject(
  value: JsonValue | undefined,
  path: string,
  message: string,
): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && !(value instanceof JsonNumber)) return value;
  throw invalid(path, 'object', message);
}

/** @throws ApiError INVALID_SYMBOL */
export function readMarket(symbol: JsonValue | undefined, exchange: Exchange): Market {
  const market =
    typeof symbol === 'string' ? exchange.state.marketsBySymbol.get(symbol) : undefined;
  if (market !== undefined) return market;
  throw new ApiError('INVALID_SYMBOL', undefined, {
    field: 'symbol',
    rule: isPresent(symbol) ? 'a symbol of GET /api/markets, such as "BTC/USDT"' : 'required',
  });
}

/** @throws ApiError INVALID_SIDE */
export function readSide(body: JsonObject): Side {
  const side = sides.indexOf(body.side as 'buy');
  if (side >= 0) return side as Side;
  throw new ApiError('INVALID_SIDE', undefined, { field: 'side', rule: sides.join(' or ') });
}

/** Returns a flag, false if absent. @throws ApiError INVALID_REQUEST */
export function readFlag(body: JsonObject, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw invalid(field, 'boolean', `${field} must be true or false.`);
}

/**
 * Returns the index of a name in a closed list, undefined if the field is absent.
 * @throws ApiError INVALID_REQUEST
 */
export function readName(
  body: JsonObject,
  field: string,
  names: readonly string[],
): number | undefined {
  const value = body[field] ?? null;
  if (value === null) return undefined;
  const index = names.indexOf(value as string);
  if (index >= 0) return index;
  throw invalid(field, names.join(', '), `${field} must be one of ${names.join(', ')}.`);
}

/** @throws ApiError INVALID_REQUEST */
export function readClientOrderId(body: JsonObject): string | null {
  const value = body.clientOrderId ?? null;
  if (value === null) return null;
  if (typeof value === 'string' && CLIENT_ORDER_ID.test(value)) return value;
  throw invalidClientOrderId();
}

/** Returns milliseconds since 1970, 0 if absent. @throws ApiError INVALID_REQUEST */
export function readExpiry(value: JsonValue): number {
  if (value === null) return 0;
  const time = parseTimeValue(value);
  if (time === 0) throw invalid('expiresAt', 'future', 'expiresAt must be in the future.');
  if (time !== undefined) return time;
  const message = 'expiresAt must be an ISO 8601 time with a zone, or milliseconds since 1970.';
  throw invalid('expiresAt', 'time', message);
}
