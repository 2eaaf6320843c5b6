import type { Market } from '../../engine/markets/markets.ts';
import type { Exact } from '../../engine/numbers/exact.ts';
import { formatUnits, nearestOnGrid, parseUnits } from '../../engine/numbers/units.ts';
import { JsonNumber, type JsonValue } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';

/** The numbers that a market accepts in one field of an order. */
export interface Grid {
  readonly code: 'INVALID_AMOUNT' | 'INVALID_PRICE';
  readonly field: string;
  readonly rule: 'stepSize' | 'tickSize' | 'decimals';
  /** Decimals of a unit. */
  readonly decimals: number;
  /** In units, as are the bounds. */
  readonly multiple: number;
  readonly minimum: Exact;
  /** Undefined if unbounded. */
  readonly maximum: number | undefined;
}

/**
 * Holds the error for the first number that is off its market's grid. It is not thrown at once: if the same order
 * was placed on an earlier grid, the request is answered with that order.
 */
export class GridError {
  first: ApiError | undefined;
}

/** @throws ApiError INVALID_AMOUNT */
export function readAmount(
  value: JsonValue | undefined,
  { rules }: Market,
  offGrid?: GridError,
  field = 'amount',
): Exact {
  const grid: Grid = {
    code: 'INVALID_AMOUNT',
    field,
    rule: 'stepSize',
    decimals: rules.amountDecimals,
    multiple: rules.step,
    minimum: rules.minAmount,
    maximum: rules.maxAmount,
  };
  return readOnGrid(value, grid, offGrid);
}

/** @throws ApiError INVALID_PRICE */
export function readPrice(
  value: JsonValue | undefined,
  { rules }: Market,
  field = 'price',
  offGrid?: GridError,
): Exact {
  const grid: Grid = {
    code: 'INVALID_PRICE',
    field,
    rule: 'tickSize',
    decimals: rules.priceDecimals,
    multiple: rules.tick,
    minimum: rules.minPrice,
    maximum: rules.maxPrice,
  };
  return readOnGrid(value, grid, offGrid);
}

/** Reads the budget of a market buy, in minor units of the quote asset. @throws ApiError INVALID_AMOUNT */
export function readCost(value: JsonValue | undefined, { rules, quote }: Market): Exact {
  return readOnGrid(value, {
    code: 'INVALID_AMOUNT',
    field: 'cost',
    rule: 'decimals',
    decimals: quote.decimals,
    multiple: 1,
    minimum: rules.minNotional === 0 ? 1 : rules.minNotional,
    maximum: undefined,
  });
}

/** Reads a number on a grid that is not one of a market. @throws ApiError */
export function readNumber(value: JsonValue | undefined, grid: Grid): Exact {
  return readOnGrid(value, grid);
}

/** Returns a field's name as the first word of a message: `Amount`, but `triggerPrice` as it is spelled. */
export function formatSubject(field: string): string {
  return /^[a-z]+$/.test(field) ? field[0]!.toUpperCase() + field.slice(1) : field;
}

/**
 * Returns a positive number on the grid, in units; it is a bigint if it is above any book. A number off the grid
 * is noted in `offGrid` if given, and thrown as an error otherwise. The bounds are not checked here, because funds
 * are checked before them: they only limit the suggested `nearest`.
 */
function readOnGrid(value: JsonValue | undefined, grid: Grid, offGrid?: GridError): Exact {
  const { code, field, decimals, multiple } = grid;
  if (value === undefined || value === null) {
    throw new ApiError(code, `${formatSubject(field)} is required.`, { field, rule: 'required' });
  }
  if (!(value instanceof JsonNumber)) {
    const message = `${formatSubject(field)} must be a JSON number, without quotes.`;
    throw new ApiError(code, message, { field, rule: 'number' });
  }
  const parsed = parseUnits(value.text, decimals);
  if (parsed === 'tooLong') {
    throw new ApiError(code, tooLongMessage(field), { field, rule: 'tooLong' });
  }
  const units = typeof parsed === 'string' ? undefined : parsed;
  const isNegative = value.text.charCodeAt(0) === MINUS;
  if (isNegative || (units !== undefined && units <= 0)) {
    const nearest = new JsonNumber(formatUnits(grid.minimum, decimals));
    const message = `${formatSubject(field)} must be greater than zero.`;
    throw new ApiError(code, message, { field, rule: 'positive', nearest });
  }
  const isOnGrid =
    units !== undefined &&
    (typeof units === 'number' ? units % multiple === 0 : units % BigInt(multiple) === 0n);
  if (isOnGrid) return units;
  const error = offGridError(value.text, grid);
  // A fraction of a unit can never have been placed, on any grid.
  if (units === undefined || offGrid === undefined) throw error;
  offGrid.first ??= error;
  return units;
}

const MINUS = 0x2d;

/** Returns the message for a number literal that is longer than any that is accepted. */
export function tooLongMessage(field: string): string {
  return `${formatSubject(field)} is too long. Use at most 40 characters and an exponent within ±30.`;
}

function offGridError(literal: string, grid: Grid): ApiError {
  const { code, field, rule, decimals, multiple } = grid;
  const nearest = nearestWithin(literal, grid);
  const suggestion = nearest === undefined ? '' : ` (nearest: ${nearest})`;
  return new ApiError(
    code,
    `${formatSubject(field)} must be a multiple of ${formatUnits(multiple, decimals)}${suggestion}.`,
    {
      field,
      rule,
      nearest: nearest === undefined ? undefined : new JsonNumber(nearest),
    },
  );
}

/** Returns the number nearest to a literal that is on the grid and within the bounds. */
function nearestWithin(literal: string, grid: Grid): string | undefined {
  const { decimals, multiple, minimum, maximum } = grid;
  const nearest = nearestOnGrid(literal, decimals, multiple);
  // Undefined means that the nearest multiple is too long to be sent, so it is far above any bound.
  const units = nearest === undefined ? maximum : (parseUnits(nearest, decimals) as Exact);
  if (units === undefined) return undefined;
  if (units < minimum) return formatUnits(minimum, decimals);
  return formatUnits(maximum !== undefined && units > maximum ? maximum : units, decimals);
}
