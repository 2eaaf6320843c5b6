import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { formatUnits, nearestOnGrid, parseUnits } from '../../engine/numbers/units.ts';
import { ApiError } from '../http/errors.ts';
import { JsonNumber, type JsonValue } from '../http/json.ts';

/** The numbers that a market takes in one field of an order. */
interface Grid {
  readonly code: 'INVALID_AMOUNT' | 'INVALID_PRICE';
  readonly field: string;
  readonly rule: 'stepSize' | 'tickSize' | 'decimals';
  /** Decimals of a unit. */
  readonly decimals: number;
  /** In units, as are the bounds. */
  readonly multiple: number;
  readonly least: Exact;
  /** Undefined where there is no bound. */
  readonly most: number | undefined;
}

/**
 * The first reason for which numbers are off their market's grid, where that is not the end of it: an order
 * that was placed when they were on it is answered again.
 */
export class OffGrid {
  first: ApiError | undefined;
}

/** @throws ApiError INVALID_AMOUNT */
export function readAmount(
  value: JsonValue | undefined,
  { rules }: Market,
  offGrid?: OffGrid,
): Exact {
  const grid: Grid = {
    code: 'INVALID_AMOUNT',
    field: 'amount',
    rule: 'stepSize',
    decimals: rules.amountDecimals,
    multiple: rules.step,
    least: rules.minAmount,
    most: rules.maxAmount,
  };
  return readOnGrid(value, grid, offGrid);
}

/** @throws ApiError INVALID_PRICE */
export function readPrice(
  value: JsonValue | undefined,
  { rules }: Market,
  field = 'price',
  offGrid?: OffGrid,
): Exact {
  const grid: Grid = {
    code: 'INVALID_PRICE',
    field,
    rule: 'tickSize',
    decimals: rules.priceDecimals,
    multiple: rules.tick,
    least: rules.minPrice,
    most: rules.maxPrice,
  };
  return readOnGrid(value, grid, offGrid);
}

/** What a market buy may spend, in the quote's minor units. @throws ApiError INVALID_AMOUNT */
export function readCost(value: JsonValue | undefined, { rules, quote }: Market): Exact {
  return readOnGrid(value, {
    code: 'INVALID_AMOUNT',
    field: 'cost',
    rule: 'decimals',
    decimals: quote.decimals,
    multiple: 1,
    least: rules.minNotional === 0 ? 1 : rules.minNotional,
    most: undefined,
  });
}

/**
 * A number above zero and on the grid, in units: a bigint where it is beyond any book. One off the grid
 * is noted in `offGrid` if it is given, else an error. The bounds
 * are not checked here (API section 1: after funds); they only keep `nearest` acceptable.
 */
function readOnGrid(value: JsonValue | undefined, grid: Grid, offGrid?: OffGrid): Exact {
  const { code, field, decimals, multiple } = grid;
  const above = `Send ${field}: a number above zero.`;
  if (value === undefined || value === null) {
    throw new ApiError(code, above, { field, rule: 'required' });
  }
  if (!(value instanceof JsonNumber)) {
    const message = `Send ${field} as a JSON number, without quotes.`;
    throw new ApiError(code, message, { field, rule: 'number' });
  }
  const parsed = parseUnits(value.text, decimals);
  if (parsed === 'tooLong') {
    const message = `Send ${field} with at most 40 characters and an exponent within ±30.`;
    throw new ApiError(code, message, { field, rule: 'tooLong' });
  }
  const units = typeof parsed === 'string' ? undefined : parsed;
  const isNegative = value.text.charCodeAt(0) === MINUS;
  if (isNegative || (units !== undefined && units <= 0)) {
    const nearest = new JsonNumber(formatUnits(grid.least, decimals));
    throw new ApiError(code, above, { field, rule: 'positive', nearest });
  }
  const isOnGrid =
    units !== undefined &&
    (typeof units === 'number' ? units % multiple === 0 : units % BigInt(multiple) === 0n);
  if (isOnGrid) return units;
  const error = offGridError(value.text, grid);
  // What is no whole number of units has never been placed.
  if (units === undefined || offGrid === undefined) throw error;
  offGrid.first ??= error;
  return units;
}

const MINUS = 0x2d;

function offGridError(literal: string, grid: Grid): ApiError {
  const { code, field, rule, decimals, multiple } = grid;
  const nearest = nearestWithin(literal, grid);
  const is = nearest === undefined ? '.' : `; the nearest is ${nearest}.`;
  return new ApiError(
    code,
    `${field} must be a multiple of ${formatUnits(multiple, decimals)}${is}`,
    {
      field,
      rule,
      nearest: nearest === undefined ? undefined : new JsonNumber(nearest),
    },
  );
}

/** The number nearest to a literal that is on the grid and within the bounds. */
function nearestWithin(literal: string, grid: Grid): string | undefined {
  const { decimals, multiple, least, most } = grid;
  const nearest = nearestOnGrid(literal, decimals, multiple);
  // Without one, the nearest multiple is too long to be sent: far above any bound.
  const units = nearest === undefined ? most : (parseUnits(nearest, decimals) as Exact);
  if (units === undefined) return undefined;
  if (units < least) return formatUnits(least, decimals);
  return formatUnits(most !== undefined && units > most ? most : units, decimals);
}
