import {
  exchangeReportKinds,
  reportFormats,
  reportKinds,
  reportStatuses,
} from '../../archivist/archivist.ts';
import { auditOutcomes } from '../../engine/command-details.ts';
import { entryTypes, permissionNames, sides } from '../../engine/terms.ts';
import { CUSTODY_RECORDS } from './custody-schemas.ts';
import { DASHBOARD_RECORDS } from './dashboard-schemas.ts';
import { GAINS_RECORDS } from './gains-schemas.ts';
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
import { NOTIFICATION_RECORDS } from './notification-schemas.ts';
import { OPERATOR_RECORDS } from './operator-schemas.ts';
import { ORDER_RECORDS } from './order-record-schemas.ts';
import { PROOF_RECORDS } from './proof-schemas.ts';
import { SUB_ACCOUNT_RECORDS } from './sub-account-schemas.ts';
import { TIMELINE_RECORDS } from './timeline-schemas.ts';
import { TRADING_LIMIT_RECORDS } from './trading-limit-schemas.ts';
import { keyCredential, USER_RECORDS } from './user-schemas.ts';

/** The records of the API, written by `records.ts`, for the OpenAPI document. */

const asset = text('Asset symbol.', 'USDT');

const Balance = record({
  asset,
  total: number('Total balance: exactly available + held.', 1000),
  available: number('Balance available for orders and debits.', 550),
  held: number('Balance reserved for open orders.', 450),
});

const Fill = withOptional(
  record({
    id: text('Trade id.', '7'),
    orderId: text('Id of your order.', '1'),
    symbol,
    side: enumeration(sides, 'Side of your order.'),
    price: number("Price, which is the maker's.", 118000),
    amount: number('Amount of the base asset.', 0.01),
    cost: number('Value in the quote asset, price × amount.', 1180),
    fee: reference('OrderFee'),
    liquidity: enumeration(['maker', 'taker'], 'Whether your order was the maker or the taker.'),
    timestamp: timestamp('Time of the event.'),
  }),
  { bustedAt: timestamp('Only of a busted trade: when operators reversed it.') },
);

const PortfolioBalance = record({
  asset,
  total: number('Total balance at the end of the interval.', 1.5),
});

const PortfolioPoint = record({
  timestamp: timestamp('Start of the interval.'),
  balances: list(
    reference('PortfolioBalance'),
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
    'Id of the order (hold, release) or trade (trade, fee, rebate, referral, trade_bust, trade_bust_fee), or reference of the transfer.',
    '7',
  ),
  timestamp: timestamp('Time of the event.'),
});

const Deadline = record({
  symbol: nullable(text('Market; null for all markets.', 'BTC/USDT')),
  cancelAt: timestamp('Time when the orders are canceled.'),
});

const rates = {
  makerFee: number(
    'Maker fee rate, charged on the received asset: 0.001 is 0.1 %. A negative rate is a rebate on what the taker receives.',
    0.0008,
  ),
  takerFee: number('Taker fee rate, charged on the received asset.', 0.001),
};

const Fee = record({ symbol, ...rates });

const FeeTier = record({
  tier: integer('Tier number; tier 0 pays the rates of the market.', 1),
  minVolume: number('Minimum 30-day volume of the tier.', 100000),
  ...rates,
});

const FeeDiscount = record({
  asset: text('The asset that an account must own.', 'BTC'),
  minBalance: number('Minimum that an account must own of it, available and held.', 1),
  rate: number('Part of the fee rates that is waived: 0.25 is a quarter.', 0.25),
});

const Asset = record({
  asset,
  name: text('Display name.', 'Tether'),
  decimals: integer('Number of decimals.', 10),
});

