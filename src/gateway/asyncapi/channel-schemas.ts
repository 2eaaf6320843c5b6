import { INTERVALS } from '../../config/intervals.ts';
import { marketStatuses } from '../../engine/terms.ts';
import { level3Checksum, level3Entry } from '../endpoints/market-data/level3.ts';
import { bookUpdatedAt, level } from '../endpoints/market-data/orderbook.ts';
import { EXCHANGE_STATUS_FIELDS } from '../endpoints/trading-status.ts';
import {
  boolean,
  enumeration,
  type Fields,
  integer,
  type JsonSchema,
  list,
  record,
  text,
  withOptional,
} from '../openapi/json-schema.ts';
import { symbol } from '../openapi/market-schemas.ts';
import { recordList, recordRef } from '../openapi/record-schemas.ts';
import { PACES_MS } from '../stream/public-channels/pace.ts';
import type { Channel, FieldName } from '../stream/request.ts';

/** The fields that clients send, by name. */
export const FIELD_SCHEMAS: Readonly<Record<Exclude<FieldName, 'channel'>, JsonSchema>> = {
  symbol,
  interval: enumeration(INTERVALS, 'Length of a candle.'),
  everyMs: {
    type: 'integer',
    enum: PACES_MS.map(Number),
    description: 'Merges the changes of so many milliseconds into one message.',
    examples: [100],
  },
  sequence: {
    ...integer(
      'The last sequence that you received: the missed messages are sent, no snapshot.',
      4711,
    ),
    minimum: 0,
  },
  queueAhead: boolean('Only for orders: whether records have queueAhead.', true),
  fills: boolean('Only for orders: whether updates have the fills that changed an order.', true),
  timestamp: {
    type: ['integer', 'string'],
    description: 'Time of signing, milliseconds since 1970.',
    examples: [1_790_000_000_123],
  },
  recvWindow: {
    type: ['integer', 'string'],
    description: 'How long the signature is valid, milliseconds.',
    examples: [5000],
  },
  signature: text('Signature of an Ed25519 key, in base64.', `${'A'.repeat(86)}==`),
  cancelOnDisconnect: boolean(
    'Whether the open orders that this connection places are canceled when it ends.',
    true,
  ),
  apiKey: text('The API key.', `bwk_${'0'.repeat(32)}`),
  apiSecret: text('The secret of the API key. Use it on a server only.', `bws_${'0'.repeat(64)}`),
};

/** The messages of a channel. */
export interface ChannelDescription {
  readonly summary: string;
  /** Fields of the first message of a subscription, without those that name it. */
  readonly snapshot: Fields;
  /** Fields of the messages after it. */
  readonly update: Fields;
}

const sequence = integer('The state that this message leads to.', 1024);
const prevSequence = integer(
  'The sequence of the previous message. If it differs, messages are missing.',
  1023,
);
const chained = (data: JsonSchema): Fields => ({ prevSequence, sequence, data });

function describeBook(bids: string, asks: string): Fields {
  return {
    symbol,
    bids: { ...list(level, bids), examples: [[[117999.5, 0.4]]] },
    asks: { ...list(level, asks), examples: [[[118000.5, 0.25]]] },
    updatedAt: bookUpdatedAt,
  };
}

const wholeBook = record({
  ...describeBook('Highest price first.', 'Lowest price first.'),
  complete: boolean('Whether it has all levels; otherwise updates bring the next ones.', true),
});
const CHANGED = 'Changed levels with their new amounts; 0 if a level is gone.';
const bookChanges = withOptional(record(describeBook(CHANGED, CHANGED)), {
  complete: boolean('Only in further parts of a large book: whether this is the last one.', true),
});

function describeOrders(bids: string, asks: string): Fields {
  return {
    symbol,
    bids: { ...list(level3Entry, bids), examples: [[['vj1kZ0h5q0uX9s3nE8dT2A', 117999.5, 0.4]]] },
    asks: { ...list(level3Entry, asks), examples: [[['0WcJk6YpTzq2mB7xLr4NfQ', 118000.5, 0.25]]] },
    updatedAt: bookUpdatedAt,
    checksum: level3Checksum,
  };
}

