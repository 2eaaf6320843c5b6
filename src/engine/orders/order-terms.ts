import {
  type Attached,
  CommandKind,
  type OcoLeg,
  type OtoTerms,
  type PlaceBracket,
  type PlaceOco,
  type PlaceOrder,
  type PlaceStopOrder,
  type PlacingCommand,
  type Trailing,
} from '../command.ts';
import { mix, mixExact, mixNumber } from '../digest.ts';
import type { OrderRecord } from '../event.ts';
import { OrderType, oppositeSide, Side, TimeInForce } from '../terms.ts';
import { mixTrailing } from './triggers/trailing-terms.ts';

/** The functions below derive everything from the terms of an order alone. */

/** Returns whether the quantity that does not trade immediately stays in the book. */
export function canRest(command: Pick<PlaceOrder, 'timeInForce' | 'type'>): boolean {
  const rests = command.timeInForce === TimeInForce.gtc || command.timeInForce === TimeInForce.gtd;
  return rests && hasLimit(command.type);
}

/** Returns whether an order of this type has a limit price; others are limited by the collar. */
export function hasLimit(type: number): boolean {
  return (
    type === OrderType.limit || type === OrderType.stopLimit || type === OrderType.takeProfitLimit
  );
}

/** Returns whether an order of this type has a trigger price. */
export function isStop(type: number): boolean {
  return type >= OrderType.stop;
}

/** Returns whether a limit order would trade with an order that rests at `price`. */
export function crosses(command: PlaceOrder, price: number): boolean {
  return command.side === Side.buy ? price <= command.price : price >= command.price;
}

/** Returns whether a taker that may trade up to `limit` may not trade at `price`. */
export function isBeyond(side: Side, price: number, limit: number): boolean {
  return side === Side.buy ? price > limit : price < limit;
}

/**
 * Hashes the terms of an order, to distinguish a repeated request from a reused client order id. Every
 * difference in a single term is detected; of other differences, all but one in four billion are.
 */
export function fingerprintOrder(command: PlaceOrder | PlaceStopOrder): number {
  let hash = mix(mix(10, command.market), command.side);
  hash = mix(mix(hash, command.type), command.timeInForce);
  hash = mix(mix(hash, command.postOnly ? 1 : 0), command.selfTradePrevention);
  hash = mixNumber(mixNumber(hash, command.price), command.amount);
  hash = mixExact(mixNumber(hash, command.expiresAt), command.cost);
  hash = mixSpecialTerms(hash, command);
  if (command.kind === CommandKind.placeOrder) return hash;
  return mixNumber(hash, command.triggerPrice);
}

/** Mixes the terms that only trailing stops and icebergs have. */
function mixSpecialTerms(hash: number, { trailing, displayAmount }: SpecialTerms): number {
  if (trailing !== undefined) return mixTrailing(mix(hash, 30), trailing);
  return displayAmount === undefined ? hash : mixNumber(mix(hash, 31), displayAmount);
}

interface SpecialTerms {
  readonly trailing?: Trailing;
  readonly displayAmount?: number;
}

/**
 * Converts an open order to the command to match it again: a triggered stop or an amended order.
 */
export function toPlaceOrder(order: OrderRecord): PlaceOrder {
  const { displayAmount } = order;
  const command: PlaceOrder = {
    kind: CommandKind.placeOrder,
    account: order.account,
    key: order.key,
    market: order.market,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    selfTradePrevention: order.selfTradePrevention,
    price: order.price,
    amount: order.amount,
    cost: 0,
    expiresAt: order.expiresAt,
    clientOrderId: order.clientOrderId,
  };
  return displayAmount === undefined ? command : { ...command, displayAmount };
}

/** Hashes the terms, like fingerprintOrder. */
export function fingerprintOco(command: PlaceOco): number {
  const { market, side, amount, takeProfit, stopLoss, selfTradePrevention, expiresAt } = command;
  let hash = mix(mix(mix(14, market), side), selfTradePrevention);
  for (const number of [
    amount,
    expiresAt,
    takeProfit.price,
    takeProfit.triggerPrice,
    stopLoss.price,
    stopLoss.triggerPrice,
  ]) {
    hash = mixNumber(hash, number);
  }
  return mixSpecialTerms(mixSpecialTerms(hash, takeProfit), stopLoss);
}

