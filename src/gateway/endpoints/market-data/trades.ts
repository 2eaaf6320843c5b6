import type { Market } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { sides } from '../../../engine/terms.ts';
import type { Fill } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { PAGE_PARAMETERS, readPageTerms } from '../../http/request/paging.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';

const PARAMETERS = ['symbol', ...PAGE_PARAMETERS] as const;

/** GET /api/trades: `{trades, nextCursor}`, a market's trades, newest first. */
export async function getTrades(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const terms = readPageTerms(query, 'trades');
  const market = query.requiredMarket(call.exchange);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, market: market.index, limit: terms.limit + 1 };
  const found = (await archivist.query({ kind: 'trades', filter }, replica.position)) as Fill[];
  const page = found.slice(0, terms.limit);
  const edge = found.length > page.length ? page.at(-1)!.tradeId : undefined;
  const texts = page.map((trade) => tradeText(trade, market));
  return `{"trades":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, query.scope('trades'))}}`;
}
getTrades.description = describe({
  operationId: 'getTrades',
  tag: 'Market data',
  summary: "A market's trades, newest first",
  query: PARAMETERS,
  needs: ['symbol'],
  data: record({ trades: recordList('Trade'), nextCursor }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});

/** Returns a public trade as JSON. @param trade The taker's fill. */
export function tradeText(trade: Fill, { symbol, rules }: Market): string {
  return (
    `{"id":"${trade.tradeId}","symbol":"${symbol}","side":"${sides[trade.side]}",` +
    `"price":${formatUnits(trade.price, rules.priceDecimals)},` +
    `"amount":${formatUnits(trade.amount, rules.amountDecimals)},"timestamp":${timeText(trade.time)}}`
  );
}
