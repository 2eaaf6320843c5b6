import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Exchange } from '../../src/engine/exchange.ts';
import { orderTypes } from '../../src/engine/terms.ts';
import { type JsonObject, readJsonObject } from '../../src/gateway/http/json.ts';
import { ApiError } from '../../src/gateway/http/response/errors.ts';
import { amendmentBody, ocoBody, orderBody } from '../../src/gateway/openapi/order-schema.ts';
import { readOco } from '../../src/gateway/orders/oco-request.ts';
import { GridError } from '../../src/gateway/orders/order-number.ts';
import { type OrderReader, readOrder } from '../../src/gateway/orders/order-request.ts';
import { CHECK_TIMEOUT_MS, check, checkAsync } from '../check.ts';
import { isDescribedBody } from './described.ts';
import { TestExchange } from './exchange.ts';

/**
 * The hand-written readers of orders, the Zod schemas of their bodies, and the JSON schemas that the OpenAPI document has of
 * them must accept the same bodies.
 */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const WRONG = [null, true, false, 0, 1, -1, '', 'x', [], {}, 'GTC', 'buy', '1'];
/** On the grid and within the bounds of the market, which the schema does not cover. */
const POSITIVE = [1, 0.5, 100, 45000];
const NUMBERS = [...POSITIVE, 0, -1, '1', null];
type Field = keyof typeof orderBody.shape;
const VALUES: Record<Field, readonly unknown[]> = {
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
  returnFills: [true, false, 'true', null],
  returnReceipt: [true, false, 'true', null],
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

/** A valid body with a few fields changed, so that valid and invalid ones are both common. */
function bodiesLike(
  valid: readonly object[],
  values: Readonly<Record<string, readonly unknown[]>>,
  legs: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Record<string, unknown>> {
  const change = fc.constantFrom(...Object.keys(values)).chain((field) =>
    fc.record({
      field: fc.oneof(
        { weight: 30, arbitrary: fc.constant(field) },
        { weight: 1, arbitrary: fc.constantFrom('postonly', 'Price', 'x') },
      ),
      value: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...values[field]!) },
        { weight: 12, arbitrary: legs[field] ?? fc.constantFrom(...values[field]!) },
        { weight: 1, arbitrary: fc.constantFrom(...WRONG) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    }),
  );
  const changes = fc.array(change, { maxLength: 5 });
  return fc.tuple(fc.constantFrom(...valid), changes).map(([start, list]) => {
    const body: Record<string, unknown> = { ...start };
    for (const { field, value } of list) body[field] = value;
    // The schema does not know the markets, so it accepts any symbol.
    if (typeof body.symbol === 'string') body.symbol = 'BTC/USDT';
    return body;
  });
}

/** A valid leg, maybe with further fields of other legs, each a number or null. */
const leg: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom({ price: 50000 }, { triggerPrice: 40000 }, { trailingPercent: 2.5 }),
    fc.dictionary(
      fc.constantFrom(
        'price',
        'triggerPrice',
        'displayAmount',
        'trailingAmount',
        'activationPrice',
      ),
      fc.constantFrom(50, null, null),
      { maxKeys: 2 },
    ),
  )
  .map(([valid, further]) => ({ ...valid, ...further }));
const plainLeg = fc.record(
  {
    type: fc.constantFrom('limit', 'limit', 'market', 'stop', null),
    price: fc.constantFrom(50, 50, null, -1),
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK', 'GTD', null),
  },
  { requiredKeys: ['type'] },
);
const attached = fc.oneof(
  fc.record({ takeProfit: fc.option(leg), stopLoss: fc.option(leg) }, { requiredKeys: [] }),
  fc.record(
    {
      takeProfit: fc.option(leg),
      side: fc.constantFrom('buy', 'sell', 'BUY', null),
      amount: fc.constantFrom(1, 1, 1, null, 0, '1'),
      order: fc.option(plainLeg),
    },
    { requiredKeys: ['side', 'amount'] },
  ),
);

