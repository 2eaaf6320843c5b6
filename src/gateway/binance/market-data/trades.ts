import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { Side } from '../../../engine/terms.ts';
import type { AggregatedTrade, Fill, Page } from '../../../history/history.ts';
import type { BinanceCall } from '../call.ts';
import { type BinanceEndpoint, byPosition } from '../endpoint.ts';
import { type HistoryPage, listText, queryHistory, readHistoryPage } from '../history-page.ts';
import { amountText, priceText, quoteText } from './units.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 1000;

/** GET /api/v3/trades. */
function getTrades(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const limit = call.given.limit(DEFAULT_LIMIT, MAX_LIMIT);
  const terms = { limit, descending: true };
  return readTrades(call, market, { terms, isReversed: true });
}

/** GET /api/v3/historicalTrades. */
function getHistoricalTrades(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const fromId = call.given.integer('fromId');
  const limit = call.given.limit(DEFAULT_LIMIT, MAX_LIMIT);
  const isReversed = fromId === undefined;
  const terms = { limit, descending: isReversed, ...(isReversed ? {} : { afterId: fromId - 1 }) };
  return readTrades(call, market, { terms, isReversed });
}

async function readTrades(call: BinanceCall, market: Market, page: HistoryPage): Promise<string> {
  call.given.checkAllRead();
  const filter = { ...page.terms, market: market.index };
  const trades = await queryHistory<Fill[]>(call, { kind: 'trades', filter });
  return listText(trades, page, (trade) => tradeText(trade, market));
}

function tradeText({ tradeId, price, amount, side, time }: Fill, market: Market): string {
  const cost = quoteText(market, market.notional(price, amount));
  return (
    `{"id":${tradeId},"price":"${priceText(market, price)}","qty":"${amountText(market, amount)}",` +
    `"quoteQty":"${cost}","time":${time},"isBuyerMaker":${side === Side.sell},"isBestMatch":true}`
  );
}

/** GET /api/v3/aggTrades. */
async function getAggregatedTrades(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  const page = readHistoryPage(call.given, 'fromId', Infinity);
  const fromId = call.given.integer('fromId');
  call.given.checkAllRead();
  // A client continues after the id of the last item, which is that of its first trade: the others must not come again.
  const filter = { ...page.terms, afterId: undefined, fromId, market: market.index };
  const query = { kind: 'aggregatedTrades', filter } as const;
  const { items } = await queryHistory<Page<AggregatedTrade>>(call, query);
  return listText(items, page, ({ trade, amount, lastTradeId }) => {
    const { tradeId, price, side, time } = trade;
    const terms = { firstTradeId: tradeId, lastTradeId, price, amount, takerSide: side, time };
    return `{${aggregatedTradeFields(terms, market)}}`;
  });
}

/** Trades of one taker order at one price and time; its id is that of the first of them. */
export interface TradeGroup {
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly price: number;
  readonly amount: Exact;
  readonly takerSide: Side;
  readonly time: number;
}

/** Returns the fields that REST and the stream of aggregated trades share. */
export function aggregatedTradeFields(
  { firstTradeId, lastTradeId, price, amount, takerSide, time }: TradeGroup,
  market: Market,
): string {
  return (
    `"a":${firstTradeId},"p":"${priceText(market, price)}","q":"${amountText(market, amount)}",` +
    `"f":${firstTradeId},"l":${lastTradeId},"T":${time},"m":${takerSide === Side.sell},"M":true`
  );
}

const TRADES = {
  method: 'GET',
  access: 'public',
  showsMarkets: true,
  version: byPosition,
} as const;

export const TRADE_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    ...TRADES,
    path: '/api/v3/trades',
    operation: 'trades.recent',
    weight: 25,
    handle: getTrades,
  },
  {
    ...TRADES,
    path: '/api/v3/historicalTrades',
    operation: 'trades.historical',
    weight: 25,
    handle: getHistoricalTrades,
  },
  {
    ...TRADES,
    path: '/api/v3/aggTrades',
    operation: 'trades.aggregate',
    weight: 4,
    handle: getAggregatedTrades,
  },
];
