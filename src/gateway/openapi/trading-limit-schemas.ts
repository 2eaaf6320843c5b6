import {
  boolean,
  integer,
  list,
  nullable,
  number,
  record,
  reference,
  text,
  timestamp,
} from './json-schema.ts';

/** The records of the limits on the trading of accounts, for the OpenAPI document. */

const asset = text('Quote asset.', 'USDT');

const NotionalLimit = record({
  asset,
  amount: number('Maximum of price × unfilled amount of all open orders.', 1000000),
});

const TradingLimits = record({
  isDefault: boolean('Whether these are the limits of accounts without their own.', true),
  orderRate: nullable(
    integer('Orders and amendments per 10 seconds; null for no limit.', 100),
    100,
  ),
  ordersPerTrade: nullable(
    integer(
      'Orders and amendments per trade in each hour, beyond `freeOrders`; null for no limit.',
      50,
    ),
    50,
  ),
  freeOrders: nullable(integer('Orders and amendments per hour that need no trade.', 1000), 1000),
  openNotional: list(reference('NotionalLimit')),
});

const UsedNotional = record({
  asset,
  used: number('price × unfilled amount of all open orders.', 250000),
});

const UsedLimits = record({
  orders: integer('Orders and amendments in the current 10 seconds, if they are limited.', 3),
  ordersResetAt: timestamp('Time at which `orders` starts again.'),
  hourlyOrders: integer('Orders and amendments in the current hour, if they are limited.', 120),
  hourlyTrades: integer('Trades in the current hour, if orders per trade are limited.', 7),
  hourlyResetAt: timestamp('Time at which the counts of the hour start again.'),
  openNotional: list(reference('UsedNotional')),
});

export const TRADING_LIMIT_RECORDS = { NotionalLimit, TradingLimits, UsedNotional, UsedLimits };
