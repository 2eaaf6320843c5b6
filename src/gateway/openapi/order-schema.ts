import { z } from 'zod';
import { orderTypes, selfTradePreventions, sides, timesInForce } from '../../engine/terms.ts';
import { CLIENT_ORDER_ID } from '../http/request/query.ts';
import { decimal, expiry, optional } from './body-schema.ts';
import {
  absent,
  all,
  among,
  any,
  both,
  type Condition,
  either,
  is,
  present,
  toKeywords,
  when,
} from './conditions.ts';

/**
 * The bodies that place and amend orders. For speed, the readers in `orders/` check them by hand, against the same lists
 * of fields and names: test/http/order-schema.test.ts compares them with these schemas. Rules that depend on the
 * market (symbols, ticks, bounds) are not part of a schema.
 */

const positive = decimal
  .refine(({ text }) => Number(text) > 0, 'must be greater than zero')
  .meta({ type: 'number', exclusiveMinimum: 0 });

/** 0 is the engine's value for never. */
const orderExpiry = expiry.refine((ms) => ms > 0, 'must be in the future');

/** Returns a schema whose values also meet a condition on several fields. */
function restricted<Schema extends z.ZodObject>(schema: Schema, condition: Condition) {
  const { holds } = condition;
  return schema.refine(holds, 'must have fields that go together').meta(toKeywords(condition));
}

const legPrice = optional(positive, 'Limit price of the leg.');
const pricedLeg = any(present('price'), present('triggerPrice'));
const takeProfit = restricted(
  z.strictObject({
    price: legPrice,
    triggerPrice: optional(positive, 'Last price that triggers the leg.'),
  }),
  pricedLeg,
);

/** A stop-loss leg is a stop with a trigger price, or a trailing stop with a distance. */
const stopLossForms = any(
  all(
    present('triggerPrice'),
    absent('trailingAmount'),
    absent('trailingPercent'),
    absent('activationPrice'),
  ),
  both(
    either(present('trailingAmount'), present('trailingPercent')),
    all(absent('triggerPrice'), absent('price')),
  ),
);
const stopLoss = restricted(
  z.strictObject({
    price: legPrice,
    triggerPrice: optional(positive, 'Last price that triggers the leg.'),
    trailingAmount: optional(positive, 'Distance of the trigger from the best last price.'),
    trailingPercent: optional(positive, 'The same distance in percent.'),
    activationPrice: optional(positive, 'Last price from which the leg trails.'),
  }),
  stopLossForms,
);

/** An attached order that is neither a take profit nor a stop loss. */
const plainLeg = restricted(
  z.strictObject({
    type: z.enum(['limit', 'market']).meta({ description: 'Order type.', examples: ['limit'] }),
    price: optional(positive, 'Limit price of a limit order.'),
    timeInForce: optional(
      z.enum(['GTC', 'IOC', 'FOK']),
      'Time in force. Default GTC; IOC for a market order.',
    ),
  }),
  all(
    when(
      is('type', 'limit'),
      present('price'),
      all(absent('price'), among('timeInForce', 'IOC', 'FOK', null)),
    ),
  ),
);

const AMOUNT = "Amount of the base asset, a multiple of the market's `stepSize`.";

