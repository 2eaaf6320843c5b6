import {
  entryTypes,
  marketStatuses,
  orderReasons,
  orderStatuses,
  orderTypes,
  permissionNames,
  selfTradePreventions,
  sides,
  timesInForce,
} from '../../engine/terms.ts';
import {
  type Fields,
  flag,
  integer,
  list,
  moment,
  number,
  orNull,
  record,
  reference,
  text,
  word,
} from './json-schema.ts';
import { USER_RECORDS } from './user-schemas.ts';

/** The records of API section 2, and the operator's, for the OpenAPI document: what `records.ts` writes. */

export const symbol = text('The market, as BASE/QUOTE.', 'BTC/USDT');
const asset = text('The asset.', 'USDT');

const dayFigures = {
  high: orNull(number('Highest price in 24 h; null without a trade.', 118500), 118500),
  low: orNull(number('Lowest price in 24 h; null without a trade.', 117000), 117000),
  change: number('Price less the first of the 24 h.', 500),
  percentage: number('That change in percent, rounded to four decimals.', 0.4255),
  baseVolume: number('Base asset traded in 24 h.', 12.5),
  quoteVolume: number('Quote asset traded in 24 h.', 1471875),
};

const Market = record({
  symbol,
  base: text('What is bought and sold.', 'BTC'),
  quote: text('What it is paid in.', 'USDT'),
  status: word(marketStatuses, 'Which orders the market takes now.'),
  active: flag('Whether it takes orders that trade.', true),
  tickSize: number('A price is a multiple of this.', 0.01),
  stepSize: number('An amount is a multiple of this.', 0.00000001),
  minAmount: number('Least amount of an order.', 0.00000001),
  maxAmount: number('Largest amount of an order.', 9000),
  minPrice: number('Least price of a limit order.', 0.01),
  maxPrice: number('Largest price of a limit order.', 100000000),
  minNotional: number('What an order must be worth, in the quote asset.', 0.01),
  makerFee: number('Of what is received, by the order that rested: 0.001 is 0.1 %.', 0.0008),
  takerFee: number('Of what is received, by the order that came.', 0.001),
  collar: orNull(
    number(
      'How far from the last price a market order trades, as a part of it; null for any.',
      0.1,
    ),
  ),
  orderTypes: list(word(orderTypes, 'A type of order.'), 'What the market takes now.'),
  timeInForce: list(word(timesInForce, 'A time in force.')),
  listedAt: moment('When the market was listed.'),
  last: number('Price of the last trade, before the first one the reference price.', 118000),
  ...dayFigures,
});

const Price = record({
  symbol,
  price: number('Price of the last trade, before the first one the reference price.', 118000),
  bid: orNull(number('Best price of a buyer; null where there is none.', 117999.5), 117999.5),
  bidAmount: orNull(number('How much is bid at it.', 0.4), 0.4),
  ask: orNull(number('Best price of a seller; null where there is none.', 118000.5), 118000.5),
  askAmount: orNull(number('How much is asked at it.', 0.25), 0.25),
  open: orNull(number('First price of the 24 h; null without a trade.', 117500), 117500),
  high: dayFigures.high,
  low: dayFigures.low,
  change: dayFigures.change,
  percentage: dayFigures.percentage,
  vwap: orNull(number('Mean price by volume; null without a trade.', 117750), 117750),
  baseVolume: dayFigures.baseVolume,
  quoteVolume: dayFigures.quoteVolume,
  timestamp: moment('When the record was made.'),
});

const Balance = record({
  asset,
  total: number('available + held, exactly.', 1000),
  available: number('What orders and debits may use.', 550),
  held: number('Reserved for open orders.', 450),
});

const leg = orNull(
  record({
    price: orNull(number('Its limit.', 39900)),
    triggerPrice: orNull(number('The last price that it waits for.', 40000)),
  }),
);

const Order = record({
  orderId: text('Identifier of the order.', '1'),
  symbol,
  side: word(sides, 'Whether the base asset is bought or sold.'),
  amount: number('Of the base asset.', 0.01),
  price: orNull(
    number('The limit; of a market order its average, null before a fill.', 45000),
    45000,
  ),
  status: word(orderStatuses, 'Only an open order can be canceled.'),
  timestamp: moment('When it was placed.'),
  type: word(orderTypes, 'The type it was placed with.'),
  timeInForce: word(timesInForce, 'How long it lasts.'),
  expiresAt: orNull(moment('When a GTD order ends.')),
  postOnly: flag('Whether it was to be refused rather than trade at once.', false),
  clientOrderId: orNull(text('The id that its sender gave it.', 'bot-1')),
  triggerPrice: orNull(number('The price that lets a stop go.', 44000)),
  cost: number('Quote asset that its fills came to.', 0),
  filled: number('filled + remaining = amount, always.', 0),
  remaining: number('What is not filled.', 0.01),
  average: orNull(number('cost ÷ filled; null before a fill.', 45000)),
  fees: {
    ...list(
      record({
        asset: text('What was received.', 'BTC'),
        cost: number('The fee in it.', 0.000008),
      }),
      'What its fills cost, an entry an asset; empty before a fill.',
    ),
    examples: [[]],
  },
  selfTradePrevention: word(selfTradePreventions, 'What happens where it meets an own order.'),
  reason: orNull(
    word(
      orderReasons.filter((reason) => reason !== null),
      'Why it ended or changed, other than by a fill.',
    ),
  ),
  lastFillAt: orNull(moment('When it last traded.')),
  updatedAt: moment('When it last changed.'),
  attached: orNull(
    record({ takeProfit: leg, stopLoss: leg }, 'What was sent; placed once it ends, if it was.'),
  ),
  parentOrderId: orNull(text('The order that it was attached to.', '17')),
});

