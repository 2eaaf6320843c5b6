import type { Trailing } from '../../engine/command.ts';
import { MAX_TRAILING_BASIS_POINTS } from '../../engine/limits.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { isPresent } from './order-fields.ts';
import { type GridError, readNumber, readPrice } from './order-number.ts';

/** The fields of a trailing stop in a body. */
export const TRAILING_FIELDS = ['trailingAmount', 'trailingPercent', 'activationPrice'] as const;

/** Returns the first field of a trailing stop that a body has. */
export function findTrailingField(body: JsonObject): string | undefined {
  return TRAILING_FIELDS.find((field) => isPresent(body[field]));
}

/** Rejects the fields of a trailing stop in an order of another type. @throws ApiError INVALID_PRICE */
export function refuseTrailing(body: JsonObject, prefix = ''): void {
  const name = findTrailingField(body);
  if (name === undefined) return;
  const field = `${prefix}${name}`;
  const message = `Only a trailing stop takes ${field}. Remove it, or send type trailing_stop.`;
  throw new ApiError('INVALID_PRICE', message, { field, rule: 'trailingStopsOnly' });
}

/**
 * Reads the terms of a trailing stop: one distance, and maybe an activation price.
 * @param prefix The path of the fields in the body. @param isChange Whether a distance may be missing.
 * @throws ApiError INVALID_PRICE
 */
export function readTrailing(
  body: JsonObject,
  market: Market,
  offGrid: GridError | undefined,
  prefix = '',
  isChange = false,
): Trailing {
  const hasAmount = isPresent(body.trailingAmount);
  const hasPercent = isPresent(body.trailingPercent);
  if (hasAmount === hasPercent && (hasAmount || !isChange)) {
    const field = `${prefix}trailingAmount`;
    const message = `Send either ${field} or ${prefix}trailingPercent.`;
    throw new ApiError('INVALID_PRICE', message, { field, rule: 'amountOrPercent' });
  }
  const read = (field: (typeof TRAILING_FIELDS)[number]) =>
    isPresent(body[field]) ? readTerm(body[field], field, `${prefix}${field}`, market, offGrid) : 0;
  return {
    amount: read('trailingAmount'),
    basisPoints: read('trailingPercent'),
    activationPrice: read('activationPrice'),
  };
}

function readTerm(
  value: JsonValue | undefined,
  field: (typeof TRAILING_FIELDS)[number],
  path: string,
  market: Market,
  offGrid: GridError | undefined,
): number {
  if (field === 'trailingPercent') return fit(readPercent(value, path), path, '50', 'maximum');
  const { rules } = market;
  const maximum = formatUnits(rules.maxPrice, rules.priceDecimals);
  return fit(readPrice(value, market, path, offGrid), path, maximum, 'maxPrice');
}

/** Returns hundredths of a percent. */
function readPercent(value: JsonValue | undefined, field: string): Exact {
  return readNumber(value, {
    code: 'INVALID_PRICE',
    field,
    rule: 'decimals',
    decimals: 2,
    multiple: 1,
    minimum: 1,
    maximum: MAX_TRAILING_BASIS_POINTS,
  });
}

/** Returns a number that is small enough for a command. @throws ApiError */
function fit(units: Exact, field: string, maximum: string, rule: string): number {
  if (typeof units === 'number') return units;
  throw new ApiError('INVALID_PRICE', `${field} is above the maximum of ${maximum}.`, {
    field,
    rule,
    nearest: new JsonNumber(maximum),
  });
}