const Account = record({
  accountId: text('Account id.', 'alice'),
  main: nullable(text('Main account of a sub-account; null for a main account.', 'alice')),
  name: nullable(text('Name of a sub-account; null for a main account.', 'Grid bot')),
  frozen: boolean('Whether the account is frozen and cannot trade.', false),
  closed: boolean('Whether it is a sub-account that its owner has closed.', false),
  limitClass: integer('Rate-limit multiplier.', 1),
  feeTier: {
    type: ['integer', 'string'],
    description: 'Fee tier set by the operator, or `volume` if the 30-day volume decides.',
    examples: ['volume'],
  },
  tier: integer('The fee tier in effect. Tier 0 has the rates of the market.', 1),
  volume: nullable(
    number('Its 30-day volume in the asset of the fee tiers; null if there are none.', 125000),
    125000,
  ),
  surveillanceExempt: boolean(
    "Whether it is one of the sandbox's market makers or of `--surveillance-exempt`, or their sub-account.",
    false,
  ),
  referrer: nullable(text('The account that referred it; null for none.', 'alice')),
  openOrders: integer('Number of open orders.', 3),
  createdAt: timestamp('Time when the account was created.'),
  tradingLimits: reference('TradingLimits'),
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

const EndpointLimit = record({
  method: text('HTTP method.', 'GET'),
  path: text('Path as in the OpenAPI document.', '/api/orders/{id}'),
  limit: nullable(integer('Maximum requests per minute; null if limits are off.', 60), 60),
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

const LogArchive = record({
  url: text('The archive, without credentials.', 's3://exchange-log/production'),
  position: integer('The newest batch of the log that is there; 0 before the first.', 40_960),
  timestamp: nullable(timestamp('Time of that batch.')),
  segments: integer('Segments of the log that are there.', 12),
  storedBytes: integer('Size of their objects.', 240_000_000),
  waitingBytes: integer('Size of the segments that are due to move there.', 0),
  error: nullable(text('The last failure; null after a success.', 'The archive cannot be used.')),
});

const AssetTotals = record({
  asset,
  available: number('Available balance over all accounts.', 1999550),
  held: number('Held balance over all accounts.', 450),
  fees: number('Fees collected by the exchange.', 0),
  external: number('External funds, as a liability: negative.', -2000000),
  balances: boolean('Whether the four amounts sum to zero, as they must.', true),
  liabilities: number(
    'Debts of the exchange: available and held balances of all accounts. Fees are its own.',
    2000000,
  ),
  holdings: nullable(
    number('Coins at the custodian, on all networks; null if it has never reported any.', 2000150),
  ),
  inFlight: number('Withdrawals that the custodian has received and not confirmed.', 0),
  holdingsReportedAt: nullable(
    timestamp('Time of the oldest of the newest reports of its networks; null without one.'),
  ),
  unreportedNetworks: list(text('Name of a network that was never reported.', 'ton')),
  covered: nullable(
    boolean('Whether holdings and withdrawals in flight are at least the liabilities.', true),
  ),
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
  user: nullable(
    text(
      'Email address of the signed-in user; null for an API key, and if the log has the account only.',
      'ops@example.com',
    ),
  ),
  action: text('Command name.', 'createAccount'),
  subject: nullable(text('Account, market or asset that was changed.', 'alice'), 'alice'),
  outcome: enumeration(
    auditOutcomes,
    'Outcome. `sent_for_approval` is a command that a second operator must approve; the next entry is the request.',
  ),
  rejection: integer('Rejection code, 0 unless rejected.', 0),
  details: {
    type: 'object',
    description:
      'Other fields of the command, with names of accounts, markets and assets and exact numbers.',
    examples: [{}],
  },
  accounts: list(reference('AccountName'), 'The accounts whose ids the other fields contain.'),
});

const Report = record({
  reportId: text('Report id.', '0123456789abcdef01234567'),
  account: nullable(text('The account that it is about; null for the exchange.', 'alice')),
  kind: enumeration([...reportKinds, ...exchangeReportKinds], 'The records that it lists.'),
  format: enumeration(reportFormats, 'Format of its file.'),
  from: timestamp('Beginning of the period.'),
  to: timestamp('End of the period, which is not included.'),
  status: enumeration(reportStatuses, 'Only a report that is `done` has a file.'),
  progressPercent: integer('Progress, from 0 to 100.', 0),
  createdAt: timestamp('Time of the request.'),
  finishedAt: nullable(timestamp('When it was done or failed; null before.')),
  logPosition: integer('The last batch of the log that it includes; 0 before it runs.', 0),
  rows: integer('Records in the file; 0 until it is done.', 0),
  bytes: integer('Size of the file; 0 until it is done.', 0),
  sha256: nullable(text('SHA-256 of the file in hexadecimal; null until it is done.', '')),
  error: nullable(text('Why it failed; null otherwise.', '')),
});

/** The records by the name that a `$ref` has. */
export const RECORDS = {
  Market: MARKET_RECORDS.Market,
  OperatorMarket: MARKET_RECORDS.OperatorMarket,
  Price: MARKET_RECORDS.Price,
  Balance,
  ...ORDER_RECORDS,
  ...TIMELINE_RECORDS,
  Trade: MARKET_RECORDS.Trade,
  Fill,
  Candle: MARKET_RECORDS.Candle,
  PortfolioBalance,
  PortfolioPoint,
  LedgerEntry,
  Deadline,
  Fee,
  FeeTier,
  FeeDiscount,
  Asset,
  Account,
  ApiKey,
  EndpointLimit,
  Transfer,
  ...CUSTODY_RECORDS,
  ...SUB_ACCOUNT_RECORDS,
  AssetTotals,
  LogArchive,
  AuditEntry,
  Report,
  ...PROOF_RECORDS,
  ...GAINS_RECORDS,
  ...USER_RECORDS,
  ...NOTIFICATION_RECORDS,
  ...OPERATOR_RECORDS,
  ...DASHBOARD_RECORDS,
  ...TRADING_LIMIT_RECORDS,
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
