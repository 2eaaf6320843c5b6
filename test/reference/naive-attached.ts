import type { Attached, PlaceAttached, PlaceOrder } from '../../src/engine/command.ts';
import { attachedOrdersOf, type Leg } from '../../src/engine/order-terms.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { refuse } from './naive-administration.ts';
import { legOutOfBounds, placeLegs, refusalOfLegs } from './naive-legs.ts';
import { BUY, hasLimit, inBase, orderOf, priceOf, run, SELL } from './naive-matching.ts';
import type { NaiveMarket, NaiveOrder, NaiveState } from './naive-state.ts';
import { trigger } from './naive-stops.ts';
import {
  type NaiveTradeOutcome,
  notAdmitted,
  outOfBounds,
  placedBefore,
  remember,
  shortOfFunds,
  termsOf,
} from './naive-trading.ts';

export function placeAttached(
  state: NaiveState,
  { order: command, attached }: PlaceAttached,
): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return refuse(RejectionCode.unknownMarket);
  const { account, clientOrderId } = command;
  const terms = `${termsOf(command)} ${JSON.stringify(attached)}`;
  const outcome =
    placedBefore(state, account, clientOrderId, terms) ??
    shortOfFunds(state, market, command) ??
    refusalOf(state, market, command, attached);
  if (outcome !== undefined) return outcome;
  const orderId = state.nextOrderId++;
  remember(state, account, clientOrderId, orderId, terms);
  const order = { ...orderOf(state, command, orderId), attached };
  return { kind: 'order', order: run(state, market, order) };
}

function refusalOf(
  state: NaiveState,
  market: NaiveMarket,
  command: PlaceOrder,
  attached: Attached,
): Rejection | undefined {
  const amount = command.cost > 0 ? market.rules.maxAmount : command.amount;
  const side = command.side === BUY ? SELL : BUY;
  const legs = attachedOrdersOf({ ...command, side, amount }, attached);
  const code =
    outOfBounds(state, market, command) ??
    legs.map((leg) => legOutOfBounds(state, market, leg)).find((each) => each !== undefined) ??
    (isMisplaced(market, command, attached) ? RejectionCode.attachedMisplaced : undefined) ??
    notAdmitted(state, market, command);
  return code === undefined ? undefined : refuse(code);
}

/** A buyer takes profit above the price and stops below it, a seller the other way round. */
export function isMisplaced(
  market: NaiveMarket,
  { type, side, price }: Pick<PlaceOrder, 'type' | 'side' | 'price'>,
  { takeProfit, stopLoss }: Attached,
): boolean {
  const middle = hasLimit(type) ? price : priceOf(market);
  const high = side === BUY ? takeProfit : stopLoss;
  const low = side === BUY ? stopLoss : takeProfit;
  const at = (leg: { price: number; triggerPrice: number }) => leg.triggerPrice || leg.price;
  return (high !== null && at(high) <= middle) || (low !== null && at(low) >= middle);
}

/** Places what was attached to the orders that have ended since, the first to end first. */
export function bringAttached(state: NaiveState): void {
  const parents = state.parents.splice(0);
  for (const parent of parents) {
    const market = state.markets[parent.market]!;
    const side = parent.side === BUY ? SELL : BUY;
    const { account, key, selfTradePrevention } = parent;
    const amount = amountOf(market, parent);
    const terms = { account, key, market: market.index, side, amount, expiresAt: 0 } as const;
    const legs = attachedOrdersOf({ ...terms, selfTradePrevention }, parent.attached!);
    const refusal = refusalOfLegs(state, market, legs, true);
    if (refusal === undefined) {
      placeLegs(state, market, legs, parent.id);
      trigger(state, market, priceOf(market));
    } else for (const leg of legs) reject(state, leg, parent.id, refusal);
  }
}

/** As many whole steps as there are in what was bought, less its fees, or sold. */
function amountOf(market: NaiveMarket, { side, amount, remaining, fees }: NaiveOrder): number {
  const step = inBase(market, market.rules.step);
  const left = inBase(market, amount - remaining) - (side === BUY ? fees : 0n);
  return Number(left / step) * market.rules.step;
}

function reject(state: NaiveState, leg: Leg, parentId: number, { code }: Rejection): void {
  const reasons: Record<number, number> = {
    [RejectionCode.insufficientBalance]: OrderReason.insufficientBalance,
    [RejectionCode.marketUnavailable]: OrderReason.marketUnavailable,
    [RejectionCode.postOnlyWouldTake]: OrderReason.postOnlyWouldTake,
    [RejectionCode.tooManyOpenOrders]: OrderReason.tooManyOpenOrders,
  };
  const order = orderOf(state, leg, state.nextOrderId++);
  const reason = reasons[code] ?? OrderReason.outOfBounds;
  state.report({ ...order, parentId, status: OrderStatus.rejected, reason });
}
