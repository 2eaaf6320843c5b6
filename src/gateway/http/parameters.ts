import { sides } from '../../engine/terms.ts';
import { type JsonSchema, text, word } from '../openapi/json-schema.ts';
import {
  CLIENT_ORDER_ID,
  INTERVAL_WORDS,
  MAX_LIMIT,
  ORDER_STATUS_WORDS,
  PREVIEW_WORDS,
  SORT_WORDS,
  TIME,
} from './query.ts';

/** Every parameter that a query may have: what it means is the same wherever it is taken. */
export const QUERY_PARAMETERS = {
  symbol: text('A market, as GET /api/markets lists it.', 'BTC/USDT'),
  side: word(sides, 'Orders of this side only.'),
  status: word(
    ORDER_STATUS_WORDS,
    'Orders of this status only; `closed` means every final one, `cancelled` is `canceled`.',
  ),
  clientOrderId: {
    ...text('The order that was placed under this id.', 'bot-1'),
    pattern: CLIENT_ORDER_ID.source,
  },
  account: text('What this account asked for.', 'operator'),
  action: text('Commands of this name, as entries say it.', 'createAccount'),
  search: text('Accounts whose id holds this, whatever the case.', 'ali'),
  asset: text('An asset, as GET /api/assets lists it.', 'USDT'),
  orderId: text('What an order of yours came to.', '1'),
  ids: text('Identifiers of orders, with commas between them.', '1,2'),
  all: word(['true'], 'Every open order.'),
  preview: word(PREVIEW_WORDS, 'With `true` nothing happens: the answer shows what would.'),
  since: {
    ...text('Nothing before this time.', '2026-01-05T00:00:00.000Z'),
    pattern: TIME.source,
  },
  until: {
    ...text('Nothing after this time.', '2126-01-06T00:00:00.000Z'),
    pattern: TIME.source,
  },
  interval: { ...word(INTERVAL_WORDS, 'Width of a candle.'), default: '1m' },
  depth: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 100,
    description: 'At most so many price levels a side.',
    examples: [10],
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 100,
    description: 'At most so many on a page.',
    examples: [10],
  },
  cursor: {
    type: 'string',
    description:
      'The `nextCursor` of the page before, unchanged, with the same parameters but `limit`.',
  },
  sort: { ...word(SORT_WORDS, 'Newest or oldest first.'), default: 'desc' },
} as const satisfies Record<string, JsonSchema>;
export type QueryParameterName = keyof typeof QUERY_PARAMETERS;

export const PATH_PARAMETERS = {
  orderId: text('The `orderId` of an order of yours.', '1'),
  accountId: text('The account.', 'alice'),
  sessionId: text('The `id` of a session of yours.', `s${'0'.repeat(24)}`),
  email: text('E-mail address of a person of the account.', 'dora@example.com'),
  passkeyId: text('The `id` of a passkey of yours.', 'AAAAAAAAAAAAAAAAAAAAAA'),
  apiKey: text('The key, without its secret.', 'bwk_00000000000000000000000000000000'),
} as const satisfies Record<string, JsonSchema>;
export type PathParameterName = keyof typeof PATH_PARAMETERS;
