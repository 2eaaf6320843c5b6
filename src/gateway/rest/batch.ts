import type { Call } from '../call.ts';
import { describe } from '../description.ts';
import { successBody } from '../envelope.ts';
import { ERRORS, type ErrorCode, errorBody, quoteSender } from '../errors.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../json.ts';
import { exampleOf, list, record } from '../json-schema.ts';
import { knownError } from '../known-errors.ts';
import { errorSchema } from '../openapi-components.ts';
import { ORDER_SCHEMA } from '../order-schema.ts';
import { invalid } from '../query.ts';
import { one, RECORDS } from '../record-schemas.ts';
import { submitOrder } from './orders.ts';

/** Most orders in one request (API section 3). */
const MAX_ORDERS = 15;

/**
 * POST /api/orders/batch: places several orders, next to each other in the log; `{results}`, an
 * envelope for each in the order they were sent.
 */
export async function placeOrders(call: Call): Promise<string> {
  const orders = readList(call.body());
  if (orders.length > 1) call.countFurther(orders.length - 1);
  const results = await Promise.all(orders.map((order) => resultOf(call, order)));
  return `{"results":[${results.join(',')}]}`;
}

const RESULT = {
  oneOf: [
    record({ success: { const: true }, data: one('Order') }),
    errorSchema(Object.keys(ERRORS) as ErrorCode[]),
  ],
};

placeOrders.description = describe({
  operationId: 'placeOrders',
  tag: 'Trading',
  summary: 'Place several orders in one request',
  notes:
    'Each has its own result, in the order they were sent: one that is refused does not hinder the ' +
    'others. They are placed one right after the other. Each order counts as a request towards the rate limit; ' +
    'a batch that exceeds it is rejected as a whole.',
  body: {
    schema: {
      type: 'object',
      required: ['orders'],
      additionalProperties: false,
      properties: {
        orders: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_ORDERS,
          items: { anyOf: [ORDER_SCHEMA, { description: 'Anything else is refused by itself.' }] },
        },
      },
    },
    examples: {
      ladder: {
        orders: [
          { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 44000 },
          { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.02, price: 43000 },
        ],
      },
    },
  },
  data: record({
    results: {
      ...list(RESULT, 'An envelope for each of the orders.'),
      examples: [[{ success: true, data: exampleOf(RECORDS.Order, RECORDS) }]],
    },
  }),
  errors: ['OVERLOADED'],
});

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
    // One order's failure says nothing about the others: each has a result, whatever became of it.
    const known = knownError(error);
    if (known !== undefined) return errorBody(known);
    throw error;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPlain && !(value instanceof JsonNumber);
}
