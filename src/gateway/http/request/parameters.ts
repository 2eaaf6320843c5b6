import { costMethods } from '../../../archivist/archivist.ts';
import { INTERVALS } from '../../../config/intervals.ts';
import { auditOutcomes, timelineKinds } from '../../../engine/command-details.ts';
import { depositStatuses, withdrawalStatuses } from '../../../engine/custody/statuses.ts';
import { entryTypes, sides } from '../../../engine/terms.ts';
import { caseStatuses, detectorNames, severities } from '../../../surveillance/alert.ts';
import { enumeration, type JsonSchema, text } from '../../openapi/json-schema.ts';
import {
  BOOLEAN_VALUES,
  CLIENT_ORDER_ID,
  MAX_LIMIT,
  MAX_TIME_MS,
  ORDER_STATUS_VALUES,
  SORT_ORDERS,
  TIME,
} from './query.ts';

/** A text parameter; an empty value is rejected. */
function filled(description: string, example: string): JsonSchema {
  return { ...text(description, example), minLength: 1 };
}

/** A time parameter: ISO 8601 with a zone, or milliseconds since 1970. */
function time(description: string, example: string): JsonSchema {
  return {
    type: ['string', 'integer'],
    pattern: TIME.source,
    minimum: 0,
    maximum: MAX_TIME_MS,
    description: `${description} ISO 8601 with a zone, or milliseconds since 1970.`,
    examples: [example],
  };
}

/** All query parameters. Their descriptions fit most endpoints; others have their own. */
export const QUERY_PARAMETERS = {
  symbol: filled('A market from GET /api/markets.', 'BTC/USDT'),
  detector: enumeration(detectorNames, 'Return only alerts of this detector.'),
  severity: enumeration(severities, 'Return only alerts of this severity.'),
  caseStatus: enumeration(
    caseStatuses,
    'Return only alerts whose case is open and assigned to no one, assigned, or closed.',
  ),
  assignee: filled('Return only alerts assigned to this account.', 'operator'),
  timelineKind: enumeration(timelineKinds, 'Return only entries of this kind.'),
  depositStatus: enumeration(
    depositStatuses,
    'Return only deposits of this status; `pending` is any before the credit.',
  ),
  withdrawalStatus: enumeration(withdrawalStatuses, 'Return only withdrawals of this status.'),
  type: enumeration(entryTypes, 'Return only entries of this type.'),
  side: enumeration(sides, 'Return only orders of this side.'),
  status: enumeration(
    ORDER_STATUS_VALUES,
    'Return only orders of this status. `closed` means any final status; `cancelled` is an alias of `canceled`.',
  ),
  clientOrderId: {
    ...text('Return only the order with this client order id.', 'bot-1'),
    pattern: CLIENT_ORDER_ID.source,
  },
  account: filled('Return only entries of this account.', 'operator'),
  action: filled('Return only entries with this `action`.', 'createAccount'),
  outcome: enumeration(auditOutcomes, 'Return only entries with this `outcome`.'),
  subject: filled(
    'Return only entries about this account, market or asset, also those of its requests for approval.',
    'BTC/USDT',
  ),
  search: filled('Return only accounts whose id contains this text, case-insensitive.', 'ali'),
  asset: filled('An asset from GET /api/assets.', 'USDT'),
  quote: filled(
    'The asset in which values are; default: the quote asset of the first market.',
    'USDT',
  ),
  method: {
    ...enumeration(
      costMethods,
      'The method by which costs are found: `fifo` sells the oldest units first, `average` pools them.',
    ),
    default: costMethods[0],
  },
  orderId: filled('Return only records of this order.', '1'),
  ids: filled('Cancel the open orders with these ids, separated by commas.', '1,2'),
  all: enumeration(['true'], 'Cancel all open orders.'),
  preview: enumeration(
    BOOLEAN_VALUES,
    'With `true` nothing is changed: the response shows what the request would do.',
  ),
  queueAhead: enumeration(
    BOOLEAN_VALUES,
    'With `true` the response shows the amount that is ahead of the order in the queue.',
  ),
  includeBalances: enumeration(
    BOOLEAN_VALUES,
    'With `true` the response has the balances of the accounts.',
  ),
  returnReceipt: enumeration(
    BOOLEAN_VALUES,
    'With `true` the response has the `receipt` of the place of this request in the log.',
  ),
  aggregate: enumeration(
    BOOLEAN_VALUES,
    'With `true` the trades of one order at one price are one record.',
  ),
  id: filled('Return only the record with this id.', 'fault-1'),
  fromId: {
    ...text('Return only trades with this id or a higher one.', '7'),
    pattern: '^[1-9]\\d{0,14}$',
  },
  since: time('Return only records from this time on.', '2026-01-05T00:00:00.000Z'),
  until: time('Return only records up to this time.', '2126-01-06T00:00:00.000Z'),
  at: {
    type: ['string', 'integer'],
    pattern: TIME.source,
    minimum: 0,
    maximum: MAX_TIME_MS,
    description:
      'Show the data as it was at this moment: a position of the log (less than 100000000000), or a time as ISO 8601 with ' +
      'a zone or in milliseconds since 1970. Only in the sandbox, and not over `/ws`.',
    examples: ['2026-01-05T12:00:00.000Z'],
  },
  interval: { ...enumeration(INTERVALS, 'Length of a candle.'), default: '1m' },
  depth: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 100,
    description: 'Maximum number of price levels per side.',
    examples: [10],
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 100,
    description: 'Maximum number of records per page.',
    examples: [10],
  },
  cursor: {
    type: 'string',
    minLength: 1,
    description:
      'The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`.',
  },
  sort: {
    ...enumeration(SORT_ORDERS, '`desc` for newest first, `asc` for oldest first.'),
    default: 'desc',
  },
} as const satisfies Record<string, JsonSchema>;
export type QueryParameterName = keyof typeof QUERY_PARAMETERS;

export const PATH_PARAMETERS = {
  orderId: text('The `orderId` of an order of the account.', '1'),
  accountId: text('The account id.', 'alice'),
  sessionId: text('The `id` of one of your sessions.', `s${'0'.repeat(24)}`),
  email: text('Email address of a user of the account.', 'dora@example.com'),
  passkeyId: text('The `id` of one of your passkeys.', 'AAAAAAAAAAAAAAAAAAAAAA'),
  approvalId: text('The `id` of a pending request for approval.', '1'),
  announcementId: text('The `id` of an announcement.', '1'),
  noteId: text('The `id` of a note.', '1'),
  surveillanceAlertId: text('The `id` of an alert.', 'spoofing-4127-0-0-3'),
  apiKey: text('The API key, without its secret.', 'bwk_00000000000000000000000000000000'),
  reportId: text('The `reportId` of a report.', '0123456789abcdef01234567'),
  webhookId: text('The `id` of one of your webhooks.', `wh_${'0'.repeat(24)}`),
  alertId: text('The `id` of one of your price alerts.', `pa_${'0'.repeat(24)}`),
  proofId: text('The `id` of a proof of liabilities.', '1042'),
  addressId: text('The `id` of an address of the address book.', '12'),
  depositId: text('The `id` of a deposit.', '7'),
  withdrawalId: text('The `id` of a withdrawal.', '9'),
  checkpointName: text('The name of a checkpoint.', 'before-the-crash'),
} as const satisfies Record<string, JsonSchema>;
export type PathParameterName = keyof typeof PATH_PARAMETERS;
