import type { Call } from '../call.ts';
import { successBody } from '../envelope.ts';
import { ApiError, errorBody, quoteSender } from '../errors.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../json.ts';
import { invalid } from '../query.ts';
import { submitOrder } from './orders.ts';

/** Most orders in one request (API section 3). */
const MAX_ORDERS = 15;

/**
 * POST /api/orders/batch: places several orders, next to each other in the log; `{results}`, an
 * envelope for each in the order they were sent.
 */
export async function placeOrders(call: Call): Promise<string> {
  const orders = readList(call.body());
  if (call.services.replica.isOverloaded) throw new ApiError('OVERLOADED');
  const results = await Promise.all(orders.map((order) => resultOf(call, order)));
  return `{"results":[${results.join(',')}]}`;
}

function readList(body: JsonObject): readonly JsonValue[] {
  for (const field in body) {
    if (field !== 'orders') {
      throw invalid(field, 'unknownField', `There is no field ${quoteSender(field)} here.`);
    }
  }
  const { orders } = body;
  if (Array.isArray(orders) && orders.length >= 1 && orders.length <= MAX_ORDERS) return orders;
  const message = `Send orders: an array of 1 to ${MAX_ORDERS} orders.`;
  throw invalid('orders', `1 to ${MAX_ORDERS}`, message);
}

async function resultOf(call: Call, order: JsonValue): Promise<string> {
  try {
    if (!isObject(order)) throw invalid('orders', 'object', 'Each of the orders is an object.');
    return successBody(await submitOrder(call, order));
  } catch (error) {
    if (error instanceof ApiError) return errorBody(error);
    throw error;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPlain && !(value instanceof JsonNumber);
}
