import { costMethods } from '../../archivist/archivist.ts';
import { entryTypes } from '../../engine/terms.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  number,
  record,
  reference,
  text,
  timestamp,
} from './json-schema.ts';

/** The records of profit and loss, for the OpenAPI document. Values are in the quote asset of the request. */

/** Types of flows: those of ledger entries, and the balance before the ledger that is kept. */
export const flowTypes = [...entryTypes, 'opening_balance'] as const;

const asset = text('Asset symbol.', 'BTC');
const value = number('Value of everything in the account, at the price of that time.', 61000);
const cost = number('The cost of everything in the account.', 58000);
const realized = number('Gains less losses of everything that was sold, and income.', 1250);
const unrealized = number('value - cost.', 3000);
const withdrawnGain = number(
  'value - cost of everything that was withdrawn, at that time: neither realized nor unrealized.',
  0,
);
const netDeposits = number('Deposits less withdrawals, at their value at that time.', 56750);
const returnIndex = number(
  'Time-weighted return since the first deposit as a factor: 1.05 is +5 %. The return between two points is the quotient of their factors less 1.',
  1.0745,
);

const AssetGains = record({
  asset,
  amount: number('Total balance, available and held.', 0.5),
  averageCost: nullable(number('cost / amount; null if there is none.', 58000), 58000),
  cost: number('The cost of the amount.', 29000),
  price: nullable(number('The last price; null if no market gives one.', 61000), 61000),
  value: nullable(number('amount × price.', 30500), 30500),
  unrealized: nullable(number('value - cost.', 1500), 1500),
  realized,
  withdrawnGain,
  hasUnknownCost: boolean(
    'Whether some of the amount had no price when it arrived: it counts as free.',
    false,
  ),
});

const GainsPoint = record({
  timestamp: timestamp(
    'Start of the interval. The point shows its end; that of the last interval shows now.',
  ),
  value,
  cost,
  realized,
  unrealized,
  withdrawnGain,
  netDeposits,
  returnIndex,
});

const Flow = record({
  timestamp: timestamp('Time of the event.'),
  asset,
  type: enumeration(flowTypes, 'Type of the ledger entry.', 'deposit'),
  amount: number('Negative if it left the account.', 0.5),
  value: nullable(number('Its value at that time; null if there was no price.', 29000), 29000),
});

const GainsYear = record({
  year: integer('Calendar year (UTC).', 2026),
  disposals: integer('Number of disposals and of amounts of income.', 12),
  proceeds: number('Proceeds after fees.', 42000),
  cost: number('Cost of what was disposed of.', 40750),
  gains: number('Sum of the positive gains.', 1500),
  losses: number('Sum of the negative gains.', -250),
  income: number('The part of the gains that was earned without giving anything.', 0),
  hasUnknownCost: boolean('Whether some of the cost or the proceeds is unknown.', false),
});

const ProfitAndLoss = record({
  quote: text('The asset in which values are.', 'USDT'),
  method: enumeration(costMethods, 'The method by which costs are found.'),
  isComplete: boolean(
    'False while more of a long ledger is to be read: send the request again.',
    true,
  ),
  timestamp: timestamp('Time up to which the ledger is included.'),
  keptSince: nullable(
    timestamp('The time from which the ledger is kept; null if no history was deleted.'),
  ),
  value,
  cost,
  realized,
  unrealized,
  withdrawnGain,
  netDeposits,
  deposited: number('Value of all deposits at their time.', 60000),
  withdrawn: number('Value of all withdrawals at their time.', 3250),
  fees: number('Fees of trades and withdrawals less rebates, at their value at that time.', 41.25),
  returnIndex,
  assets: list(reference('AssetGains'), 'Every asset that the account ever had.'),
  points: list(reference('GainsPoint'), 'Oldest first.'),
  flows: list(
    reference('Flow'),
    'Deposits, withdrawals and transfers since the first point, oldest first; of more than 500 the newest.',
  ),
  years: list(reference('GainsYear'), 'Oldest first.'),
});

export const GAINS_RECORDS = { ProfitAndLoss, AssetGains, GainsPoint, Flow, GainsYear } as const;