const fields = {
  symbol: z
    .string()
    .meta({ description: 'A market from GET /api/markets.', examples: ['BTC/USDT'] }),
  side: z
    .enum(sides)
    .meta({ description: 'Whether to buy or sell the base asset.', examples: [sides[0]] }),
  type: z.enum(orderTypes).meta({
    description:
      'A limit order needs a `price`. A market order matches the book within the price band of the market (`collar`). ' +
      'Stop and take-profit orders are pending until the last price reaches `triggerPrice`. The trigger of a ' +
      'trailing stop follows the best last price since its placement.',
    examples: [orderTypes[0]],
  }),
  amount: optional(positive, `${AMOUNT} Not together with \`cost\`.`),
  price: optional(
    positive,
    "Limit price, a multiple of the market's `tickSize`. Only for order types with a limit.",
  ),
  triggerPrice: optional(
    positive,
    'Last price that triggers a stop or take-profit order, a multiple of `tickSize`.',
  ),
  trailingAmount: optional(
    positive,
    'Distance of the trigger of a trailing stop from the best last price, a multiple of `tickSize`.',
  ),
  trailingPercent: optional(
    positive,
    'The same distance in percent of the best last price, 0.01 to 50 with at most two decimals.',
  ),
  activationPrice: optional(
    positive,
    'Last price from which a trailing stop trails: at or above it for a sell, at or below it for a buy. ' +
      'Default: it trails at once.',
  ),
  displayAmount: optional(
    positive,
    'Amount of a limit order that the book shows (iceberg). The rest follows part by part, each at the end of the ' +
      'queue. At most 100 parts.',
  ),
  cost: optional(
    positive,
    'Quote asset to spend, or to receive for a sell, instead of `amount`. Only for market orders.',
  ),
  attached: optional(
    restricted(
      z.strictObject({
        takeProfit: optional(
          takeProfit,
          '`price` alone is a post-only limit order, `triggerPrice` alone a take_profit, both a take_profit_limit.',
        ),
        stopLoss: optional(
          stopLoss,
          '`triggerPrice` alone is a stop, with `price` a stop_limit; `trailingAmount` or `trailingPercent` make it a ' +
            'trailing stop.',
        ),
        order: optional(
          plainLeg,
          'A limit or market order instead of a take profit and stop loss; it may match at once. With `side` and `amount`.',
        ),
        side: optional(
          z.enum(sides),
          'Side of the attached orders. Default: the other side. With `amount`.',
        ),
        amount: optional(
          positive,
          'Amount of the attached orders, which are then placed only if this order is filled completely. ' +
            'Default: the filled amount. With `side`.',
        ),
      }),
      all(
        any(present('takeProfit'), present('stopLoss'), present('order')),
        when(present('side'), present('amount'), absent('amount')),
        when(present('order'), all(present('side'), absent('takeProfit'), absent('stopLoss'))),
      ),
    ),
    'Take profit and stop loss for the filled amount, placed on the other side when this order ends with a fill; ' +
      'both together are an OCO order. With `side` and `amount`, orders that are placed when this one is filled ' +
      'completely (one triggers the other). Only for limit and market orders.',
  ),
  timeInForce: optional(z.enum(timesInForce), 'Time in force. Default GTC; IOC for market orders.'),
  expiresAt: optional(
    orderExpiry,
    'Expiry of a GTD order: ISO 8601 with a zone, or milliseconds since 1970.',
  ),
  postOnly: optional(z.boolean(), 'Reject the order if it would match immediately. Default false.'),
  clientOrderId: optional(
    z.string().regex(CLIENT_ORDER_ID),
    'Your own id. A repeated request with the same id places no second order.',
  ),
  selfTradePrevention: optional(
    z.enum(selfTradePreventions),
    'Handling of a match between two of your own orders. Default expire_maker.',
  ),
  returnFills: optional(
    z.boolean(),
    'Whether the response has the `fills` of the order, at most its first 1,000. Default false.',
  ),
  returnReceipt: optional(
    z.boolean(),
    'Whether the response has the `receipt` of the order. Default false.',
  ),
};

const notTrailing = all(
  absent('trailingAmount'),
  absent('trailingPercent'),
  absent('activationPrice'),
);

