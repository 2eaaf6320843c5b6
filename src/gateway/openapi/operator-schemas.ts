import { timelineKinds } from '../../engine/command-details.ts';
import { approvalActionNames } from '../../engine/operators/approval-policy.ts';
import { approvalStatuses } from '../../engine/operators/records.ts';
import { permissionNames, sides } from '../../engine/terms.ts';
import { caseStatuses, detectorNames, severities } from '../../surveillance/alert.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  nullableReference,
  number,
  record,
  reference,
  text,
  timestamp,
} from './json-schema.ts';
import { symbol } from './market-schemas.ts';

/** The records of approvals, roles and notes, for the OpenAPI document. */

const actor = {
  account: nullable(
    text('Account of the operator; null for the exchange itself.', 'operator'),
    'operator',
  ),
  apiKey: nullable(text('API key that was used; null for a session.', `bwk_${'0'.repeat(32)}`)),
  user: nullable(
    text(
      'Email address of the signed-in user; null for an API key, and once the user is removed.',
      'olga@example.com',
    ),
  ),
};

/** A command in the log. */
const place = record({
  logPosition: integer('Position of its batch in the log.', 4127),
  index: integer('Index in that batch, from 0.', 0),
  timestamp: timestamp('Time of the command.'),
});

const caseFields = {
  caseStatus: enumeration(
    caseStatuses,
    '`open` if no one investigates, `assigned` if an operator does, or `closed`.',
  ),
  assignee: nullable(
    text('Account of the operator who investigates; null for no one.', 'operator'),
    'operator',
  ),
};

const SurveillanceAlert = record({
  id: text('Alert id, the same at every replay of the log.', 'spoofing-4127-0-0-3'),
  detector: enumeration(detectorNames, 'The detector that found it.'),
  severity: enumeration(
    severities,
    'Severity, which the detector decides: patterns that move prices are `high`.',
  ),
  symbol,
  accounts: list(text('Main account of a user.', 'trader-3'), 'The users concerned.'),
  from: place,
  to: place,
  figures: {
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'The counts that led to the alert; docs/operating/surveillance.md explains them.',
    examples: [{ side: 0, withdrawnOrders: 9, rounds: 3, ratio: 36 }],
  },
  logPosition: integer('The batch with which it was found, after the end of its window.', 4305),
  ...caseFields,
  reviewedAt: nullable(timestamp('Time of the latest review; null before the first.')),
});

const AlertFill = record({
  tradeId: text('Trade id.', '7'),
  orderId: text('The order of this side.', '12'),
  account: text('Account of this side.', 'trader-3'),
  side: enumeration(sides, 'Side of the account.'),
  liquidity: enumeration(['maker', 'taker'], 'Whether its order was resting.'),
  price: number('Price.', 117000),
  amount: number('Amount.', 0.01),
  timestamp: timestamp('Time of the trade.'),
});

const AlertReview = record({
  logPosition: integer('Position of its batch in the log.', 4410),
  timestamp: timestamp('Time of the review.'),
  ...caseFields,
  note: text('Note of the operator; may be empty.', 'Asked the account for an explanation'),
  ...actor,
});

const UserTimelineEntry = record({
  logPosition: integer('Position of its batch in the log.', 4127),
  index: integer('Index of its command in that batch, from 0.', 0),
  timestamp: timestamp('Time of the command or change.'),
  kind: enumeration(timelineKinds, 'The subject of the entry.', 'account'),
  command: nullableReference(
    'AuditEntry',
    'The command, as the audit has it; null for a change of a deposit or withdrawal.',
  ),
  deposit: nullableReference('Deposit', 'The deposit after a change; otherwise null.'),
  withdrawal: nullableReference('Withdrawal', 'The withdrawal after a change; otherwise null.'),
});

const SearchResult = record({
  kind: enumeration(
    ['account', 'key', 'order', 'trade', 'transfer', 'address', 'deposit', 'withdrawal'],
    'The kind of record.',
  ),
  id: text('Its id; for a key the API key.', 'alice'),
  account: nullable(text('Its account; null for a deposit of no account.', 'alice'), 'alice'),
  ownerName: nullable(text('Name of the first user of the account.', 'Alice'), 'Alice'),
  ownerEmail: nullable(
    text('Email address of that user.', 'alice@example.com'),
    'alice@example.com',
  ),
  status: nullable(
    text(
      '`active`, `frozen`, `closed` or `revoked`, or the status of an order, deposit or withdrawal.',
      'active',
    ),
    'active',
  ),
  symbol: nullable(text('Market of an order.', 'BTC/USDT')),
  side: nullable(text('Side of an order.', 'buy')),
  asset: nullable(text('Asset of a transfer, deposit or withdrawal.', 'USDT')),
  amount: nullable(number('Its amount; negative for a debit.', 250.5)),
  reference: nullable(
    text(
      'Its client order id, reference or transaction, the order of a trade, or the label of a key.',
      'deposit-1',
    ),
  ),
  timestamp: timestamp('Time of its creation.'),
});

