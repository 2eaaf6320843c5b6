import { type Auctions, auctionCauses } from '../../../engine/auction/auctions.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { difference } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';

/** Returns the auction that a market is in as JSON, `null` if it is in none. */
export function auctionText(market: Market, auctions: Auctions): string {
  const call = auctions.find(market);
  if (call === undefined) return 'null';
  const { priceDecimals, amountDecimals } = market.rules;
  const endsAt = call.endsAt === 0 ? 'null' : `"${new Date(call.endsAt).toISOString()}"`;
  const found = auctions.indicate(market);
  const surplus = found?.surplus ?? 0;
  const side = surplus === 0 ? 'null' : surplus > 0 ? '"buy"' : '"sell"';
  const size = surplus < 0 ? difference(0, surplus) : surplus;
  return (
    `{"cause":"${auctionCauses[call.cause]}","endsAt":${endsAt},` +
    `"extended":${call.isExtended},` +
    `"price":${found === undefined ? 'null' : formatUnits(found.price, priceDecimals)},` +
    `"amount":${formatUnits(found?.volume ?? 0, amountDecimals)},` +
    `"surplus":${formatUnits(size, amountDecimals)},"surplusSide":${side}}`
  );
}