type Read = (body: JsonObject, reader: OrderReader, of: Exchange) => unknown;

/** Returns the error of a hand-written reader, undefined if it accepts the body. */
function findError(read: Read, body: JsonObject): ApiError | undefined {
  const account = exchange.state.accountsById.get('alice')!;
  try {
    read(body, { account, key: 0, offGrid: new GridError() }, exchange.replica.exchange);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

type Schema = typeof orderBody | typeof ocoBody;

/** Expects that the reader, the Zod schema and the described schema agree on a body; returns whether they accept it. */
function expectAgreement(path: string, read: Read, schema: Schema, body: object): boolean {
  const text = JSON.stringify(body);
  const parsed = readJsonObject(Buffer.from(text)) as JsonObject;
  const error = findError(read, parsed);
  const isAccepted = error === undefined;
  expect({
    body,
    error: error?.message,
    zod: schema.safeParse(parsed).success,
    described: isDescribedBody('post', path, JSON.parse(text)),
  }).toEqual({ body, error: error?.message, zod: isAccepted, described: isAccepted });
  return isAccepted;
}

/** Expects agreement on random bodies. */
function compare(
  path: string,
  read: Read,
  schema: Schema,
  bodies: fc.Arbitrary<Record<string, unknown>>,
): void {
  const counts = { accepted: 0, rejected: 0 };
  const property = fc.property(bodies, (body) => {
    counts[expectAgreement(path, read, schema, body) ? 'accepted' : 'rejected']++;
  });
  check(property, 5000);
  expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(1000);
}

test(
  'a body fits the schema exactly when the parser accepts it',
  () => {
    const valid = [
      ...[LIMIT, MARKET, SPEND, STOP, STOP_LIMIT],
      ...[TRAILING_STOP, ICEBERG, GOOD_TILL_DATE],
    ];
    compare('/api/orders', readOrder, orderBody, bodiesLike(valid, VALUES, { attached }));
  },
  CHECK_TIMEOUT_MS,
);

const TAKE_PROFIT = { price: 50000 };
const STOP_LOSS = { triggerPrice: 40000 };
const OCO = {
  symbol: 'BTC/USDT',
  side: 'sell',
  amount: 1,
  takeProfit: TAKE_PROFIT,
  stopLoss: STOP_LOSS,
};
const OCO_VALUES: Record<keyof typeof ocoBody.shape, readonly unknown[]> = {
  ...VALUES,
  takeProfit: [
    TAKE_PROFIT,
    { triggerPrice: 50000 },
    { triggerPrice: 50000, price: 50100 },
    { triggerPrice: 50000, price: null },
    {},
    { x: 1 },
    { price: null },
    { price: '1' },
    { price: 50000, displayAmount: 0.5 },
    { price: 50000, displayAmount: null },
    { displayAmount: 0.5 },
    { triggerPrice: 50000, displayAmount: 0.5 },
    null,
  ],
  stopLoss: [
    STOP_LOSS,
    { triggerPrice: 40000, price: 39900 },
    { triggerPrice: 40000, price: null },
    { price: 39900 },
    { triggerPrice: null },
    { triggerPrice: 0 },
    { triggerPrice: 1, amount: 1 },
    { trailingAmount: 100 },
    { trailingPercent: 2.5, activationPrice: 46000 },
    { trailingPercent: 2.5, trailingAmount: null },
    { trailingPercent: 2.5, trailingAmount: 100 },
    { trailingPercent: 2.5, triggerPrice: 40000 },
    { trailingPercent: 2.5, price: 39900 },
    { activationPrice: 46000 },
    [],
    null,
  ],
};

test(
  'the body of an OCO order fits the schema exactly when the parser accepts it',
  () => {
    const { symbol, side, amount, expiresAt, clientOrderId, selfTradePrevention } = OCO_VALUES;
    const { takeProfit, stopLoss, returnFills, returnReceipt } = OCO_VALUES;
    const values = {
      symbol,
      side,
      amount,
      expiresAt,
      clientOrderId,
      selfTradePrevention,
      returnFills,
      returnReceipt,
      takeProfit,
      stopLoss,
    };
    const legs = { takeProfit: leg, stopLoss: leg };
    compare('/api/orders/oco', readOco, ocoBody, bodiesLike([OCO], values, legs));
  },
  CHECK_TIMEOUT_MS,
);

/** Yields copies of a body in which one field is null, at every level and also if the body does not have it. */
function* withNulls(body: object, names: readonly string[]): Generator<object> {
  for (const name of names) yield { ...body, [name]: null };
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'object') continue;
    for (const inner of withNulls(value, names)) yield { ...body, [name]: inner };
  }
}