const allOrders = record({
  ...describeOrders('Highest price first.', 'Lowest price first.'),
  complete: boolean('Whether it has all orders; otherwise updates bring the next ones.', true),
});
const PLACED = 'New orders, and orders whose amount changed.';
const orderChanges = withOptional(
  record({
    removed: {
      ...list({ type: 'string' }, 'Public ids of orders that ended or lost their place.'),
      examples: [['vj1kZ0h5q0uX9s3nE8dT2A']],
    },
    ...describeOrders(PLACED, PLACED),
  }),
  {
    complete: boolean('Only in further parts of a long book: whether this is the last one.', true),
  },
);

const candle: JsonSchema = {
  oneOf: [recordRef('Candle'), { type: 'null' }],
  description: 'The current candle; null before the first trade.',
  examples: [null],
};

/** Describes a channel whose messages have the latest value. */
function latest(summary: string, data: JsonSchema): ChannelDescription {
  return { summary, snapshot: { data }, update: { data } };
}

/** Describes a channel of records. @param initial The records in its snapshot. */
function records(
  summary: string,
  name: string,
  items: JsonSchema,
  initial: string,
  updates: string,
  more: Fields = {},
): ChannelDescription {
  return {
    summary,
    snapshot: { sequence, data: record({ [name]: { ...items, description: initial } }) },
    update: chained(withOptional(record({ [name]: { ...items, description: updates } }), more)),
  };
}

const BUSTS =
  'Earlier records of trades that operators have reversed, with bustedAt; absent if there are none. They do not advance the sequence.';

/** A channel without a description does not compile. */
export const CHANNEL_DESCRIPTIONS: Readonly<Record<Channel, ChannelDescription>> = {
  prices: latest('Price and rolling 24 h figures of a market', recordRef('Price')),
  orderbook: {
    summary: 'Order book of a market',
    snapshot: { sequence, data: wholeBook },
    update: chained(bookChanges),
  },
  level3: {
    summary: 'Orders of a market, order by order',
    snapshot: { sequence, data: allOrders },
    update: chained(orderChanges),
  },
  trades: records(
    'Trades of a market',
    'trades',
    recordList('Trade'),
    'Empty.',
    'Trades since the previous message, earliest first.',
    { busts: { ...recordList('Trade'), description: BUSTS } },
  ),
  candles: latest('Candles of a market', candle),
  markets: latest(
    'Statuses and rules of all markets',
    withOptional(
      record({
        ...EXCHANGE_STATUS_FIELDS,
        markets: list(
          record({ symbol, status: enumeration(marketStatuses, 'The status in force.') }),
          'In a snapshot all markets, in an update those whose status has changed.',
        ),
      }),
      {
        listings: {
          ...recordList('Market'),
          description:
            'In an update, the markets that are new or whose rules have changed; absent if there are none, and from snapshots.',
        },
      },
    ),
  ),
  orders: records(
    'Orders of the account',
    'orders',
    recordList('Order'),
    'Every open order.',
    'Orders that changed, in their current state.',
  ),
  fills: records(
    'Fills of the account',
    'fills',
    recordList('Fill'),
    'Empty.',
    'Fills since the previous message, earliest first.',
    { busts: { ...recordList('Fill'), description: BUSTS } },
  ),
  balances: records(
    'Balances of the account',
    'balances',
    recordList('Balance'),
    'Balances of every asset that the account ever had.',
    'Balances that changed.',
  ),
  deposits: records(
    'Deposits of the account',
    'deposits',
    recordList('Deposit'),
    'Every deposit that has not ended.',
    'Deposits that changed, in the order of their changes.',
  ),
  withdrawals: records(
    'Withdrawals of the account',
    'withdrawals',
    recordList('Withdrawal'),
    'Every withdrawal that has not ended.',
    'Withdrawals that changed, in the order of their changes.',
  ),
};
