import type { Market } from '../../../engine/markets/markets.ts';
import { Side } from '../../../engine/terms.ts';
import type { Fill } from '../../../history/history.ts';
import type { BinanceCall } from '../call.ts';
import { type BinanceEndpoint, byMinute, byPosition } from '../endpoint.ts';
import { queryHistory } from '../history-page.ts';
import type { Parameters } from '../parameters.ts';
import { toSymbol } from '../symbols.ts';
import { AVERAGE_MINUTES, averagePriceText } from './figures.ts';
import { readMarkets, selectionText } from './symbol-list.ts';
import { bestTexts, priceText } from './units.ts';

/** GET /api/v3/avgPrice. */
async function getAveragePrice(call: BinanceCall): Promise<string> {
  const market = call.symbols.read(call.given);
  call.given.checkAllRead();
  const price = averagePriceText(call.services, market);
  const filter = { market: market.index, descending: true, limit: 1 };
  const [last] = await queryHistory<Fill[]>(call, { kind: 'trades', filter });
  return `{"mins":${AVERAGE_MINUTES},"price":"${price}","closeTime":${last?.time ?? 0}}`;
}

/** GET /api/v3/ticker/price. */
function getPrices(call: BinanceCall): string {
  const selection = readMarkets(call);
  call.given.checkAllRead();
  return selectionText(
    selection,
    (market) => `{"symbol":"${toSymbol(market)}","price":"${priceText(market, market.price)}"}`,
  );
}

/** GET /api/v3/ticker/bookTicker. */
function getBookTickers(call: BinanceCall): string {
  const selection = readMarkets(call);
  call.given.checkAllRead();
  return selectionText(selection, bookTickerText);
}

function bookTickerText(market: Market): string {
  const [bid, ask] = [bestTexts(market, Side.buy), bestTexts(market, Side.sell)];
  return (
    `{"symbol":"${toSymbol(market)}","bidPrice":"${bid.price}","bidQty":"${bid.amount}",` +
    `"askPrice":"${ask.price}","askQty":"${ask.amount}"}`
  );
}

const weighBySymbol = (given: Parameters): number => (given.has('symbol') ? 2 : 4);

export const PRICE_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    method: 'GET',
    path: '/api/v3/avgPrice',
    operation: 'avgPrice',
    access: 'public',
    showsMarkets: true,
    weight: 2,
    version: byMinute,
    handle: getAveragePrice,
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/price',
    operation: 'ticker.price',
    access: 'public',
    showsMarkets: true,
    weight: weighBySymbol,
    version: byPosition,
    handle: getPrices,
  },
  {
    method: 'GET',
    path: '/api/v3/ticker/bookTicker',
    operation: 'ticker.book',
    access: 'public',
    showsMarkets: true,
    weight: weighBySymbol,
    version: byPosition,
    handle: getBookTickers,
  },
];