/** Hashes the terms, like fingerprintOrder. */
export function fingerprintBracket({ order, attached }: PlaceBracket): number {
  let hash = mix(fingerprintOrder(order), 28);
  for (const leg of [attached.takeProfit, attached.stopLoss]) {
    hash = mixNumber(mixNumber(hash, leg?.price ?? 0), leg?.triggerPrice ?? 0);
    hash = mixSpecialTerms(hash, leg ?? {});
  }
  return attached.oto === undefined ? hash : mixOto(hash, attached.oto);
}

export function mixOto(hash: number, { side, amount, order }: OtoTerms): number {
  const mixed = mixNumber(mix(hash, 34 + side), amount);
  if (order === null) return mixed;
  return mixNumber(mix(mix(mixed, 36 + order.type), order.timeInForce), order.price);
}

/** Hashes the terms of any command that places orders. */
export function fingerprintPlacement(command: PlacingCommand): number {
  if (command.kind === CommandKind.placeOco) return fingerprintOco(command);
  if (command.kind === CommandKind.placeBracket) return fingerprintBracket(command);
  return fingerprintOrder(command);
}

/** One leg of an OCO or bracket order. */
export type Leg = PlaceOrder | PlaceStopOrder;

/** The terms that the legs of an OCO or bracket order share. */
type LegTerms = Pick<PlaceOco, 'account' | 'key' | 'market' | 'side' | 'amount'> &
  Pick<PlaceOco, 'expiresAt' | 'selfTradePrevention'>;

/** Returns the legs of an OCO order: take profit, then stop loss. */
export function ocoLegs(order: PlaceOco): [Leg, PlaceStopOrder] {
  const { takeProfit, stopLoss, clientOrderId } = order;
  return [{ ...takeProfitLeg(order, takeProfit), clientOrderId }, stopLossLeg(order, stopLoss)];
}

/**
 * Returns the legs of a bracket order: take profit, then stop loss, or the only one of another type.
 * @param order The bracket order. @param amount The amount that they are for, unless they have their own, in amount units.
 */
export function bracketLegs(
  order: Omit<LegTerms, 'amount' | 'expiresAt'>,
  { takeProfit, stopLoss, oto }: Attached,
  amount: number,
): Leg[] {
  const side = oto?.side ?? oppositeSide(order.side);
  const terms = { ...order, side, amount: oto?.amount ?? amount, expiresAt: 0 };
  const legs: Leg[] = [];
  if (oto !== undefined && oto.order !== null) {
    legs.push({ kind: CommandKind.placeOrder, ...sharedTerms(terms), ...oto.order });
  }
  if (takeProfit !== null) legs.push(takeProfitLeg(terms, takeProfit));
  if (stopLoss !== null) legs.push(stopLossLeg(terms, stopLoss));
  return legs;
}

/** Returns the take-profit leg; without a trigger it is a resting limit order. */
function takeProfitLeg(terms: LegTerms, leg: OcoLeg): Leg {
  if (leg.triggerPrice !== 0) {
    return stopLeg(terms, leg, OrderType.takeProfit, OrderType.takeProfitLimit);
  }
  const { price, displayAmount } = leg;
  return {
    kind: CommandKind.placeOrder,
    ...sharedTerms(terms),
    type: OrderType.limit,
    postOnly: true,
    price,
    ...(displayAmount === undefined ? {} : { displayAmount }),
  };
}

function stopLossLeg(terms: LegTerms, leg: OcoLeg): PlaceStopOrder {
  return stopLeg(terms, leg, OrderType.stop, OrderType.stopLimit);
}

function stopLeg(terms: LegTerms, leg: OcoLeg, plain: number, limited: number): PlaceStopOrder {
  const untrailed = leg.price === 0 ? plain : limited;
  const type = leg.trailing === undefined ? untrailed : OrderType.trailingStop;
  return { kind: CommandKind.placeStopOrder, ...sharedTerms(terms), ...leg, type };
}

function sharedTerms(terms: LegTerms) {
  return {
    account: terms.account,
    key: terms.key,
    market: terms.market,
    side: terms.side,
    timeInForce: terms.expiresAt === 0 ? TimeInForce.gtc : TimeInForce.gtd,
    selfTradePrevention: terms.selfTradePrevention,
    amount: terms.amount,
    cost: 0,
    expiresAt: terms.expiresAt,
    clientOrderId: null,
    postOnly: false,
  };
}
