import { marketStatuses } from '../../engine/terms.ts';
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
} from './json-schema.ts';
import { symbol } from './market-schemas.ts';

/** The records of the dashboard of operators, for the OpenAPI document. */

const perSample = (description: string, example: number) => list(number(description, example));

const perWindow = (description: string, example: number) =>
  list(
    nullable(
      number(
        `${description}, of the five minutes up to each sample, milliseconds; null with fewer than 100 requests.`,
        example,
      ),
      example,
    ),
  );

const DashboardNode = record({
  name: text('Name of the node that answers.', 'node-1'),
  node: text('State of this node: `ready`, `overloaded`, `unreachable` or `disk_full`.', 'ready'),
  logPosition: integer('The last batch of the log that this node has applied.', 4127),
  waitingCommands: integer('Commands that wait for the log.', 0),
  archivistLagMs: integer('Lag of the archivist, milliseconds.', 0),
  openOrders: integer('Open orders of all accounts.', 3),
  isTrading: boolean('Whether any market accepts orders.', true),
});

const DashboardSeries = record({
  everyMs: integer('Interval of the samples, milliseconds.', 2000),
  ordersPerSecond: perSample('Orders placed per second.', 12.5),
  orderMedianMs: perWindow(
    'Median response time of requests that place, amend or cancel orders',
    0.6,
  ),
  orderP99Ms: perWindow('99th percentile of it', 2.1),
  otherMedianMs: perWindow('Median response time of all other requests to the API', 0.4),
  otherP99Ms: perWindow('99th percentile of it', 1.9),
  archivistLagMs: perSample('Lag of the archivist, milliseconds.', 0),
});

const DashboardMarket = record({
  symbol,
  status: enumeration(marketStatuses, 'Market status.'),
  base: text('Base asset.', 'BTC'),
  quote: text('Quote asset.', 'USDT'),
  last: number('Price of the last trade, or the reference price before the first.', 117000),
  percentage: number('Change of the price in 24 hours, percent.', 1.25),
  bid: nullable(number('Best bid.', 116999.5), 116999.5),
  ask: nullable(number('Best ask.', 117000.5), 117000.5),
  spreadBasisPoints: nullable(number('Spread, hundredths of a percent of the middle.', 0.2), 0.2),
  bidDepth: nullable(
    number('Amount of bids within 0.5 % of the middle, in the base asset.', 12),
    12,
  ),
  askDepth: nullable(
    number('Amount of asks within 0.5 % of the middle, in the base asset.', 11),
    11,
  ),
  twoSidedPercent: nullable(
    number(
      'Share of samples with bids and asks while trading, in the last 24 hours or since the node started.',
      100,
    ),
    100,
  ),
  volume: number('Volume of the last 24 hours in the quote asset.', 1250000),
  trades: integer('Trades of the last 24 hours.', 5210),
});

const DashboardVolume = record({
  asset: text('Quote asset.', 'USDT'),
  volume: number('Volume of the last 24 hours in markets of this quote asset.', 1250000),
  hours: perSample('Volume of each of the last 24 hours, oldest first.', 52000),
});

const DashboardFees = record({
  asset: text('Asset.', 'USDT'),
  amount: number(
    'Change of the fee account since `feesSince`: fees less rebates and referral shares.',
    125.5,
  ),
  hours: perSample('Change in each of the last 24 hours, oldest first.', 5.25),
});

const DashboardUsers = record({
  registered: integer('Users.', 310),
  created: integer('Users who were created in the last 24 hours.', 4),
  createdByDay: list(
    integer('Users who were created on a day (UTC).', 4),
    'The last 30 days, today last.',
  ),
  active: integer('Users whose sessions were used in the last 24 hours.', 57),
});

const DashboardQueues = record({
  depositsToReview: integer('Deposits that wait for a decision.', 0),
  withdrawalsToApprove: integer('Withdrawals that wait for approval.', 0),
  instructions: integer('Instructions that the custodian has not confirmed.', 0),
  approvals: integer('Requests that wait for a second operator.', 0),
  alerts: integer('Open alerts of surveillance, at most 100.', 0),
});

export const DASHBOARD_RECORDS = {
  DashboardNode,
  DashboardSeries,
  DashboardMarket,
  DashboardVolume,
  DashboardFees,
  DashboardUsers,
  DashboardQueues,
};

export const DASHBOARD_TIMES = {
  timestamp: timestamp('Time of the exchange.'),
  startedAt: timestamp('Time from which this node has sampled.'),
  feesSince: timestamp(
    'Time from which fees are counted: 24 hours ago; later only while the log before the start of this node is not read, or if it is not in files.',
  ),
};
