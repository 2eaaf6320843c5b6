import {
  entryTypes,
  orderReasons,
  orderStatuses,
  orderTypes,
  permissionNames,
  selfTradePreventions,
  sides,
  timesInForce,
} from '../../engine/terms.ts';
import {
  boolean,
  enumeration,
  type Fields,
  integer,
  list,
  nullable,
  number,
  record,
  reference,
  text,
  timestamp,
  withOptional,
} from './json-schema.ts';
import { MARKET_RECORDS, symbol } from './market-schemas.ts';
import { keyCredential, USER_RECORDS } from './user-schemas.ts';

/** The records of the API, written by `records.ts`, for the OpenAPI document. */

const asset = text('Asset symbol.', 'USDT');

const Balance = record({
  asset,
  total: number('Total balance: exactly available + held.', 1000),
  available: number('Balance available for orders and debits.', 550),
  held: number('Balance reserved for open orders.', 450),
});

const trailingFields = {
  trailingAmount: nullable(number('Distance of a trailing stop from the best last price.', 500)),
  trailingPercent: nullable(number('The same distance in percent, if it was given so.', 2.5)),
  activationPrice: nullable(number('Last price from which a trailing stop trails.', 46000)),
};

const leg = nullable(
  record({
    price: nullable(number('Limit price of the leg.', 39900)),
    triggerPrice: nullable(number('Last price that triggers the leg.', 40000)),
    ...trailingFields,
  }),
);

