import type { OtoTerms, PlaceOrder, PlainLeg } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { requiredToPlace } from '../../engine/orders/validate.ts';
import { OrderType, type Side, sides, TimeInForce, timesInForce } from '../../engine/terms.ts';
import type { JsonObject, JsonValue } from '../http/json.ts';
import { invalid } from '../http/request/query.ts';
import { checkFields, isPresent, readObject } from './order-fields.ts';
import { readAmount, readPrice } from './order-number.ts';
import { type OrderReader, tooLarge } from './order-reader.ts';

/** The terms of attached orders that await the complete fill, checked for their form; their numbers are not read yet. */
export interface OtoFields {
  readonly side: Side;
  readonly amount: JsonValue;
  readonly order: { readonly terms: Omit<PlainLeg, 'price'>; readonly price: JsonValue } | null;
}

/** The fields of `attached` that make its orders await the complete fill. */
export const OTO_FIELDS: readonly string[] = ['side', 'amount', 'order'];
const ORDER_FIELDS: ReadonlySet<string> = new Set(['type', 'price', 'timeInForce']);
const TYPES = ['limit', 'market'] as const;
const TIMES_IN_FORCE = timesInForce.filter((name) => name !== 'GTD');

/**
 * Reads the form of the fields of `attached` other than its take profit and stop loss.
 * @returns Undefined if there are none. @throws ApiError INVALID_REQUEST
 */
export function readOtoFields(attached: JsonObject): OtoFields | undefined {
  const side = readChoice(attached.side, 'attached.side', sides);
  const { amount = null, order = null } = attached;
  if ((side === undefined) !== (amount === null)) {
    const field = side === undefined ? 'attached.side' : 'attached.amount';
    const message = 'attached takes side and amount together. Send both or neither.';
    throw invalid(field, 'sideAndAmount', message);
  }
  if (side === undefined || amount === null) {
    if (order === null) return undefined;
    const message = 'attached.order needs attached.side and attached.amount.';
    throw invalid('attached.side', 'required', message);
  }
  return { side: side as Side, amount, order: order === null ? null : readOrderFields(order) };
}

function readOrderFields(value: JsonValue): OtoFields['order'] {
  const message = 'attached.order must be an object with type, and price for a limit order.';
  const order = readObject(value, 'attached.order', message);
  checkFields(order, ORDER_FIELDS, 'attached.order.');
  const path = 'attached.order.timeInForce';
  const given = readChoice(order.timeInForce, path, TIMES_IN_FORCE);
  const type = readChoice(order.type, 'attached.order.type', TYPES);
  if (type === undefined) throw invalid('attached.order.type', TYPES.join(' or '), message);
  const { price = null } = order;
  if (type === 0) {
    const terms = { type: OrderType.limit, timeInForce: given ?? TimeInForce.gtc } as const;
    return { terms, price };
  }
  if (isPresent(price)) {
    const message = 'A market order takes no price. Remove attached.order.price.';
    throw invalid('attached.order.price', 'limitOrdersOnly', message);
  }
  if (given === TimeInForce.gtc) {
    const message = 'A market order cannot rest in the book. Omit timeInForce, or send IOC or FOK.';
    throw invalid(path, 'marketOrder', message);
  }
  return { terms: { type: OrderType.market, timeInForce: given ?? TimeInForce.ioc }, price: null };
}

/** Returns the index of a name in a closed list, undefined if the field is absent. */
function readChoice(
  value: JsonValue | undefined,
  path: string,
  names: readonly string[],
): number | undefined {
  if (!isPresent(value)) return undefined;
  const index = names.indexOf(value as string);
  if (index >= 0) return index;
  throw invalid(path, names.join(', '), `${path} must be one of ${names.join(', ')}.`);
}

/**
 * Reads the numbers of attached orders that await the complete fill of a valid order.
 * @throws ApiError INVALID_AMOUNT, INVALID_PRICE; for a number above any book, INSUFFICIENT_BALANCE if the order's own
 *   funds lack
 */
export function readOtoTerms(
  { side, amount, order }: OtoFields,
  parent: PlaceOrder,
  market: Market,
  reader: OrderReader,
  exchange: Exchange,
): OtoTerms {
  const fit = (number: ReturnType<typeof readAmount>, field: string): number => {
    if (typeof number === 'number') return number;
    const required = requiredToPlace(exchange.state, parent, market);
    throw tooLarge(required, parent.side, market, reader, exchange, field);
  };
  const field = 'attached.amount';
  const units = fit(readAmount(amount, market, reader.offGrid, field), field);
  if (order === null) return { side, amount: units, order };
  const { type, timeInForce } = order.terms;
  if (type === OrderType.market)
    return { side, amount: units, order: { type, timeInForce, price: 0 } };
  const path = 'attached.order.price';
  const price = fit(readPrice(order.price, market, path, reader.offGrid), path);
  return { side, amount: units, order: { type, timeInForce, price } };
}