const UserSession = record({
  id: text('Session id.', `s${'0'.repeat(24)}`),
  email: text('Email address of the user.', 'alice@example.com'),
  createdAt: timestamp('Time of the sign-in.'),
  lastSeenAt: timestamp('Time of the last request, a minute old at most.'),
  address: text('Network address of the sign-in.', '192.0.2.1'),
  userAgent: text('The browser, as it describes itself.', 'Mozilla/5.0'),
});

const FailedDetector = record({
  detector: enumeration(detectorNames, 'The detector that is off.'),
  logPosition: integer('The batch at which it failed.', 4127),
  error: text('Message of its error.', 'a defect'),
});

const DetectorStatus = record({
  detector: enumeration(detectorNames, 'The detector.'),
  severity: enumeration(severities, 'Severity of its alerts.'),
  isRunning: boolean('False if it failed and is off.', true),
  windowMs: nullable(
    integer('Length of its windows, in milliseconds; null if it is off.', 600_000),
    600_000,
  ),
  evaluatedTo: nullable(
    timestamp(
      'End of the last window that it has evaluated; null before the first, or if it is off.',
    ),
  ),
  nextAt: nullable(
    timestamp('End of the present window, which the first command after it evaluates.'),
  ),
  alerts: integer('Alerts since this node started.', 0),
  parameters: {
    type: 'object',
    additionalProperties: { type: 'integer' },
    description:
      'The thresholds from which it reports a pattern; docs/operating/surveillance.md explains them.',
    examples: [{ maxAgeMs: 5000, minTrades: 6, minTradesPerDirection: 2, maxNetPercent: 20 }],
  },
});

const Detection = record({
  detectors: list(reference('DetectorStatus'), 'All detectors.'),
  from: nullable(
    timestamp('Time of the first command that this node has read since it started; null for none.'),
  ),
  to: nullable(timestamp('Time of the last command that it has read; null for none.')),
  logPosition: integer('The last batch that it has read.', 4305),
  orders: integer('Changes of orders that it has read.', 18_240),
  trades: integer('Trades that it has read.', 912),
});

const ApprovalDecision = record({
  ...actor,
  reason: text('Reason that was given.', ''),
  timestamp: timestamp('Time of the decision, or of the expiry.'),
});

const Approval = record({
  id: text('Request id.', '1'),
  status: enumeration(approvalStatuses, 'State of the request.'),
  action: text('Name of the command that waits.', 'transfer'),
  subject: nullable(text('Account, market or asset that it changes.', 'alice'), 'alice'),
  details: {
    type: 'object',
    description:
      'Other fields of the command, with names of accounts, markets and assets and exact numbers.',
    examples: [{}],
  },
  current: {
    type: ['object', 'null'],
    description:
      'Present values of the fields that the command would change, like `details`; null if it replaces none, or has been decided.',
    examples: [null],
  },
  accounts: list(
    reference('AccountName'),
    'The accounts whose ids `subject` and `details` contain.',
  ),
  ...actor,
  isOwn: boolean(
    'Whether your account has made the request, so that you cannot approve it.',
    false,
  ),
  reason: text('Reason that was given.', 'deposit'),
  requestedAt: timestamp('Time of the request.'),
  expiresAt: timestamp('Time from which no one can approve it.'),
  decision: nullableReference('ApprovalDecision', 'The decision; null while it is pending.'),
});

const ApprovalLimit = record({
  asset: text('Asset.', 'USDT'),
  amount: number('The largest credit or debit that needs no approval.', 10000),
});

const ApprovalPolicy = record({
  actions: list(enumeration(approvalActionNames, 'An action that needs a second operator.')),
  limits: list(reference('ApprovalLimit')),
});

const permissions = {
  ...list(enumeration(permissionNames, 'A permission.')),
  examples: [['operate']],
};

const Role = record({
  name: text('Name of the role.', 'Treasury'),
  permissions,
  tasks: text('Tasks of the role.', 'Credits and debits accounts'),
});

const RoleAssignment = record({
  account: text('Account.', 'operator'),
  user: nullable(
    text('Email address of a user; null for an API key.', 'olga@example.com'),
    'olga@example.com',
  ),
  apiKey: nullable(text('API key; null for a user.', `bwk_${'0'.repeat(32)}`)),
  permissions,
});

const Note = record({
  id: text('Note id.', '1'),
  text: text('The note.', 'Called back, ticket 4711'),
  timestamp: timestamp('Time of the note.'),
  ...actor,
});

const BustedTrade = record({
  id: text('Trade id.', '7'),
  symbol,
  side: enumeration(sides, 'Side of the taker.'),
  price: number("Price, which is the maker's.", 118000),
  amount: number('Amount of the base asset.', 0.01),
  maker: text('Account of the maker.', 'alice'),
  taker: text('Account of the taker.', 'bob'),
  timestamp: timestamp('Time of the trade.'),
  bustedAt: timestamp('Time of the bust.'),
});

export const OPERATOR_RECORDS = {
  SurveillanceAlert,
  AlertFill,
  AlertReview,
  UserTimelineEntry,
  SearchResult,
  UserSession,
  FailedDetector,
  DetectorStatus,
  Detection,
  ApprovalDecision,
  Approval,
  ApprovalLimit,
  ApprovalPolicy,
  Role,
  RoleAssignment,
  Note,
  BustedTrade,
};
