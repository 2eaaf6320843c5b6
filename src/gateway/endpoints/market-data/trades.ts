import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { sides } from '../../../engine/terms.ts';
import type { AggregatedTrade, Fill, Page, TradeFilter } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { PAGE_PARAMETERS, readPageTerms } from '../../http/request/paging.ts';
import { BOOLEAN_VALUES } from '../../http/request/query.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { bustedText, timeText } from '../records.ts';

const PARAMETERS = ['symbol', 'aggregate', 'fromId', ...PAGE_PARAMETERS] as const;

/** GET /api/trades: `{trades, nextCursor}`, a market's trades, newest first. */
export async function getTrades(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const isAggregated = query.choice('aggregate', BOOLEAN_VALUES) === 'true';
  const terms = readPageTerms(query, 'trades');
  const market = query.requiredMarket(call.exchange);
  const { archivist, replica } = call.services;
  // One row more than the page: it shows whether there is a next page.
  const filter = { ...terms, market: market.index, limit: terms.limit + 1, fromId: query.fromId() };
  if (isAggregated) return aggregatedTrades(call, market, filter, query.scope('trades'));
  const found = (await archivist.query({ kind: 'trades', filter }, replica.position)) as Fill[];
  const page = found.slice(0, terms.limit);
  const edge = found.length > page.length ? page.at(-1)!.tradeId : undefined;
  const texts = page.map((trade) => tradeText(trade, market));
  return `{"trades":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, query.scope('trades'))}}`;
}

/** Returns the trades of a filter, whose limit is one more than the page's, aggregated by taker order. */
async function aggregatedTrades(
  { services }: Call,
  market: Market,
  filter: TradeFilter,
  scope: string,
): Promise<string> {
  const { archivist, replica } = services;
  const query = { kind: 'aggregatedTrades', filter } as const;
  const found = (await archivist.query(query, replica.position)) as Page<AggregatedTrade>;
  const page = found.items.slice(0, filter.limit - 1);
  let edge = found.searchedTo;
  if (found.items.length > page.length) {
    const { trade, lastTradeId } = page.at(-1)!;
    edge = filter.descending ? trade.tradeId : lastTradeId;
  }
  const texts = page.map(({ trade, amount, lastTradeId }) => {
    const ids = `"firstTradeId":"${trade.tradeId}","lastTradeId":"${lastTradeId}"`;
    return `${tradeText(trade, market, amount).slice(0, -1)},${ids}}`;
  });
  return `{"trades":[${texts.join(',')}],"nextCursor":${nextCursorText(edge, scope)}}`;
}

getTrades.description = describe({
  operationId: 'getTrades',
  tag: 'Market data',
  summary: "A market's trades, newest first",
  notes:
    'With `aggregate=true` the trades of one order at one price are one record: `amount` is their sum, `id` is ' +
    '`firstTradeId`, and the ids of the others go up to `lastTradeId`. A page never divides a record, and has fewer ' +
    'than `limit` if very many trades are behind them. With `fromId` it has the records that begin with this trade or a ' +
    'later one; add `sort=asc` to read on from there.',
  query: PARAMETERS,
  needs: ['symbol'],
  data: record({ trades: recordList('Trade'), nextCursor }),
  errors: ['INVALID_SYMBOL', 'OVERLOADED'],
});

/** Returns a public trade as JSON. @param trade The taker's fill. @param amount Of aggregated trades, in amount units */
export function tradeText(
  trade: Pick<Fill, 'tradeId' | 'side' | 'price' | 'amount' | 'time'>,
  market: Market,
  amount?: Exact,
): string {
  const { symbol, rules } = market;
  return (
    `{"id":"${trade.tradeId}","symbol":"${symbol}","side":"${sides[trade.side]}",` +
    `"price":${formatUnits(trade.price, rules.priceDecimals)},` +
    `"amount":${formatUnits(amount ?? trade.amount, rules.amountDecimals)},"timestamp":${timeText(trade.time)}` +
    `${amount === undefined ? bustedText(market, trade.tradeId) : ''}}`
  );
}
