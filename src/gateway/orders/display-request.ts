import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { TimeInForce } from '../../engine/terms.ts';
import { JsonNumber, type JsonObject } from '../http/json.ts';
import { ApiError } from '../http/response/errors.ts';
import { isPresent } from './order-fields.ts';
import { type GridError, readAmount } from './order-number.ts';

/** Rejects a visible amount in an order of another type than limit. @throws ApiError INVALID_AMOUNT */
export function refuseDisplay(body: JsonObject, prefix = ''): void {
  if (!isPresent(body.displayAmount)) return;
  const field = `${prefix}displayAmount`;
  const message = `Only a limit order without a trigger takes ${field}. Remove it.`;
  throw new ApiError('INVALID_AMOUNT', message, { field, rule: 'limitOrdersOnly' });
}

/**
 * Reads the visible amount of a limit order, in amount units; undefined if it is absent.
 * @throws ApiError INVALID_AMOUNT
 */
export function readDisplay(
  body: JsonObject,
  timeInForce: number,
  market: Market,
  offGrid: GridError | undefined,
  field = 'displayAmount',
): number | undefined {
  if (!isPresent(body.displayAmount)) return undefined;
  if (timeInForce === TimeInForce.ioc || timeInForce === TimeInForce.fok) {
    const message = `${field} needs an order that can rest in the book. Send GTC or GTD, or remove it.`;
    throw new ApiError('INVALID_AMOUNT', message, { field, rule: 'restingOrder' });
  }
  const units = readAmount(body.displayAmount, market, offGrid, field);
  if (typeof units === 'number') return units;
  const { rules } = market;
  const maximum = formatUnits(rules.maxAmount, rules.amountDecimals);
  throw new ApiError('INVALID_AMOUNT', `${field} is above the maximum of ${maximum}.`, {
    field,
    rule: 'maxAmount',
    nearest: new JsonNumber(maximum),
  });
}
