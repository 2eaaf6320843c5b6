import { PORTION } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { activateBrackets } from '../orders/contingent/brackets.ts';
import type { State } from '../state.ts';
import { MarketStatus } from '../terms.ts';
import { uncrossAt } from './auction-trades.ts';
import { type AuctionCall, AuctionCause, MAY_BE_CROSSED } from './auctions.ts';
import { isWithin, priceRange } from './bands.ts';
import type { Uncrossing } from './uncrossing.ts';

/** An auction of a volatility halt is extended once if its price is outside bands this many times as wide. */
const EXTENDED_BANDS = 2;

/**
 * Sets the status of a market that is not delisted on behalf of an operator. A call ends; before the market trades
 * continuously again, orders that cross fill at one price.
 */
export function changeStatus(state: State, market: Market, status: number): void {
  const { auctions } = state.parts;
  if (status === MarketStatus.auction) {
    auctions.callByOperator(market);
    return;
  }
  auctions.close(market, status);
  if (MAY_BE_CROSSED.includes(status)) return;
  const found = auctions.indicate(market);
  if (found !== undefined) uncross(state, market, found);
}

/** Returns whether a change of the status would fill orders that cross. */
export function wouldUncross(state: State, market: Market, status: number): boolean {
  return !MAY_BE_CROSSED.includes(status) && state.parts.auctions.indicate(market) !== undefined;
}

/** Ends a call that is due: fills orders that cross, at one price, or extends the call. */
export function endCall(state: State, call: AuctionCall): void {
  const { auctions } = state.parts;
  const market = state.markets[call.market]!;
  const found = auctions.indicate(market);
  if (found !== undefined && needsExtension(state, call, market, found)) {
    auctions.extend(call, market);
    return;
  }
  auctions.close(market, call.nextStatus);
  if (found !== undefined) uncross(state, market, found);
  activateBrackets(state);
}

/** Returns whether the price of a volatility halt is still far outside the bands; a call is extended once. */
function needsExtension(
  { parts }: State,
  call: AuctionCall,
  market: Market,
  { price }: Uncrossing,
): boolean {
  const isExtensible = call.cause === AuctionCause.volatility && !call.isExtended;
  if (!isExtensible || market.rules.auctionMs === 0) return false;
  const reference = parts.auctions.staticReference(market);
  return !isWithin(price, priceRange(market, reference, EXTENDED_BANDS));
}

/** Fills the orders that cross at one price. The work counts in the current portion. */
function uncross(state: State, market: Market, { price }: Uncrossing): void {
  const { nextTradeId } = state;
  uncrossAt(state, market, price);
  state.parts.auctions.noteAuction(market, price);
  state.sweeps.endsLeft -= Math.floor((state.nextTradeId - nextTradeId) / PORTION.trades);
}
