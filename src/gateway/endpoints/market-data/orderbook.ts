import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { NONE, Side } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { integer, list, record, timestamp } from '../../openapi/json-schema.ts';
import { symbol } from '../../openapi/market-schemas.ts';
import { timeText } from '../records.ts';

const PARAMETERS = ['symbol', 'depth'] as const;

/** GET /api/orderbook: `{symbol, bids, asks, sequence, timestamp}`, best prices first. */
export function getOrderbook(call: Call): string {
  const query = call.query(PARAMETERS);
  const depth = query.count('depth');
  const market = query.requiredMarket(call.exchange);
  return (
    `{"symbol":"${market.symbol}","bids":[${levelsText(market, Side.buy, depth)}],` +
    `"asks":[${levelsText(market, Side.sell, depth)}],"sequence":${market.bookSequence},` +
    `"timestamp":${timeText(call.services.now())}}`
  );
}

export const level = {
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: 'A price and the total amount at it.',
};
getOrderbook.description = describe({
  operationId: 'getOrderbook',
  tag: 'Market data',
  summary: "A market's order book",
  query: PARAMETERS,
  needs: ['symbol'],
  data: record({
    symbol,
    bids: { ...list(level, 'Highest price first.'), examples: [[[117999.5, 0.4]]] },
    asks: { ...list(level, 'Lowest price first.'), examples: [[[118000.5, 0.25]]] },
    sequence: integer('Increases by one with every command that changes the book.', 1024),
    timestamp: timestamp('When the response was created.'),
  }),
  errors: ['INVALID_SYMBOL'],
});

function levelsText(market: Market, side: Side, depth: number): string {
  return mapLevels(market, side, depth, (price, total) => levelText(market, price, total)).join(
    ',',
  );
}

/** Maps the best levels of a side, at most `depth` of them. @param map Gets price units, and the total in amount units. */
export function mapLevels<Level>(
  { book }: Market,
  side: Side,
  depth: number,
  map: (price: number, total: Exact) => Level,
): Level[] {
  const levels: Level[] = [];
  let at = book.bestLevel(side);
  while (at !== NONE && levels.length < depth) {
    levels.push(map(book.levelPrice(at), book.levelTotal(at)));
    at = book.nextLevel(at);
  }
  return levels;
}

/** Returns `[price,amount]`. @param total In amount units. */
export function levelText({ rules }: Market, price: number, total: Exact): string {
  return `[${formatUnits(price, rules.priceDecimals)},${formatUnits(total, rules.amountDecimals)}]`;
}