/** Which fields an order takes, by its type and its other fields. */
const combinations = all(
  when(
    is('type', 'limit'),
    all(present('amount'), present('price'), absent('cost'), absent('triggerPrice'), notTrailing),
  ),
  when(
    is('type', 'market'),
    both(
      either(present('amount'), present('cost')),
      all(
        absent('price'),
        absent('triggerPrice'),
        among('timeInForce', 'IOC', 'FOK', null),
        among('postOnly', false, null),
        absent('displayAmount'),
        notTrailing,
      ),
    ),
  ),
  when(
    is('type', 'stop', 'take_profit'),
    all(
      present('amount'),
      present('triggerPrice'),
      absent('price'),
      absent('cost'),
      absent('attached'),
      among('timeInForce', 'GTC', 'GTD', null),
      among('postOnly', false, null),
      absent('displayAmount'),
      notTrailing,
    ),
  ),
  when(
    is('type', 'trailing_stop'),
    both(
      either(present('trailingAmount'), present('trailingPercent')),
      all(
        present('amount'),
        absent('triggerPrice'),
        absent('price'),
        absent('cost'),
        absent('attached'),
        absent('displayAmount'),
        among('timeInForce', 'GTC', 'GTD', null),
        among('postOnly', false, null),
      ),
    ),
  ),
  when(present('displayAmount'), among('timeInForce', 'GTC', 'GTD', null)),
  when(
    is('type', 'stop_limit', 'take_profit_limit'),
    all(
      present('amount'),
      present('triggerPrice'),
      present('price'),
      absent('cost'),
      absent('attached'),
      absent('displayAmount'),
      notTrailing,
    ),
  ),
  when(present('cost'), among('timeInForce', 'IOC', null)),
  when(is('postOnly', true), among('timeInForce', 'GTC', 'GTD', null)),
  when(is('timeInForce', 'GTD'), present('expiresAt'), absent('expiresAt')),
);

/** The body of POST /api/orders. */
export const orderBody = restricted(z.strictObject(fields), combinations);

/** Maximum orders per request. */
export const MAX_ORDERS = 15;

/** The body of POST /api/orders/batch. */
export const batchBody = z.strictObject({
  orders: z
    .array(
      z.union([
        orderBody,
        z.unknown().meta({ description: 'Anything else is rejected on its own.' }),
      ]),
    )
    .min(1)
    .max(MAX_ORDERS),
});

const { price, triggerPrice, displayAmount } = fields;
const { trailingAmount, trailingPercent, activationPrice } = fields;

/** The body of POST /api/orders/oco. */
export const ocoBody = z.strictObject({
  symbol: fields.symbol,
  side: fields.side,
  amount: positive.meta({ description: AMOUNT, examples: [0.01] }),
  expiresAt: fields.expiresAt,
  clientOrderId: fields.clientOrderId,
  selfTradePrevention: fields.selfTradePrevention,
  returnFills: optional(
    z.boolean(),
    'Whether each order has its `fills`, at most its first 1,000. New orders have none; those of a repeated request may. Default false.',
  ),
  returnReceipt: optional(
    z.boolean(),
    'Whether each order has the `receipt` of their place in the log. Default false.',
  ),
  takeProfit: restricted(
    z.strictObject({ price, triggerPrice, displayAmount }),
    both(pricedLeg, all(when(present('displayAmount'), absent('triggerPrice')))),
  ).meta({
    description:
      'With only `price` a post-only limit order, which `displayAmount` makes an iceberg, else a take profit.',
  }),
  stopLoss: restricted(
    z.strictObject({ price, triggerPrice, trailingAmount, trailingPercent, activationPrice }),
    stopLossForms,
  ).meta({
    description:
      'A stop; with `price` a stop_limit; with `trailingAmount` or `trailingPercent` a trailing stop.',
  }),
});

const amendableFields = {
  amount: optional(positive, 'The new total amount, including the filled amount.'),
  price: optional(positive, 'The new limit price.'),
  triggerPrice: optional(positive, 'The new trigger price.'),
  trailingAmount: optional(positive, 'The new distance of a trailing stop, as a price.'),
  trailingPercent: optional(positive, 'The new distance of a trailing stop, in percent.'),
  activationPrice: optional(
    positive,
    'The new activation price of a trailing stop that does not trail yet.',
  ),
  displayAmount: optional(positive, 'Amount of a limit order that the book shows.'),
};

/** The body of PATCH /api/orders/:id. */
export const amendmentBody = restricted(
  z.strictObject({
    ...amendableFields,
    returnReceipt: optional(
      z.boolean(),
      'Whether the response has the `receipt` of this change. Default false.',
    ),
  }),
  any(...Object.keys(amendableFields).map(present)),
);
