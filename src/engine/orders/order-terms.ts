import {
  type Attached,
  CommandKind,
  type OcoLeg,
  type PlaceBracket,
  type PlaceOco,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../command.ts';
import { mix, mixExact, mixNumber } from '../digest.ts';
import type { OrderRecord } from '../event.ts';
import { OrderType, Side, TimeInForce } from '../terms.ts';

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

/** Whether a limit order would trade with one that rests at `price`. */
export function crosses(command: PlaceOrder, price: number): boolean {
  return command.side === Side.buy ? price <= command.price : price >= command.price;
}

/**
 * A number for the order's terms, so that a repeated client order id is told from a reused one: of
 * mistakes that change one term all are found, of others all but one in four billion.
 */
export function fingerprintOrder(command: PlaceOrder | PlaceStopOrder): number {
  let hash = mix(mix(10, command.market), command.side);
  hash = mix(mix(hash, command.type), command.timeInForce);
  hash = mix(mix(hash, command.postOnly ? 1 : 0), command.selfTradePrevention);
  hash = mixNumber(mixNumber(hash, command.price), command.amount);
  hash = mixExact(mixNumber(hash, command.expiresAt), command.cost);
  if (command.kind === CommandKind.placeOrder) return hash;
  return mixNumber(hash, command.triggerPrice);
}

/** An open order as one that is placed anew: a triggered stop, an amended order. */
export function toPlaceOrder(order: OrderRecord): PlaceOrder {
  const { account, key, market, side, type, timeInForce, postOnly } = order;
  const { selfTradePrevention, price, amount, expiresAt, clientOrderId } = order;
  return {
    kind: CommandKind.placeOrder,
    ...{ account, key, market, side, type, timeInForce, postOnly },
    ...{ selfTradePrevention, price, amount, cost: 0, expiresAt, clientOrderId },
  };
}

/** As fingerprintOrder. */
export function fingerprintOco(command: PlaceOco): number {
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

/** As fingerprintOrder. */
export function fingerprintBracket({ order, attached }: PlaceBracket): number {
  let hash = mix(fingerprintOrder(order), 28);
  for (const leg of [attached.takeProfit, attached.stopLoss]) {
    hash = mixNumber(mixNumber(hash, leg?.price ?? 0), leg?.triggerPrice ?? 0);
  }
  return hash;
}

/** The fingerprint of any command that places orders. */
export function fingerprintPlacement(
  command: PlaceOrder | PlaceStopOrder | PlaceOco | PlaceBracket,
): number {
  if (command.kind === CommandKind.placeOco) return fingerprintOco(command);
  if (command.kind === CommandKind.placeBracket) return fingerprintBracket(command);
  return fingerprintOrder(command);
}

/** An order of a pair, or one that is attached to another. */
export type Leg = PlaceOrder | PlaceStopOrder;

/** What the orders of a pair share, and those attached to one order. */
type LegTerms = Pick<PlaceOco, 'account' | 'key' | 'market' | 'side' | 'amount'> &
  Pick<PlaceOco, 'expiresAt' | 'selfTradePrevention'>;

/** The two orders that a pair stands for: take profit, then stop. */
export function ocoLegs(pair: PlaceOco): [Leg, PlaceStopOrder] {
  const { takeProfit, stopLoss, clientOrderId } = pair;
  return [{ ...takeProfitLeg(pair, takeProfit), clientOrderId }, stopLossLeg(pair, stopLoss)];
}

/** The orders that are attached to one: take profit, then stop. */
export function bracketLegs(terms: LegTerms, { takeProfit, stopLoss }: Attached): Leg[] {
  const legs: Leg[] = [];
  if (takeProfit !== null) legs.push(takeProfitLeg(terms, takeProfit));
  if (stopLoss !== null) legs.push(stopLossLeg(terms, stopLoss));
  return legs;
}

/** A limit order that rests where it has no trigger. */
function takeProfitLeg(terms: LegTerms, leg: OcoLeg): Leg {
  if (leg.triggerPrice !== 0) {
    return stopLeg(terms, leg, OrderType.takeProfit, OrderType.takeProfitLimit);
  }
  return {
    kind: CommandKind.placeOrder,
    ...common(terms),
    type: OrderType.limit,
    postOnly: true,
    price: leg.price,
  };
}

function stopLossLeg(terms: LegTerms, leg: OcoLeg): PlaceStopOrder {
  return stopLeg(terms, leg, OrderType.stop, OrderType.stopLimit);
}

function stopLeg(terms: LegTerms, leg: OcoLeg, plain: number, limited: number): PlaceStopOrder {
  const type = leg.price === 0 ? plain : limited;
  return { kind: CommandKind.placeStopOrder, ...common(terms), ...leg, type };
}

function common({ account, key, market, side, amount, expiresAt, ...rest }: LegTerms) {
  const { selfTradePrevention } = rest;
  const timeInForce = expiresAt === 0 ? TimeInForce.gtc : TimeInForce.gtd;
  return {
    ...{ account, key, market, side, timeInForce, selfTradePrevention },
    ...{ amount, cost: 0, expiresAt, clientOrderId: null, postOnly: false },
  };
}
