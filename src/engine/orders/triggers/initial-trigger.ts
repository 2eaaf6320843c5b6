import type { PlaceStopOrder, Trailing } from '../../command.ts';
import type { Market } from '../../markets/markets.ts';
import type { Side } from '../../terms.ts';
import { isActivatedBy, trailingTrigger } from './trail.ts';

/** Returns the best price of a trailing stop that is placed now; 0 if it waits for its activation. */
export function initialBest(side: Side, { activationPrice }: Trailing, market: Market): number {
  return isActivatedBy(side, activationPrice, market.price) ? market.price : 0;
}

/**
 * Returns the trigger price of a stop that is placed now. For a trailing stop that waits for its activation it is the
 * trigger price at the activation price: no later trigger price is further from profit.
 */
export function initialTrigger(
  { side, triggerPrice, trailing }: Pick<PlaceStopOrder, 'side' | 'triggerPrice' | 'trailing'>,
  market: Market,
): number {
  if (trailing === undefined) return triggerPrice;
  const best = initialBest(side, trailing, market) || trailing.activationPrice;
  return trailingTrigger(side, best, trailing);
}
