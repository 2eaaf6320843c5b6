import { lackOfFunds, notAdmitted, outOfBounds } from './acceptance.ts';
import type { Account } from './accounts.ts';
import type { Attached, PlaceAttached, PlaceOrder } from './command.ts';
import type { OrderRecord, Outcome } from './event.ts';
import { legOutOfBounds, placeLegs, refusalOfLegs } from './legs.ts';
import type { Market } from './markets.ts';
import { attachedOrdersOf, fingerprintOfAttached, hasLimit, type Leg } from './order-terms.ts';
import { placedBefore, takeOrderId } from './placement.ts';
import { invariant, type Rejection, RejectionCode, rejected } from './rejection.ts';
import type { State } from './state.ts';
import { OrderReason, OrderStatus, Side } from './terms.ts';
import type { Trading } from './trading.ts';

/** Orders that bring a take profit, a stop or both with them, for what they will have traded. */
export class AttachedOrders {
  constructor(
    private readonly state: State,
    private readonly trading: Trading,
  ) {}

  place(command: PlaceAttached): Outcome {
    const { state, trading } = this;
    const { order, attached } = command;
    const account = state.accounts[order.account]!;
    const market = state.markets[order.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const { clientOrderId } = order;
    const fingerprint = clientOrderId === null ? 0 : fingerprintOfAttached(command);
    const outcome =
      placedBefore(account, clientOrderId, fingerprint) ?? this.refusalOf(command, account, market);
    if (outcome !== undefined) return outcome;
    const orderId = takeOrderId(state, account, clientOrderId, fingerprint);
    const placed = trading.start(order, account, market, orderId, attached);
    state.attachments.mayBeDue = true;
    return { kind: 'order', order: placed };
  }

  private refusalOf(
    { order, attached }: PlaceAttached,
    account: Account,
    market: Market,
  ): Rejection | undefined {
    const { state } = this;
    return (
      lackOfFunds(state, order, account, market) ??
      outOfBounds(order, market) ??
      attachedOutOfBounds(order, attached, market) ??
      misplaced(order, attached, market) ??
      notAdmitted(state, order, account, market)
    );
  }
}

/** What is known to be refused now is refused now. An order by cost has no amount to look at. */
function attachedOutOfBounds(
  order: PlaceOrder,
  attached: Attached,
  market: Market,
): Rejection | undefined {
  const amount = order.cost === 0 ? order.amount : market.rules.maxAmount;
  const legs = attachedOrdersOf({ ...order, side: opposite(order.side), amount }, attached);
  for (const [place, leg] of legs.entries()) {
    const broken = legOutOfBounds(leg, market);
    const name = place === 0 && attached.takeProfit !== null ? 'takeProfit' : 'stopLoss';
    if (broken !== undefined) return { ...broken, attached: name };
  }
  return undefined;
}

/**
 * A take profit lies on the winning side of its order's price, a stop on the losing one: else it
 * would be crossed when it comes alive. A market order's price is the last one.
 */
export function misplaced(
  order: Pick<PlaceOrder, 'type' | 'side' | 'price'>,
  { takeProfit, stopLoss }: Attached,
  market: Market,
): Rejection | undefined {
  const price = hasLimit(order.type) ? order.price : market.price;
  const sign = order.side === Side.buy ? 1 : -1;
  const code = RejectionCode.attachedMisplaced;
  if (takeProfit !== null && ((takeProfit.triggerPrice || takeProfit.price) - price) * sign <= 0) {
    return { kind: 'rejected', code, attached: 'takeProfit' };
  }
  if (stopLoss !== null && (stopLoss.triggerPrice - price) * sign >= 0) {
    return { kind: 'rejected', code, attached: 'stopLoss' };
  }
  return undefined;
}

/**
 * Brings what was attached to orders that have ended alive, in the order in which they ended: for
 * what they traded, or rejected where it cannot be placed. Nothing trades by it.
 */
export function bringAttached(state: State): void {
  const { attachments, events } = state;
  if (!attachments.mayBeDue) return;
  attachments.mayBeDue = false;
  const { length } = events;
  for (let at = attachments.seenEvents; at < length; at++) {
    const event = events[at]!;
    if (event.kind !== 'order' || event.status === OrderStatus.open) continue;
    if (event.attached !== null && event.remaining < event.amount) {
      bring(state, event, event.attached);
    }
  }
  attachments.seenEvents = length;
}

function bring(state: State, parent: OrderRecord, attached: Attached): void {
  const account = state.accounts[parent.account]!;
  const market = state.markets[parent.market]!;
  const amount = amountTraded(parent, market);
  const terms = { ...parent, side: opposite(parent.side), amount, expiresAt: 0 };
  const legs = attachedOrdersOf(terms, attached);
  const orderIds = legs.map(() => takeOrderId(state, account, null, 0));
  const refusal = refusalOfLegs(state, legs, account, market, true);
  if (refusal === undefined) {
    placeLegs(state, legs, orderIds, account, market, parent.id);
    // A stop that the trade which filled its order went past is for just that: it runs next.
    state.triggerReached(market);
    return;
  }
  const reason = reasonOf(refusal);
  for (const [place, leg] of legs.entries()) {
    state.events.push(refused(leg, orderIds[place]!, reason, parent.id, state.time));
  }
}

/** What an order has traded, of a buy what its fees left of it; whole steps, so that it can be sold. */
function amountTraded({ side, amount, remaining, fees }: OrderRecord, market: Market): number {
  let traded = amount - remaining;
  if (side === Side.buy && fees !== 0) {
    const left = BigInt(market.baseAmount(traded)) - BigInt(fees);
    traded = Number(left / BigInt(market.baseUnit));
  }
  return traded - (traded % market.rules.step);
}

const REASONS: Partial<Record<RejectionCode, number>> = {
  [RejectionCode.insufficientBalance]: OrderReason.insufficientBalance,
  [RejectionCode.amountOutOfBounds]: OrderReason.outOfBounds,
  [RejectionCode.priceOutOfBounds]: OrderReason.outOfBounds,
  [RejectionCode.triggerOutOfBounds]: OrderReason.outOfBounds,
  [RejectionCode.minNotional]: OrderReason.outOfBounds,
  [RejectionCode.marketUnavailable]: OrderReason.marketUnavailable,
  [RejectionCode.postOnlyWouldTake]: OrderReason.postOnlyWouldTake,
  [RejectionCode.tooManyOpenOrders]: OrderReason.tooManyOpenOrders,
};

function reasonOf({ code }: Rejection): number {
  const reason = REASONS[code];
  invariant(reason !== undefined, `an attached order is refused for ${code}`);
  return reason;
}

/** An order that was accepted with its parent and never opened. */
function refused(
  leg: Leg,
  id: number,
  reason: number,
  parentId: number,
  time: number,
): OrderRecord {
  const { account, key, market, side, type, timeInForce, postOnly, selfTradePrevention } = leg;
  return {
    kind: 'order',
    ...{ id, account, key, market, side, type, timeInForce, postOnly, selfTradePrevention },
    price: leg.price,
    triggerPrice: 'triggerPrice' in leg ? leg.triggerPrice : 0,
    amount: leg.amount,
    remaining: leg.amount,
    ...{ cost: 0, filledCost: 0, fees: 0, status: OrderStatus.rejected, reason },
    clientOrderId: null,
    ...{ createdAt: time, updatedAt: time, lastFillAt: 0, expiresAt: 0, attached: null, parentId },
  };
}

function opposite(side: Side): Side {
  return side === Side.buy ? Side.sell : Side.buy;
}
