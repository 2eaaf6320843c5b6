import type { JsonObject, JsonValue } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { successBody } from '../../http/response/envelope.ts';
import {
  ApiError,
  ERRORS,
  type ErrorCode,
  errorBody,
  quoteSender,
} from '../../http/response/errors.ts';
import { knownError } from '../../http/response/known-errors.ts';
import { errorSchema } from '../../openapi/components.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, list, makeExample, record } from '../../openapi/json-schema.ts';
import { batchBody, MAX_ORDERS } from '../../openapi/order-schema.ts';
import { RECORDS, recordRef } from '../../openapi/record-schemas.ts';
import { readObject } from '../../orders/order-fields.ts';
import { type PreparedOrder, prepareOrder, submitWithExtras } from './orders.ts';

/**
 * POST /api/orders/batch: places several orders, adjacent in the log. `{results}` has an envelope for each
 * order, in the order of the request.
 */
export async function placeOrders(call: Call): Promise<string> {
  const orders = call.account.isFrozen ? readFrozenList(call) : readList(call.body());
  if (orders.length > 1) call.countFurther(orders.length - 1);
  const preparing = orders.map((order) => attempt(() => prepareOne(call, order)));
  // All are submitted synchronously unless history has to be queried.
  const prepared = preparing.some((each) => each instanceof Promise)
    ? await Promise.all(preparing)
    : (preparing as Attempt<PreparedOrder>[]);
  const results = await Promise.all(
    prepared.map((each, index) => submit(call, each, orders[index]!)),
  );
  if (call.account.isFrozen) rejectFrozen(results);
  return `{"results":[${results.map(envelope).join(',')}]}`;
}

const RESULT = {
  oneOf: [
    record({ success: { const: true }, data: recordRef('Order') }),
    errorSchema(Object.keys(ERRORS) as ErrorCode[]),
  ],
};

placeOrders.description = describe({
  operationId: 'placeOrders',
  tag: 'Trading',
  summary: 'Place several orders in one request',
  notes:
    'Each order has its own result, in the order of the request: a rejected order does not affect the others. ' +
    'They are placed one right after the other. Each order counts as a request towards the rate limit; ' +
    'a batch that exceeds it is rejected as a whole.',
  body: {
    schema: fromZod(batchBody),
    examples: {
      ladder: {
        orders: [
          { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 116000 },
          { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.02, price: 115000 },
        ],
      },
    },
  },
  data: record({
    results: {
      ...list(RESULT, 'An envelope for each order.'),
      examples: [[{ success: true, data: makeExample(RECORDS.Order, RECORDS) }]],
    },
  }),
  errors: ['OVERLOADED'],
});

function readList(body: JsonObject): readonly JsonValue[] {
  for (const field in body) {
    if (field !== 'orders') {
      throw invalid(field, 'unknownField', `Unknown field ${quoteSender(field)}.`);
    }
  }
  const { orders } = body;
  if (Array.isArray(orders) && orders.length >= 1 && orders.length <= MAX_ORDERS) return orders;
  const message = `orders must be an array of 1 to ${MAX_ORDERS} orders.`;
  throw invalid('orders', `1 to ${MAX_ORDERS}`, message);
}

/** A result, or the error in its place. */
type Attempt<Result> = Result | ApiError;

/** Returns the result or the API error of `work`. @throws any other error */
function attempt<Result>(
  work: () => Result | Promise<Result>,
): Attempt<Result> | Promise<Attempt<Result>> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(toApiError) : result;
  } catch (error) {
    return toApiError(error);
  }
}

/** Returns the API error of a failed order. @throws any other error */
function toApiError(thrown: unknown): ApiError {
  const known = knownError(thrown);
  if (known !== undefined) return known;
  throw thrown;
}

function prepareOne(call: Call, order: JsonValue): PreparedOrder | Promise<PreparedOrder> {
  return prepareOrder(call, readObject(order, 'orders', 'Each order must be an object.'));
}

/** @param order The order that was prepared. */
function submit(
  call: Call,
  prepared: Attempt<PreparedOrder>,
  order: JsonValue,
): Attempt<string> | Promise<Attempt<string>> {
  if (prepared instanceof ApiError) return prepared;
  return attempt(() => submitWithExtras(call, prepared, order as JsonObject));
}

function envelope(result: Attempt<string>): string {
  return result instanceof ApiError ? errorBody(result) : successBody(result);
}

/** Returns the orders of a frozen account. @throws ApiError ACCOUNT_FROZEN if the body is invalid */
function readFrozenList(call: Call): readonly JsonValue[] {
  try {
    return readList(call.body());
  } catch (error) {
    throw error instanceof ApiError ? new ApiError('ACCOUNT_FROZEN') : error;
  }
}

/** Rejects the whole batch, unless it repeats an order that was placed before the freeze. */
function rejectFrozen(results: readonly Attempt<string>[]): void {
  const rejections = results.filter((each) => each instanceof ApiError);
  if (rejections.length === results.length) throw new ApiError('ACCOUNT_FROZEN');
}
