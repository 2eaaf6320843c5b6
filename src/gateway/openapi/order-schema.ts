import { orderTypes, selfTradePreventions, sides, timesInForce } from '../../engine/terms.ts';
import { CLIENT_ORDER_ID, MAX_TIME_MS, TIME } from '../http/request/query.ts';
import {
  enumeration,
  type Fields,
  type JsonSchema,
  nullable,
  number,
  text,
} from './json-schema.ts';

const legPrice = (description: string, example: number) =>
  nullable({ ...number(description, example), exclusiveMinimum: 0 });
/** A body with this field. */
const hasPart = (name: string): JsonSchema => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
  additionalProperties: true,
});

const hasNoPart = (name: string): JsonSchema => ({
  properties: { [name]: { type: 'null' } },
  additionalProperties: true,
});

/** A stop-loss leg is a stop with a trigger price, or a trailing stop with a distance. */
export const STOP_LOSS_FORMS: readonly JsonSchema[] = [
  {
    allOf: [
      hasPart('triggerPrice'),
      hasNoPart('trailingAmount'),
      hasNoPart('trailingPercent'),
      hasNoPart('activationPrice'),
    ],
  },
  {
    oneOf: [hasPart('trailingAmount'), hasPart('trailingPercent')],
    allOf: [hasNoPart('triggerPrice'), hasNoPart('price')],
  },
];

const attachedTakeProfit = nullable({
  type: 'object',
  description:
    '`price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a take_profit_limit.',
  additionalProperties: false,
  anyOf: [hasPart('price'), hasPart('triggerPrice')],
  properties: {
    price: legPrice('Limit price of the leg.', 50000),
    triggerPrice: legPrice('Last price that triggers the leg.', 50000),
  },
});
const attachedStopLoss = nullable({
  type: 'object',
  description:
    '`triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or `trailingPercent` make it a ' +
    'trailing stop.',
  additionalProperties: false,
  anyOf: STOP_LOSS_FORMS,
  properties: {
    price: legPrice('Limit price of the leg.', 39900),
    triggerPrice: legPrice('Last price that triggers the leg.', 40000),
    trailingAmount: legPrice('Distance of the trigger from the best last price.', 500),
    trailingPercent: legPrice('The same distance in percent.', 2.5),
    activationPrice: legPrice('Last price from which the leg trails.', 46000),
  },
});

/**
 * The fields of a POST /api/orders body for the OpenAPI document. `readOrder` checks bodies by hand, for speed, with
 * the same lists of fields and names; test/http/order-schema.test.ts compares the two. Rules that depend on the market
 * (symbols, ticks, bounds) are not part of the schema.
 */
