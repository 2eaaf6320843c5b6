import { Side } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { integer, list, record, timestamp } from '../../openapi/json-schema.ts';
import { symbol } from '../../openapi/market-schemas.ts';
import { bestOrders, orderEntries, topChecksum } from '../../orders/book-orders.ts';
import { timeText } from '../records.ts';

const PARAMETERS = ['symbol', 'limit'] as const;

/** GET /api/level3: `{symbol, bids, asks, sequence, checksum, timestamp}`, every order in order of the queue. */
export function getLevel3(call: Call): string {
  const query = call.query(PARAMETERS);
  const maxOrders = query.count('limit');
  const market = query.requiredMarket(call.exchange);
  const { state } = call.exchange;
  const { publicOrderIds, now } = call.services;
  const side = (of: Side) =>
    orderEntries(state, market, publicOrderIds, bestOrders(market, of, maxOrders));
  return (
    `{"symbol":"${market.symbol}","bids":[${side(Side.buy)}],"asks":[${side(Side.sell)}],` +
    `"sequence":${market.bookSequence},"checksum":${topChecksum(state, market, publicOrderIds)},` +
    `"timestamp":${timeText(now())}}`
  );
}

export const level3Entry = {
  type: 'array',
  prefixItems: [{ type: 'string' }, { type: 'number' }, { type: 'number' }],
  minItems: 3,
  maxItems: 3,
  description: 'The public id of an order, its price and its remaining amount.',
};
export const level3Checksum = integer(
  'CRC-32 of `id:price:amount` of the best ten bids and then the best ten asks, joined by `|`, with the numbers as they ' +
    'are here.',
  2_863_311_530,
);
getLevel3.description = describe({
  operationId: 'getLevel3',
  tag: 'Market data',
  summary: "A market's order book, order by order",
  notes:
    'Orders of a price are in order of the queue: the first one trades first. The public id of an order is not its ' +
    '`orderId`. It stays the same while the order is open, and cannot be linked to an account. ' +
    '`limit` is the maximum number of orders per side.',
  query: PARAMETERS,
  needs: ['symbol'],
  data: record({
    symbol,
    bids: {
      ...list(level3Entry, 'Highest price first.'),
      examples: [[['vj1kZ0h5q0uX9s3nE8dT2A', 117999.5, 0.4]]],
    },
    asks: {
      ...list(level3Entry, 'Lowest price first.'),
      examples: [[['0WcJk6YpTzq2mB7xLr4NfQ', 118000.5, 0.25]]],
    },
    sequence: integer('The `sequence` of the order book.', 1024),
    checksum: level3Checksum,
    timestamp: timestamp('When the response was created.'),
  }),
  errors: ['INVALID_SYMBOL'],
});
