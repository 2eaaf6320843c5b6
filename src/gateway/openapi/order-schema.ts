import { orderTypes, selfTradePreventions, sides, timesInForce } from '../../engine/terms.ts';
import { CLIENT_ORDER_ID, MAX_TIME_MS, TIME } from '../http/query.ts';
import { type Fields, type JsonSchema, number, orNull, text, word } from './json-schema.ts';

const legPrice = (description: string, example: number) =>
  orNull({ ...number(description, example), exclusiveMinimum: 0 });
const hasPart = (name: string): JsonSchema => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
  additionalProperties: true,
});

const attachedTakeProfit = orNull({
  type: 'object',
  description:
    '`price` alone is a post-only limit order, `triggerPrice` a take_profit, both a take_profit_limit.',
  additionalProperties: false,
  anyOf: [hasPart('price'), hasPart('triggerPrice')],
  properties: {
    price: legPrice('Its limit.', 50000),
    triggerPrice: legPrice('The last price that it waits for.', 50000),
  },
});
const attachedStopLoss = orNull({
  type: 'object',
  description: '`triggerPrice` is a stop, with `price` a stop_limit.',
  additionalProperties: false,
  required: ['triggerPrice'],
  properties: {
    price: legPrice('Its limit.', 39900),
    triggerPrice: {
      ...number('The last price that it waits for.', 40000),
      exclusiveMinimum: 0,
    },
  },
});

/**
 * The body of POST /api/orders for the OpenAPI document. `readOrder` reads it by hand, for speed,
 * with the same lists of fields and words; a test holds the two to the same answers. What depends
 * on the market (the symbol, the grid, the bounds) is not said here.
 */
export const ORDER_FIELDS = {
  symbol: text('A market, as GET /api/markets lists it.', 'BTC/USDT'),
  side: word(sides, 'Whether the base asset is bought or sold.'),
  type: word(
    orderTypes,
    'A limit order needs `price`; a market order takes what the book offers within the collar; a ' +
      'stop or take profit waits for `triggerPrice`.',
  ),
  amount: orNull({
    ...number("Of the base asset, a multiple of the market's `stepSize`. Not with `cost`.", 0.01),
    exclusiveMinimum: 0,
  }),
  price: orNull({
    ...number(
      "Quote per base, a multiple of the market's `tickSize`. Types with a limit only.",
      45000,
    ),
    exclusiveMinimum: 0,
  }),
  triggerPrice: orNull({
    ...number('The last price that a stop or take profit waits for, on the `tickSize`.', 44000),
    exclusiveMinimum: 0,
  }),
  cost: orNull({
    ...number('Of the quote asset, to spend. Market buys only, instead of `amount`.', 100),
    exclusiveMinimum: 0,
  }),
  attached: orNull({
    type: 'object',
    description:
      'On the other side, placed once this order has ended with something filled, for that; both ' +
      'as a pair. Limit and market orders only.',
    additionalProperties: false,
    anyOf: [hasPart('takeProfit'), hasPart('stopLoss')],
    properties: { takeProfit: attachedTakeProfit, stopLoss: attachedStopLoss },
  }),
  timeInForce: orNull(
    word(timesInForce, 'How long the order lasts: GTC unless given, IOC for market orders.'),
  ),
  expiresAt: orNull({
    type: ['string', 'integer'],
    pattern: TIME.source,
    minimum: 1,
    maximum: MAX_TIME_MS,
    description: 'When a GTD order ends: ISO 8601 with a zone, or milliseconds since 1970.',
  }),
  postOnly: orNull({
    type: 'boolean',
    description: 'Refuse the order rather than let it trade at once. False unless given.',
  }),
  clientOrderId: orNull({
    ...text('Your own id: the same request sent again places no second order.', 'bot-1'),
    pattern: CLIENT_ORDER_ID.source,
  }),
  selfTradePrevention: orNull(
    word(
      selfTradePreventions,
      'What happens where the order would trade with one of yours: expire_maker unless given.',
    ),
  ),
} as const satisfies Fields;

type Field = keyof typeof ORDER_FIELDS;
/** A condition on one field. It says nothing of the others: linters want that in words. */
const where = (field: Field, schema: JsonSchema): JsonSchema => ({
  properties: { [field]: schema },
  additionalProperties: true,
});
const present = (field: Field): JsonSchema => ({
  required: [field],
  ...where(field, { not: { type: 'null' } }),
});
const absent = (field: Field): JsonSchema => where(field, { type: 'null' });
/** Where the field is there, it is one of these. */
const among = (field: Field, ...words: unknown[]): JsonSchema => where(field, { enum: words });
const is = (field: Field, value: unknown): JsonSchema => ({
  required: [field],
  ...where(field, { const: value }),
});
const isOne = (field: Field, ...words: unknown[]): JsonSchema => ({
  required: [field],
  ...among(field, ...words),
});

export const ORDER_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['symbol', 'side', 'type'],
  additionalProperties: false,
  properties: ORDER_FIELDS,
  allOf: [
    {
      if: is('type', 'limit'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        allOf: [present('amount'), present('price'), absent('cost'), absent('triggerPrice')],
      },
    },
    {
      if: is('type', 'market'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        oneOf: [present('amount'), present('cost')],
        allOf: [
          absent('price'),
          absent('triggerPrice'),
          among('timeInForce', 'IOC', 'FOK', null),
          among('postOnly', false, null),
        ],
      },
    },
    {
      if: isOne('type', 'stop', 'take_profit'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        allOf: [
          present('amount'),
          present('triggerPrice'),
          absent('price'),
          absent('cost'),
          absent('attached'),
          among('timeInForce', 'GTC', 'GTD', null),
          among('postOnly', false, null),
        ],
      },
    },
    {
      if: isOne('type', 'stop_limit', 'take_profit_limit'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        allOf: [
          ...[present('amount'), present('triggerPrice'), present('price')],
          ...[absent('cost'), absent('attached')],
        ],
      },
    },
    {
      if: present('cost'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { allOf: [among('side', 'buy'), among('timeInForce', 'IOC', null)] },
    },
    {
      if: is('postOnly', true),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: among('timeInForce', 'GTC', 'GTD', null),
    },
    {
      if: is('timeInForce', 'GTD'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: present('expiresAt'),
      else: absent('expiresAt'),
    },
  ],
};
