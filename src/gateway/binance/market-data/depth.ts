import type { Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { Side } from '../../../engine/terms.ts';
import { mapLevels } from '../../endpoints/market-data/orderbook.ts';
import type { BinanceCall } from '../call.ts';
import { type BinanceEndpoint, byPosition } from '../endpoint.ts';
import type { Parameters } from '../parameters.ts';
import { checkStatus, readStatus } from './symbol-list.ts';
import { amountText, priceText } from './units.ts';

const DEFAULT_DEPTH = 100;
const MAX_DEPTH = 5000;

/** GET /api/v3/depth. */
function getDepth({ given, symbols }: BinanceCall): string {
  const market = symbols.read(given);
  const limit = given.limit(DEFAULT_DEPTH, MAX_DEPTH);
  const status = readStatus(given);
  given.checkAllRead();
  checkStatus(market, status);
  return depthText(market, limit);
}

/** Returns the best levels of a book. @param limit Maximum levels of each side. */
export function depthText(market: Market, limit: number): string {
  const side = (of: Side) =>
    mapLevels(market, of, limit, (price, total) => levelText(market, price, total)).join(',');
  return (
    `{"lastUpdateId":${market.bookSequence},"bids":[${side(Side.buy)}],` +
    `"asks":[${side(Side.sell)}]}`
  );
}

/** Returns `["price","amount"]`. @param total In amount units. */
export function levelText(market: Market, price: number, total: Exact): string {
  return `["${priceText(market, price)}","${amountText(market, total)}"]`;
}

/** The weight depends on the number of levels (rest-api.md, "Order book"). */
function depthWeight(given: Parameters): number {
  const limit = given.integer('limit') ?? DEFAULT_DEPTH;
  if (limit <= 100) return 5;
  if (limit <= 500) return 25;
  return limit <= 1000 ? 50 : 250;
}

export const DEPTH_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    method: 'GET',
    path: '/api/v3/depth',
    operation: 'depth',
    access: 'public',
    showsMarkets: true,
    weight: depthWeight,
    version: byPosition,
    handle: getDepth,
  },
];