const order = record({
  orderId: text('Order id.', '1'),
  symbol,
  side: enumeration(sides, 'Whether the base asset is bought or sold.'),
  amount: number('Amount of the base asset.', 0.01),
  price: nullable(
    number('Limit price; for a market order its average price, null before a fill.', 45000),
    45000,
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
      44000,
    ),
  ),
  cost: number('Quote asset exchanged in its fills.', 0),
  filled: number('Filled amount; always amount - remaining.', 0),
  remaining: number('Unfilled amount.', 0.01),
  average: nullable(number('Average price, cost ÷ filled; null before a fill.', 45000)),
  fees: {
    ...list(
      record({
        asset: text('The received asset.', 'BTC'),
        cost: number('Fee in that asset.', 0.000008),
      }),
      'Fees of its fills, one entry per asset; empty before a fill.',
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
  attached: nullable(
    record(
      { takeProfit: leg, stopLoss: leg },
      'Attached take profit and stop loss, placed when this order ends with a fill.',
    ),
  ),
  parentOrderId: nullable(text('The order that this one was attached to.', '17')),
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
    ...list(reference('Fill'), 'Fills of the order, earliest first, if they were requested.'),
    examples: [[]],
  },
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

const Fill = record({
  id: text('Trade id.', '7'),
  orderId: text('Id of your order.', '1'),
  symbol,
  side: enumeration(sides, 'Side of your order.'),
  price: number("Price, which is the maker's.", 118000),
  amount: number('Amount of the base asset.', 0.01),
  cost: number('Value in the quote asset, price × amount.', 1180),
  fee: record({
    asset: text('The received asset.', 'BTC'),
    cost: number('Fee in that asset.', 0.000008),
  }),
  liquidity: enumeration(['maker', 'taker'], 'Whether your order was the maker or the taker.'),
  timestamp: timestamp('Time of the event.'),
});

const PortfolioPoint = record({
  timestamp: timestamp('Start of the interval.'),
  balances: list(
    record({ asset, total: number('Total balance at the end of the interval.', 1.5) }),
    'Balances of every asset that the account has ever held.',
  ),
});

const LedgerEntry = record({
  id: text('Entry id.', '31'),
  asset,
  type: enumeration(entryTypes, 'Reason of the change of the available balance.'),
  amount: number('Change of the available balance; negative if it decreased.', -1180),
  before: number('Available balance before.', 2000),
  after: number('Available balance after, exactly before + amount.', 820),
  reference: text(
    'Id of the order (hold, release) or trade (trade, fee), or reference of the transfer.',
    '7',
  ),
  timestamp: timestamp('Time of the event.'),
});

const OperatorOrder = record({
  accountId: text('Account of the order.', 'alice'),
  ...(order.properties as Fields),
});

const Deadline = record({
  symbol: nullable(text('Market; null for all markets.', 'BTC/USDT')),
  cancelAt: timestamp('Time when the orders are canceled.'),
});

const rates = {
  makerFee: number('Maker fee rate, charged on the received asset: 0.001 is 0.1 %.', 0.0008),
  takerFee: number('Taker fee rate, charged on the received asset.', 0.001),
};

const Fee = record({ symbol, ...rates });

const FeeTier = record({
  tier: integer('Tier number; tier 0 pays the rates of the market.', 1),
  minVolume: number('Minimum 30-day volume of the tier.', 100000),
  ...rates,
});

const Asset = record({
  asset,
  name: text('Display name.', 'Tether'),
  decimals: integer('Number of decimals.', 10),
});

const Account = record({
  accountId: text('Account id.', 'alice'),
  frozen: boolean('Whether the account is frozen and cannot trade.', false),
  limitClass: integer('Rate-limit multiplier.', 1),
  feeTier: {
    type: ['integer', 'string'],
    description: 'Fee tier set by the operator, or `volume` if the 30-day volume decides.',
    examples: ['volume'],
  },
  openOrders: integer('Number of open orders.', 3),
  createdAt: timestamp('Time when the account was created.'),
});

const ApiKey = record({
  apiKey: text('API key, without its secret.', `bwk_${'0'.repeat(32)}`),
  accountId: text('Account of the key.', 'alice'),
  label: text('Label of the key.', 'bot'),
  permissions: list(enumeration(permissionNames, 'A permission.')),
  addresses: list(
    text('An IP address or CIDR range.', '10.0.0.0/8'),
    'IP allowlist; empty for any address.',
  ),
  createdAt: timestamp('Time when the key was created.'),
  expiresAt: nullable(timestamp('Expiry; null for never.')),
  revokedAt: nullable(timestamp('Time when the key was revoked; null if it was not.')),
  ...keyCredential,
});

const Transfer = record({
  id: text('Transfer id.', '9'),
  account: text('Account whose balance changed.', 'alice'),
  asset,
  amount: number('Amount; positive for a credit, negative for a debit.', 250.5),
  reference: text(
    'Unique reference, so that a repeated request makes no second transfer.',
    'deposit-1',
  ),
  timestamp: timestamp('Time of the event.'),
});

const AssetTotals = record({
  asset,
  available: number('Available balance over all accounts.', 1999550),
  held: number('Held balance over all accounts.', 450),
  fees: number('Fees collected by the exchange.', 0),
  external: number('External funds, as a liability: negative.', -2000000),
  balances: boolean('Whether the four amounts sum to zero, as they must.', true),
});

const AuditEntry = record({
  id: text('Entry id.', '21'),
  logPosition: integer('Position of the batch in the log.', 4),
  index: integer('Index in that batch, from 0.', 0),
  timestamp: timestamp('Time of the event.'),
  account: nullable(
    text('Account that sent the command; null for the exchange itself.', 'operator'),
    'operator',
  ),
  apiKey: nullable(text('API key that was used; null for a session.', `bwk_${'0'.repeat(32)}`)),
  action: text('Command name.', 'createAccount'),
  subject: nullable(text('Account, market or asset that was changed.', 'alice'), 'alice'),
  outcome: enumeration(['done', 'repeated', 'rejected'], 'Outcome.'),
  rejection: integer('Rejection code, 0 unless rejected.', 0),
  details: {
    type: 'object',
    description:
      'Other fields of the command, with names of accounts, markets and assets and exact numbers.',
    examples: [{}],
  },
});

/** The records by the name that a `$ref` has. */
export const RECORDS = {
  Market: MARKET_RECORDS.Market,
  Price: MARKET_RECORDS.Price,
  Balance,
  Order,
  TestedOrder,
  Trade: MARKET_RECORDS.Trade,
  Fill,
  Candle: MARKET_RECORDS.Candle,
  PortfolioPoint,
  LedgerEntry,
  OperatorOrder,
  Deadline,
  Fee,
  FeeTier,
  Asset,
  Account,
  ApiKey,
  Transfer,
  AssetTotals,
  AuditEntry,
  ...USER_RECORDS,
} as const satisfies Fields;

export type RecordName = keyof typeof RECORDS;

/** Returns a reference to a record. */
export function recordRef(name: RecordName) {
  return reference(name);
}

/** Returns a list of references to a record. */
export function recordList(name: RecordName) {
  return list(reference(name));
}

/** The cursor field of a paginated list. */
export const nextCursor = nullable(
  text('Send it as `cursor` to get the next page; null on the last page.', '2s-0123456789ab'),
);
