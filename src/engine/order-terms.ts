import {
  CommandKind,
  type PairLeg,
  type PlaceOrder,
  type PlacePair,
  type PlaceStopOrder,
} from './command.ts';
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

/** As fingerprintOf. */
export function fingerprintOfPair(command: PlacePair): number {
  const { market, side, amount, takeProfit, stopLoss, selfTradePrevention, expiresAt } = command;
  let hash = mix(mix(mix(14, market), side), selfTradePrevention);
  for (const number of [
    ...[amount, expiresAt, takeProfit.price, takeProfit.triggerPrice],
    ...[stopLoss.price, stopLoss.triggerPrice],
  ]) {
    hash = mixNumber(hash, number);
  }
  return hash;
}

/** The two orders that a pair stands for: take profit, then stop. */
export function ordersOf(pair: PlacePair): [PlaceOrder | PlaceStopOrder, PlaceStopOrder] {
  const { account, key, market, side, amount, expiresAt, selfTradePrevention } = pair;
  const timeInForce = expiresAt === 0 ? TimeInForce.gtc : TimeInForce.gtd;
  const terms = {
    ...{ account, key, market, side, timeInForce, selfTradePrevention },
    ...{ amount, cost: 0, expiresAt, clientOrderId: null, postOnly: false },
  };
  const stop = (leg: PairLeg, plain: number, limited: number): PlaceStopOrder => ({
    kind: CommandKind.placeStopOrder,
    ...terms,
    ...leg,
    type: leg.price === 0 ? plain : limited,
  });
  const { takeProfit, stopLoss } = pair;
  const { clientOrderId } = pair;
  const first: PlaceOrder | PlaceStopOrder =
    takeProfit.triggerPrice === 0
      ? {
          kind: CommandKind.placeOrder,
          ...terms,
          type: OrderType.limit,
          postOnly: true,
          price: takeProfit.price,
        }
      : stop(takeProfit, OrderType.takeProfit, OrderType.takeProfitLimit);
  return [{ ...first, clientOrderId }, stop(stopLoss, OrderType.stop, OrderType.stopLimit)];
}
