import type { PlaceOrder } from './command.ts';
import { mix, mixExact, mixNumber } from './digest.ts';
import { OrderType, Side, TimeInForce } from './terms.ts';

/** What follows from an order's terms alone. */

/** Whether a part that does not trade at once stays in the book. */
export function canRest(command: PlaceOrder): boolean {
  return command.timeInForce === TimeInForce.gtc || command.timeInForce === TimeInForce.gtd;
}

/** The worst price the order may trade at. */
export function limitOf(command: PlaceOrder): number {
  if (command.type === OrderType.limit) return command.price;
  return command.side === Side.buy ? Number.POSITIVE_INFINITY : 0;
}

/** Whether a limit order would trade with one that rests at `price`. */
export function crosses(command: PlaceOrder, price: number): boolean {
  return command.side === Side.buy ? price <= command.price : price >= command.price;
}

/**
 * A number for the order's terms, so that a repeated client order id is told from a reused one: of
 * mistakes that change one term all are found, of others all but one in four billion.
 */
export function fingerprintOf(command: PlaceOrder): number {
  let hash = mix(mix(10, command.market), command.side);
  hash = mix(mix(hash, command.type), command.timeInForce);
  hash = mix(mix(hash, command.postOnly ? 1 : 0), command.selfTradePrevention);
  hash = mixNumber(mixNumber(hash, command.price), command.amount);
  return mixExact(mixNumber(hash, command.expiresAt), command.cost);
}