test('null in a field is accepted by the reader and the schemas, or by none of them', () => {
  const names = [...Object.keys(orderBody.shape), ...Object.keys(ocoBody.shape), 'order', 'x'];
  const trailing = { trailingPercent: 2.5, activationPrice: 46000 };
  const brackets = [
    { takeProfit: TAKE_PROFIT, stopLoss: { ...STOP_LOSS, price: 39900 } },
    { takeProfit: { triggerPrice: 50000, price: 50100 }, stopLoss: trailing },
    { side: 'sell', amount: 1, takeProfit: TAKE_PROFIT },
    { side: 'sell', amount: 1, order: { type: 'limit', price: 50000, timeInForce: 'IOC' } },
    { side: 'buy', amount: 1, order: { type: 'market', timeInForce: 'FOK' } },
  ];
  const orders = [
    ...[LIMIT, MARKET, SPEND, STOP, STOP_LIMIT, TRAILING_STOP, ICEBERG, GOOD_TILL_DATE],
    ...brackets.flatMap((attached) => [
      { ...LIMIT, attached },
      { ...MARKET, attached },
    ]),
  ];
  const pairs = [
    OCO,
    { ...OCO, takeProfit: { ...TAKE_PROFIT, displayAmount: 0.5 }, stopLoss: trailing },
    ...brackets.slice(0, 2).map((legs) => ({ ...OCO, ...legs })),
  ];
  for (const start of orders) {
    for (const body of withNulls(start, names)) {
      expectAgreement('/api/orders', readOrder, orderBody, body);
    }
  }
  for (const start of pairs) {
    for (const body of withNulls(start, names)) {
      expectAgreement('/api/orders/oco', readOco, ocoBody, body);
    }
  }
});

/** Rules of `error.details` that concern the form of an amendment. */
const FORM_RULES = ['unknownField', 'required', 'number', 'positive'];

test(
  'an amendment fits the schema exactly when the parser accepts its form',
  async () => {
    const { data: order } = await exchange.place('alice', { ...STOP_LIMIT, type: 'stop_limit' });
    const path = `/api/orders/${order.orderId}`;
    const counts = { accepted: 0, rejected: 0 };
    const fields = ['amount', 'price', 'triggerPrice', 'trailingAmount', 'activationPrice'];
    const values = Object.fromEntries([...fields, 'displayAmount'].map((name) => [name, NUMBERS]));
    const property = fc.asyncProperty(bodiesLike([{}, { amount: 1 }], values), async (body) => {
      const text = JSON.stringify(body);
      const { json } = await exchange.send('alice', 'PATCH', path, text);
      const rule = json.error?.details.rule;
      const isAccepted = !FORM_RULES.includes(rule);
      counts[isAccepted ? 'accepted' : 'rejected']++;
      const parsed = readJsonObject(Buffer.from(text)) as JsonObject;
      expect({
        body,
        rule,
        zod: amendmentBody.safeParse(parsed).success,
        described: isDescribedBody('patch', '/api/orders/{id}', JSON.parse(text)),
      }).toEqual({ body, rule, zod: isAccepted, described: isAccepted });
    });
    await checkAsync(property, 1000);
    expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(100);
  },
  CHECK_TIMEOUT_MS,
);
