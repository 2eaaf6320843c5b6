import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { orderTypes } from '../../src/engine/terms.ts';
import { type JsonObject, readJsonObject } from '../../src/gateway/http/json.ts';
import { ApiError } from '../../src/gateway/http/response/errors.ts';
import { ORDER_FIELDS } from '../../src/gateway/openapi/order-schema.ts';
import { GridError } from '../../src/gateway/orders/order-number.ts';
import { readOrder } from '../../src/gateway/orders/order-request.ts';
import { CHECK_TIMEOUT_MS, check } from '../check.ts';
import { isDescribedOrder } from './described.ts';
import { TestExchange } from './exchange.ts';

/** The hand-written reader of POST /api/orders and the schema in the OpenAPI document must accept the same bodies. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const WRONG = [true, false, 0, 1, -1, '', 'x', [], {}, 'GTC', 'buy', '1'];
/** On the grid and within the bounds of the market, which the schema does not cover. */
const POSITIVE = [1, 0.5, 100, 45000];
const NUMBERS = [...POSITIVE, 0, -1, '1', null];
const VALUES: Record<keyof typeof ORDER_FIELDS, readonly unknown[]> = {
  symbol: ['BTC/USDT'],
  side: ['buy', 'sell', 'BUY', null],
  type: [...orderTypes, 'Limit', null],
  amount: NUMBERS,
  price: NUMBERS,
  triggerPrice: NUMBERS,
  trailingAmount: NUMBERS,
  trailingPercent: [1, 0.5, 50, 0, -1, '1', null],
  activationPrice: NUMBERS,
  displayAmount: NUMBERS,
  cost: NUMBERS,
  attached: [
    { takeProfit: { price: 50000 } },
    { takeProfit: { triggerPrice: 50000, price: 50100 }, stopLoss: { triggerPrice: 40000 } },
    { takeProfit: null, stopLoss: { triggerPrice: 40000, price: null } },
    { takeProfit: { price: null, triggerPrice: 1 }, stopLoss: null },
    { takeProfit: null },
    { takeProfit: {} },
    { takeProfit: { price: null } },
    { x: 1 },
    { stopLoss: { price: 1 } },
    { stopLoss: { triggerPrice: null } },
    { stopLoss: [] },
    { stopLoss: { triggerPrice: 1, amount: 1 } },
    { stopLoss: { triggerPrice: '1' } },
    { stopLoss: { trailingAmount: 100 } },
    { stopLoss: { trailingPercent: 2.5, activationPrice: 46000 } },
    { stopLoss: { trailingPercent: 2.5, triggerPrice: 40000 } },
    { stopLoss: { trailingPercent: 2.5, trailingAmount: 100 } },
    { stopLoss: { trailingPercent: 2.5, price: 40000 } },
    { stopLoss: { activationPrice: 40000 } },
    { takeProfit: { trailingPercent: 2.5 } },
    { takeProfit: { price: 50000, displayAmount: 1 } },
    null,
  ],
  timeInForce: ['GTC', 'IOC', 'FOK', 'GTD', 'gtc', null],
  expiresAt: [
    '2126-01-05T12:00:00Z',
    '2126-01-05T12:00:00.5+02:00',
    '4922942400000',
    4922942400000,
    253402300799999,
    253402300800000,
    1.5,
    '2126-01-05',
    '2126-01-05T12:00:00',
    null,
  ],
  postOnly: [true, false, 'true', null],
  clientOrderId: ['bot-1', 'a'.repeat(64), 'a'.repeat(65), 'a b', 'ä', null],
  selfTradePrevention: ['expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none', null],
};
const LIMIT = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1, price: 45000 };
const MARKET = { symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: 1 };
const SPEND = { symbol: 'BTC/USDT', side: 'buy', type: 'market', cost: 100 };
const STOP = { symbol: 'BTC/USDT', side: 'sell', type: 'stop', amount: 1, triggerPrice: 100 };
const STOP_LIMIT = { ...STOP, type: 'take_profit_limit', price: 100 };
const TRAILING_STOP = {
  symbol: 'BTC/USDT',
  side: 'sell',
  type: 'trailing_stop',
  amount: 1,
  trailingPercent: 2.5,
};
const ICEBERG = { ...LIMIT, displayAmount: 0.5 };
const GOOD_TILL_DATE = { ...LIMIT, timeInForce: 'GTD', expiresAt: '2126-01-05T12:00:00Z' };

/** A valid order with a few fields changed, so that valid and invalid ones are both common. */
const changes = fc.array(
  fc.constantFrom(...(Object.keys(ORDER_FIELDS) as (keyof typeof ORDER_FIELDS)[])).chain((field) =>
    fc.record({
      field: fc.oneof(
        { weight: 30, arbitrary: fc.constant<string>(field) },
        { weight: 1, arbitrary: fc.constantFrom('postonly', 'Price', 'x') },
      ),
      value: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...VALUES[field]) },
        { weight: 1, arbitrary: fc.constantFrom(...WRONG) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    }),
  ),
  { maxLength: 5 },
);
const orders = fc
  .tuple(
    fc.constantFrom(LIMIT, MARKET, SPEND, STOP, STOP_LIMIT, TRAILING_STOP, ICEBERG, GOOD_TILL_DATE),
    changes,
  )
  .map(([order, list]) => {
    const body: Record<string, unknown> = { ...order };
    for (const { field, value } of list) body[field] = value;
    // The schema does not know the markets, so it accepts any symbol.
    if (typeof body.symbol === 'string') body.symbol = 'BTC/USDT';
    return body;
  });

/** Returns the error of the hand-written reader, undefined if it accepts the body. */
function readRejection(text: string): ApiError | undefined {
  const body = readJsonObject(Buffer.from(text)) as JsonObject;
  const account = exchange.state.accountsById.get('alice')!;
  try {
    readOrder(body, { account, key: 0, offGrid: new GridError() }, exchange.replica.exchange);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

test(
  'a body fits the schema exactly when the parser accepts it',
  () => {
    let taken = 0;
    let refused = 0;
    check(
      fc.property(orders, (order) => {
        const text = JSON.stringify(order);
        const refusal = readRejection(text);
        if (refusal === undefined) taken++;
        else refused++;
        const says = `${refusal?.code ?? 'taken'}: ${refusal?.message}`;
        expect(`${isDescribedOrder(JSON.parse(text))} ${says}`).toBe(
          `${refusal === undefined} ${says}`,
        );
      }),
      5000,
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(1000);
  },
  CHECK_TIMEOUT_MS,
);