const Trade = record({
  id: text('Identifier of the trade.', '7'),
  symbol,
  side: word(sides, "The taker's."),
  price: number("The maker's.", 118000),
  amount: number('Of the base asset.', 0.01),
  timestamp: moment('When it happened.'),
});

const Fill = record({
  id: text('Identifier of the trade.', '7'),
  orderId: text('Your order.', '1'),
  symbol,
  side: word(sides, 'Whether you bought or sold.'),
  price: number("The maker's.", 118000),
  amount: number('Of the base asset.', 0.01),
  cost: number('price × amount, in the quote asset.', 1180),
  fee: record({
    asset: text('What was received.', 'BTC'),
    cost: number('The fee in it.', 0.000008),
  }),
  liquidity: word(['maker', 'taker'], 'Whether the order rested or came.'),
  timestamp: moment('When it happened.'),
});

const Candle = record({
  timestamp: moment('When it begins.'),
  open: number('First price.', 117500),
  high: number('Highest price.', 118500),
  low: number('Lowest price.', 117000),
  close: number('Last price.', 118000),
  volume: number('Base asset traded.', 12.5),
});

const PortfolioPoint = record({
  timestamp: moment('When the interval begins.'),
  balances: list(
    record({ asset, total: number('What was owned when it ended.', 1.5) }),
    'Of every asset the account ever held.',
  ),
});

const LedgerEntry = record({
  id: text('Identifier of the entry.', '31'),
  asset,
  type: word(entryTypes, 'Why the available balance changed.'),
  amount: number('By how much: below zero it became less.', -1180),
  before: number('Available before.', 2000),
  after: number('Available after: before + amount, exactly.', 820),
  reference: text('The order (hold, release), the trade (trade, fee) or the transfer.', '7'),
  timestamp: moment('When it happened.'),
});

const OperatorOrder = record({
  accountId: text('Whose order it is.', 'alice'),
  ...(Order.properties as Fields),
});

const Deadline = record({
  symbol: orNull(text('The market; null for every one.', 'BTC/USDT')),
  cancelAt: moment('When the orders are canceled.'),
});

const rates = {
  makerFee: number('Of what is received, by the order that rested: 0.001 is 0.1 %.', 0.0008),
  takerFee: number('Of what is received, by the order that came.', 0.001),
};

const Fee = record({ symbol, ...rates });

const FeeTier = record({
  tier: integer('Its number: tier 0 pays the rates of the market.', 1),
  minVolume: number('From this 30-day volume on.', 100000),
  ...rates,
});

const Asset = record({
  asset,
  name: text('Its name for people.', 'Tether'),
  decimals: integer('Decimals of its smallest unit.', 10),
});

const Account = record({
  accountId: text('Identifier of the account.', 'alice'),
  frozen: flag('Whether it may not trade.', false),
  limitClass: integer('Its rate limits are so many times the usual.', 1),
  feeTier: {
    type: ['integer', 'string'],
    description: 'Given by the operator, or `volume` where its 30-day volume decides.',
    examples: ['volume'],
  },
  openOrders: integer('How many orders it has open.', 3),
  createdAt: moment('When it was opened.'),
});

const ApiKey = record({
  apiKey: text('The key, without its secret.', `bwk_${'0'.repeat(32)}`),
  accountId: text('Whose it is.', 'alice'),
  label: text('What its holder calls it.', 'bot'),
  permissions: list(word(permissionNames, 'What it may do.')),
  addresses: list(text('An address or a network.', '10.0.0.0/8'), 'Empty: from anywhere.'),
  createdAt: moment('When it was made.'),
  expiresAt: orNull(moment('When it ends by itself.')),
  revokedAt: orNull(moment('When it was revoked.')),
});

const Transfer = record({
  id: text('Identifier of the transfer.', '9'),
  account: text('Whose balance it moved.', 'alice'),
  asset,
  amount: number('Above zero a credit, below zero a debit.', 250.5),
  reference: text('What makes it happen only once.', 'deposit-1'),
  timestamp: moment('When it happened.'),
});

const AssetTotals = record({
  asset,
  available: number('Over all accounts.', 1999550),
  held: number('Over all accounts.', 450),
  fees: number('What the exchange took.', 0),
  external: number('What came from outside, as a debt: below zero.', -2000000),
  balances: flag('Whether the four come to zero, as they must.', true),
});

const AuditEntry = record({
  id: text('Identifier of the entry.', '21'),
  logPosition: integer('Batch of the log.', 4),
  index: integer('Place in that batch, from 0.', 0),
  timestamp: moment('When it happened.'),
  account: orNull(text('Who asked; null for the exchange itself.', 'operator'), 'operator'),
  apiKey: orNull(text('With which key.', `bwk_${'0'.repeat(32)}`)),
  action: text('Name of the command.', 'createAccount'),
  subject: orNull(text('The account, market or asset that it was done to.', 'alice'), 'alice'),
  outcome: word(['done', 'repeated', 'rejected'], 'What became of it.'),
  rejection: integer('Number of the reason, 0 unless rejected.', 0),
  details: {
    type: 'object',
    description: 'The rest of the command: names of accounts, markets and assets, exact numbers.',
    examples: [{}],
  },
});

/** By the name that a `$ref` calls it by. */
export const RECORDS = {
  Market,
  Price,
  Balance,
  Order,
  Trade,
  Fill,
  Candle,
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

/** One of the records above. */
export function one(name: RecordName) {
  return reference(name);
}

/** A list of them. */
export function many(name: RecordName) {
  return list(reference(name));
}

/** The field of a list that comes in pages. */
export const nextCursor = orNull(
  text('Send it as `cursor` for the next page; null on the last.', '2s-0123456789ab'),
);
