import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { Side } from '../../../engine/terms.ts';
import { mapLevels } from '../../endpoints/market-data/orderbook.ts';
import type { BinanceCall } from '../call.ts';
import { toDecimals } from '../decimals.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import type { Parameters } from '../parameters.ts';

const DEFAULT_DEPTH = 100;
const MAX_DEPTH = 5000;

/** GET /api/v3/depth. */
function getDepth({ given, symbols }: BinanceCall): string {
  const market = symbols.read(given);
  const limit = given.limit(DEFAULT_DEPTH, MAX_DEPTH);
  given.checkAllRead();
  const { priceDecimals, amountDecimals } = market.rules;
  const text = (units: Exact, decimals: number) => toDecimals(formatUnits(units, decimals));
  const side = (of: Side) =>
    mapLevels(
      market,
      of,
      limit,
      (price, total) => `["${text(price, priceDecimals)}","${text(total, amountDecimals)}"]`,
    ).join(',');
  return (
    `{"lastUpdateId":${market.bookSequence},"bids":[${side(Side.buy)}],` +
    `"asks":[${side(Side.sell)}]}`
  );
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
    handle: getDepth,
  },
];
