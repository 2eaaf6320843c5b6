import { CommandKind, type PlaceOrder, type PlaceStopOrder } from './command.ts';
import { mix, mixExact, mixNumber } from './digest.ts';
import type { OrderRecord } from './event.ts';
import { OrderType, Side, TimeInForce } from './terms.ts';

/** What follows from an order's terms alone. */

/** Whether a part that does not trade at once stays in the book. */
export function canRest(command: PlaceOrder): boolean {
  const rests = command.timeInForce === TimeInForce.gtc || command.timeInForce === TimeInForce.gtd;
  return rests && hasLimit(command.type);
}

/** Whether an order of this type has a limit price; of the others the market's collar is the limit. */
export function hasLimit(type: number): boolean {
  return (
    type === OrderType.limit || type === OrderType.stopLimit || type === OrderType.takeProfitLimit
  );
}

/** Whether an order of this type waits for a trigger price. */
export function isStop(type: number): boolean {
  return type >= OrderType.stop;
}

/** Whether a stop or take profit waits for a last price at or above its trigger, not at or below. */
export function waitsForRise(type: number, side: Side): boolean {
  const isStop = type === OrderType.stop || type === OrderType.stopLimit;
  return isStop === (side === Side.buy);
}

/** Whether a limit order would trade with one that rests at `price`. */
export function crosses(command: PlaceOrder, price: number): boolean {
  return command.side === Side.buy ? price <= command.price : price >= command.price;
}

/**
 * A number for the order's terms, so that a repeated client order id is told from a reused one: of
 * mistakes that change one term all are found, of others all but one in four billion.
 */
export function fingerprintOf(command: PlaceOrder | PlaceStopOrder): number {
  let hash = mix(mix(10, command.market), command.side);
  hash = mix(mix(hash, command.type), command.timeInForce);
  hash = mix(mix(hash, command.postOnly ? 1 : 0), command.selfTradePrevention);
  hash = mixNumber(mixNumber(hash, command.price), command.amount);
  hash = mixExact(mixNumber(hash, command.expiresAt), command.cost);
  if (command.kind === CommandKind.placeOrder) return hash;
  return mixNumber(hash, command.triggerPrice);
}

/** An open order as one that is placed anew: a triggered stop, an amended order. */
export function orderOf(order: OrderRecord): PlaceOrder {
  const { account, key, market, side, type, timeInForce, postOnly } = order;
  const { selfTradePrevention, price, amount, expiresAt, clientOrderId } = order;
  return {
    kind: CommandKind.placeOrder,
    ...{ account, key, market, side, type, timeInForce, postOnly },
    ...{ selfTradePrevention, price, amount, cost: 0, expiresAt, clientOrderId },
  };
}
