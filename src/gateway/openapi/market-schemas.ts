import { auctionCauses } from '../../engine/auction/auctions.ts';
import { marketStatuses, orderTypes, sides, timesInForce } from '../../engine/terms.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  number,
  record,
  text,
  timestamp,
  withOptional,
} from './json-schema.ts';
import { returnedRules } from './market-rules.ts';

/** The records of market data. */

export const symbol = text('Market symbol, BASE/QUOTE.', 'BTC/USDT');

const dayStatistics = {
  high: nullable(number('Highest price of the last 24 h; null without trades.', 118500), 118500),
  low: nullable(number('Lowest price of the last 24 h; null without trades.', 117000), 117000),
  change: number('Price change over the last 24 h.', 500),
  percentage: number(
    'Price change over the last 24 h in percent, rounded to four decimals.',
    0.4255,
  ),
  baseVolume: number('Traded base asset of the last 24 h.', 12.5),
  quoteVolume: number('Traded quote asset of the last 24 h.', 1471875),
};

const Auction = record(
  {
    cause: enumeration(
      auctionCauses,
      'Why the market is in an auction: it opens, an operator has called it, or a trade would have left the price bands.',
      'volatility',
    ),
    endsAt: nullable(
      timestamp('When the auction fills orders; null if an operator ends it.'),
      '2026-01-05T12:02:00.000Z',
    ),
    extended: boolean(
      'Whether the auction was extended because its price was far outside the bands.',
      false,
    ),
    price: nullable(
      number('The price at which the auction would fill orders now; null if none cross.', 118000),
      118000,
    ),
    amount: number('The amount that it would fill, of the base asset.', 1.5),
    surplus: number('The amount at this price that would find no other side.', 0.25),
    surplusSide: nullable(enumeration(sides, 'The side of the surplus; null without one.'), 'buy'),
  },
  'The auction that a market is in.',
);

const status = enumeration(
  marketStatuses,
  'Market status, which decides which orders are accepted.',
);

const MARKET_FIELDS = {
  symbol,
  base: text('Base asset, which is bought and sold.', 'BTC'),
  quote: text('Quote asset, which prices are in.', 'USDT'),
  status,
  active: boolean('Whether the market accepts orders that may trade at once.', true),
  ...Object.fromEntries(returnedRules.map(({ field, schema }) => [field, schema])),
  auction: nullable(Auction),
  orderTypes: list(
    enumeration(orderTypes, 'An order type.'),
    'Order types that the market accepts now.',
  ),
  timeInForce: list(enumeration(timesInForce, 'A time in force.')),
  listedAt: timestamp('Time when the market was listed.'),
  last: number('Price of the last trade; the reference price before the first trade.', 118000),
  ...dayStatistics,
};

const Market = record(MARKET_FIELDS);

const OperatorMarket = record({
  ...MARKET_FIELDS,
  referencePrice: number(
    'Price that bounds market orders and triggers before the first trade.',
    0.0022,
  ),
});

const Price = record({
  symbol,
  status,
  auction: nullable(Auction),
  price: number('Price of the last trade; the reference price before the first trade.', 118000),
  bid: nullable(number('Best bid price; null without bids.', 117999.5), 117999.5),
  bidAmount: nullable(number('Amount at the best bid.', 0.4), 0.4),
  ask: nullable(number('Best ask price; null without asks.', 118000.5), 118000.5),
  askAmount: nullable(number('Amount at the best ask.', 0.25), 0.25),
  open: nullable(number('First price of the last 24 h; null without trades.', 117500), 117500),
  high: dayStatistics.high,
  low: dayStatistics.low,
  change: dayStatistics.change,
  percentage: dayStatistics.percentage,
  vwap: nullable(
    number('Volume-weighted average price of the last 24 h; null without trades.', 117750),
    117750,
  ),
  baseVolume: dayStatistics.baseVolume,
  quoteVolume: dayStatistics.quoteVolume,
  trades: integer('Number of trades of the last 24 h.', 4200),
  firstTradeId: nullable(text('Id of the first trade of the last 24 h; null without trades.', '7')),
  lastTradeId: nullable(
    text('Id of the last trade of the last 24 h; null without trades.', '4711'),
  ),
  lastAmount: nullable(
    number('Amount of the last trade of the last 24 h; null without trades.', 0.01),
  ),
  previousClose: nullable(
    number('Price of the last trade before the last 24 h; null without one.', 117400),
  ),
  openTime: timestamp(
    'Time from which the figures of the last 24 h count trades: the start of a minute, up to 60 s less than 24 h ago.',
  ),
  timestamp: timestamp('Time of this record.'),
});

const Trade = withOptional(
  record({
    id: text('Trade id.', '7'),
    symbol,
    side: enumeration(sides, 'Side of the taker.'),
    price: number("Price, which is the maker's.", 118000),
    amount: number('Amount of the base asset.', 0.01),
    timestamp: timestamp('Time of the event.'),
  }),
  {
    bustedAt: timestamp('Only of a busted trade: when operators reversed it.'),
    firstTradeId: text('Id of the first of the aggregated trades.', '7'),
    lastTradeId: text('Id of the last of the aggregated trades.', '9'),
  },
);

const Candle = record({
  timestamp: timestamp('Start of the candle.'),
  open: number('Opening price.', 117500),
  high: number('Highest price.', 118500),
  low: number('Lowest price.', 117000),
  close: number('Closing price.', 118000),
  volume: number('Traded base asset.', 12.5),
  quoteVolume: number('Traded quote asset.', 1471875),
  trades: integer('Number of trades.', 42),
  takerBuyVolume: number('The part of `volume` whose taker bought.', 7.5),
  takerBuyQuoteVolume: number('The part of `quoteVolume` whose taker bought.', 883125),
  firstTradeId: nullable(text('Id of the first trade; null without trades.', '7'), '7'),
  lastTradeId: nullable(text('Id of the last trade; null without trades.', '49'), '49'),
  closed: boolean('Whether its interval has ended.', true),
});

export const MARKET_RECORDS = { Market, OperatorMarket, Price, Trade, Candle };