export const ORDER_FIELDS = {
  symbol: text('A market from GET /api/markets.', 'BTC/USDT'),
  side: enumeration(sides, 'Whether to buy or sell the base asset.'),
  type: enumeration(
    orderTypes,
    'A limit order needs a `price`. A market order matches the book within the price band of the market (`collar`). ' +
      'Stop and take-profit orders are pending until the last price reaches `triggerPrice`. The trigger of a ' +
      'trailing stop follows the best last price since its placement.',
  ),
  amount: nullable({
    ...number(
      "Amount of the base asset, a multiple of the market's `stepSize`. Not together with `cost`.",
      0.01,
    ),
    exclusiveMinimum: 0,
  }),
  price: nullable({
    ...number(
      "Limit price, a multiple of the market's `tickSize`. Only for order types with a limit.",
      45000,
    ),
    exclusiveMinimum: 0,
  }),
  triggerPrice: nullable({
    ...number(
      'Last price that triggers a stop or take-profit order, a multiple of `tickSize`.',
      44000,
    ),
    exclusiveMinimum: 0,
  }),
  trailingAmount: nullable({
    ...number(
      'Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`.',
      500,
    ),
    exclusiveMinimum: 0,
  }),
  trailingPercent: nullable({
    ...number(
      'The same distance in percent of the best last price, 0.01 to 50 with at most two decimals.',
      2.5,
    ),
    exclusiveMinimum: 0,
  }),
  activationPrice: nullable({
    ...number(
      'Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. ' +
        'Default: it trails at once.',
      46000,
    ),
    exclusiveMinimum: 0,
  }),
  displayAmount: nullable({
    ...number(
      'How much the book shows of a limit order (iceberg). The rest follows part by part, each at the end of the ' +
        'queue. At most 100 parts.',
      0.002,
    ),
    exclusiveMinimum: 0,
  }),
  cost: nullable({
    ...number('Quote asset to spend, instead of `amount`. Only for market buys.', 100),
    exclusiveMinimum: 0,
  }),
  attached: nullable({
    type: 'object',
    description:
      'Take profit and stop loss for the filled amount, placed on the other side when this order ends with a fill; ' +
      'both together are an OCO order. Only for limit and market orders.',
    additionalProperties: false,
    anyOf: [hasPart('takeProfit'), hasPart('stopLoss')],
    properties: { takeProfit: attachedTakeProfit, stopLoss: attachedStopLoss },
  }),
  timeInForce: nullable(
    enumeration(timesInForce, 'Time in force. Default GTC; IOC for market orders.'),
  ),
  expiresAt: nullable({
    type: ['string', 'integer'],
    pattern: TIME.source,
    minimum: 1,
    maximum: MAX_TIME_MS,
    description: 'Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970.',
  }),
  postOnly: nullable({
    type: 'boolean',
    description: 'Reject the order if it would match immediately. Default false.',
  }),
  clientOrderId: nullable({
    ...text('Your own id. A repeated request with the same id places no second order.', 'bot-1'),
    pattern: CLIENT_ORDER_ID.source,
  }),
  selfTradePrevention: nullable(
    enumeration(
      selfTradePreventions,
      'Handling of a match between two of your own orders. Default expire_maker.',
    ),
  ),
} as const satisfies Fields;

type Field = keyof typeof ORDER_FIELDS;
/** A condition on one field. Other fields are allowed explicitly, because linters require it. */
const where = (field: Field, schema: JsonSchema): JsonSchema => ({
  properties: { [field]: schema },
  additionalProperties: true,
});
const present = (field: Field): JsonSchema => ({
  required: [field],
  ...where(field, { not: { type: 'null' } }),
});
const absent = (field: Field): JsonSchema => where(field, { type: 'null' });
/** If the field is present, it is one of these. */
const among = (field: Field, ...values: unknown[]): JsonSchema => where(field, { enum: values });
const is = (field: Field, value: unknown): JsonSchema => ({
  required: [field],
  ...where(field, { const: value }),
});
const isOne = (field: Field, ...values: unknown[]): JsonSchema => ({
  required: [field],
  ...among(field, ...values),
});

const withoutTrailing = [
  absent('trailingAmount'),
  absent('trailingPercent'),
  absent('activationPrice'),
];

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
        allOf: [
          present('amount'),
          present('price'),
          absent('cost'),
          absent('triggerPrice'),
          ...withoutTrailing,
        ],
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
          ...withoutTrailing,
          absent('displayAmount'),
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
          ...withoutTrailing,
          absent('displayAmount'),
        ],
      },
    },
    {
      if: is('type', 'trailing_stop'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        oneOf: [present('trailingAmount'), present('trailingPercent')],
        allOf: [
          present('amount'),
          absent('triggerPrice'),
          absent('price'),
          absent('cost'),
          absent('attached'),
          absent('displayAmount'),
          among('timeInForce', 'GTC', 'GTD', null),
          among('postOnly', false, null),
        ],
      },
    },
    {
      if: present('displayAmount'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: among('timeInForce', 'GTC', 'GTD', null),
    },
    {
      if: isOne('type', 'stop_limit', 'take_profit_limit'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        allOf: [
          present('amount'),
          present('triggerPrice'),
          present('price'),
          absent('cost'),
          absent('attached'),
          ...withoutTrailing,
          absent('displayAmount'),
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
