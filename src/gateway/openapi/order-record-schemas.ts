import {
  orderReasons,
  orderStatuses,
  orderTypes,
  selfTradePreventions,
  sides,
  timesInForce,
} from '../../engine/terms.ts';
import {
  boolean,
  enumeration,
  type Fields,
  list,
  nullable,
  nullableReference,
  number,
  record,
  reference,
  text,
  timestamp,
  withOptional,
} from './json-schema.ts';

import { symbol } from './market-schemas.ts';

/** The records of orders, for the OpenAPI document. */

const trailingFields = {
  trailingAmount: nullable(number('Distance of a trailing stop from the best last price.', 500)),
  trailingPercent: nullable(number('The same distance in percent, if it was given so.', 2.5)),
  activationPrice: nullable(number('Last price from which a trailing stop trails.', 119000)),
};

const OrderLeg = record({
  orderId: nullable(
    text(
      'Order id that the leg has once it is placed or has ended; null for orders placed with engine version 1.',
      '18',
    ),
  ),
  price: nullable(number('Limit price of the leg.', 109900)),
  triggerPrice: nullable(number('Last price that triggers the leg.', 110000)),
  ...trailingFields,
});

const TriggeredOrder = record({
  orderId: nullable(
    text('Order id that it has once it is placed or has ended; null in tests of orders.', '18'),
  ),
  type: enumeration(['limit', 'market'], 'Order type.'),
  price: nullable(number('Limit price of a limit order.', 119000)),
  timeInForce: enumeration(['GTC', 'IOC', 'FOK'], 'Time in force.'),
});

const AttachedOrders = record({
  takeProfit: nullableReference('OrderLeg', 'The take-profit leg.'),
  stopLoss: nullableReference('OrderLeg', 'The stop-loss leg.'),
  order: nullableReference('TriggeredOrder', 'The only attached order, if it is neither of them.'),
  side: nullable(
    enumeration(sides, 'Side of the attached orders; null for the side opposite to this order.'),
  ),
  amount: nullable(
    number(
      'Amount of attached orders that are placed if this order is filled completely; null for those placed for its filled amount.',
      0.005,
    ),
  ),
});

const OrderFee = record({
  asset: text('The received asset; the given one for a rebate.', 'BTC'),
  cost: number('Fee in that asset; negative for a rebate.', 0.000008),
});

const order = record({
  orderId: text('Order id.', '1'),
  symbol,
  side: enumeration(sides, 'Whether the base asset is bought or sold.'),
  amount: number('Amount of the base asset.', 0.01),
  price: nullable(
    number('Limit price; for a market order its average price, null before a fill.', 117000),
    117000,
  ),
  status: enumeration(orderStatuses, 'Order status. Only an open order can be canceled.'),
  timestamp: timestamp('Time when the order was placed.'),
  type: enumeration(orderTypes, 'Order type.'),
  timeInForce: enumeration(timesInForce, 'Time in force.'),
  expiresAt: nullable(timestamp('Expiry of a GTD order.')),
  postOnly: boolean('Whether the order was to be rejected rather than match immediately.', false),
  clientOrderId: nullable(text('Client order id.', 'bot-1')),
  triggerPrice: nullable(
    number(
      'Trigger price of a stop or take-profit order; the current one of a trailing stop, null before its activation.',
      116000,
    ),
  ),
  cost: number('Quote asset exchanged in its fills.', 0),
  filled: number('Filled amount; always amount - remaining.', 0),
  remaining: number('Unfilled amount.', 0.01),
  average: nullable(number('Average price, cost ÷ filled; null before a fill.', 117000)),
  fees: {
    ...list(
      reference('OrderFee'),
      'Fees of its fills, one entry per asset; empty before a fill. Rebates are only in the fills.',
    ),
    examples: [[]],
  },
  selfTradePrevention: enumeration(
    selfTradePreventions,
    'Self-trade prevention: what happens when it would match an own order.',
  ),
  reason: nullable(
    enumeration(
      orderReasons.filter((reason) => reason !== null),
      'Reason why it ended or changed other than by a fill.',
    ),
  ),
  lastFillAt: nullable(timestamp('Time of its last fill.')),
  updatedAt: timestamp('Time of its last change.'),
  attached: nullableReference(
    'AttachedOrders',
    'Attached take profit and stop loss, placed when this order ends with a fill.',
  ),
  parentOrderId: nullable(text('The order that this one was attached to.', '17')),
  ocoOrderId: nullable(
    text(
      'The other order of its OCO order, open or not; null for orders placed with engine version 1.',
      '18',
    ),
  ),
  ...trailingFields,
  displayAmount: nullable(number('Amount of an iceberg that the book shows.', 0.002)),
});

const Order = withOptional(order, {
  queueAhead: nullable(
    number(
      'Amount ahead of it in the queue of its price; null if it does not rest in the book.',
      0,
    ),
    1.5,
  ),
  fills: {
    ...list(
      reference('Fill'),
      'Fills of the order, earliest first, if they were requested; in an update of the channel `orders`, those since the last one.',
    ),
    examples: [[]],
  },
  receipt: nullableReference(
    'Receipt',
    'Place in the log of the command that placed, amended or canceled the order, if it was requested; null if a repeated request found the order placed before.',
  ),
});

const TestedOrder = record(
  {
    ...(order.properties as Fields),
    orderId: nullable(
      text('Null; the order id if the same `clientOrderId` has already placed the order.', '1'),
    ),
  },
  'An order as it would be after matching.',
);

const TestedFill = record({
  price: number("Price, which is the maker's.", 118000),
  amount: number('Amount of the base asset.', 0.01),
  cost: number('Value in the quote asset, price × amount.', 1180),
  fee: reference('OrderFee'),
});

const OrderHold = record({
  asset: text('Asset that the open order would hold.', 'USDT'),
  amount: number('Amount that it would hold.', 1170),
});

const OperatorOrder = record({
  accountId: text('Account of the order.', 'alice'),
  ...(order.properties as Fields),
});

export const ORDER_RECORDS = {
  Order,
  OrderFee,
  OrderLeg,
  TriggeredOrder,
  AttachedOrders,
  TestedOrder,
  TestedFill,
  OrderHold,
  OperatorOrder,
};
