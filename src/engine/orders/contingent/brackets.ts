import {
  type Attached,
  CommandKind,
  type OcoLeg,
  type PlaceBracket,
  type PlaceOrder,
} from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from '../../limits.ts';
import type { Market } from '../../markets/markets.ts';
import { type Rejection, RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { OrderReason, OrderStatus, Side } from '../../terms.ts';
import type { Trading } from '../matching/trading.ts';
import { bracketLegs, fingerprintBracket, hasLimit, type Leg } from '../order-terms.ts';
import { assignOrderId, checkClientOrderId } from '../placement.ts';
import { initialTrigger } from '../triggers/initial-trigger.ts';
import {
  acceptsOrder,
  validateBounds,
  validateFunds,
  validateMarketState,
  wouldTake,
} from '../validate.ts';
import { placeLegs, validateLegBounds, validateLegFunds } from './legs.ts';
import { legRecord, legRecords, listPendingLegs } from './pending-legs.ts';

/**
 * Places bracket orders: orders with a take-profit leg, a stop-loss leg or both, for the quantity
 * that they will have filled.
 */
export class BracketOrders {
  constructor(
    private readonly state: State,
    private readonly trading: Trading,
  ) {}

  place(command: PlaceBracket): Outcome {
    const { state, trading } = this;
    const { order, attached } = command;
    const account = state.accounts[order.account]!;
    const market = state.markets[order.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const { clientOrderId } = order;
    const fingerprint = clientOrderId === null ? 0 : fingerprintBracket(command);
    const outcome =
      checkClientOrderId(state, account, order, fingerprint) ??
      validateBracket(state, command, account, market);
    if (outcome !== undefined) return outcome;
    const orderId = assignOrderId(state, account, clientOrderId, fingerprint);
    const placed = trading.start(order, account, market, orderId, reserveLegIds(state, attached));
    state.attachments.mayBeDue = true;
    state.connections.noteBracket(placed.id, state.connections.current);
    return { kind: 'order', order: placed };
  }
}

/**
 * Reserves the order ids of the legs (engine version 2), right after that of their bracket order: clients may name the
 * legs before they are activated.
 */
function reserveLegIds(state: State, attached: Attached): Attached {
  if (state.version < 2) return attached;
  const firstOrderId = state.nextOrderId;
  state.nextOrderId += listLegNames(attached).length;
  return { ...attached, firstOrderId };
}

/** Returns which legs there are, in the order of `bracketLegs`. */
function listLegNames({ takeProfit, stopLoss, oto }: Attached) {
  const order = oto?.order ?? null;
  return (['order', 'takeProfit', 'stopLoss'] as const).filter(
    (name) => ({ order, takeProfit, stopLoss })[name] !== null,
  );
}

/** Returns the first reason to reject a bracket order. */
export function validateBracket(
  state: State,
  { order, attached }: PlaceBracket,
  account: Account,
  market: Market,
): Rejection | undefined {
  return (
    validateFunds(state, order, account, market) ??
    validateBounds(order, market) ??
    validateBracketLegs(order, attached, market) ??
    validateBracketPrices(order, attached, market) ??
    validateMarketState(state, order, account, market) ??
    tooManyOpenOrders(account)
  );
}

/** Applies to orders that do not rest too, because their legs do. */
function tooManyOpenOrders({ openOrders }: Account): Rejection | undefined {
  return openOrders < MAX_OPEN_ORDERS_PER_ACCOUNT
    ? undefined
    : rejected(RejectionCode.tooManyOpenOrders);
}

/** Validates the legs in advance. An order by cost has no amount yet, so the maximum is assumed. */
function validateBracketLegs(
  order: PlaceOrder,
  attached: Attached,
  market: Market,
): Rejection | undefined {
  const amount = order.cost === 0 ? order.amount : market.rules.maxAmount;
  const names = listLegNames(attached);
  for (const [place, leg] of bracketLegs(order, attached, amount).entries()) {
    const broken = validateLegBounds(leg, market);
    if (broken !== undefined) return { ...broken, attached: names[place]! };
  }
  return undefined;
}

/**
 * Rejects a take profit that is not on the winning side of the price, or a stop loss that is not on
 * the losing side: its trigger would already be crossed when the leg is activated. A market order
 * counts at the last price.
 */
export function validateBracketPrices(
  order: Pick<PlaceOrder, 'type' | 'side' | 'price'>,
  { takeProfit, stopLoss, oto }: Attached,
  market: Market,
): Rejection | undefined {
  if (oto !== undefined) return validateOtoPrices(oto.side, takeProfit, stopLoss);
  const price = hasLimit(order.type) ? order.price : market.price;
  const sign = order.side === Side.buy ? 1 : -1;
  const code = RejectionCode.bracketOnWrongSide;
  if (takeProfit !== null && ((takeProfit.triggerPrice || takeProfit.price) - price) * sign <= 0) {
    return { kind: 'rejected', code, attached: 'takeProfit' };
  }
  // The trigger of a trailing stop is always on the losing side of the last price.
  const isFixed = stopLoss !== null && stopLoss.trailing === undefined;
  if (isFixed && (stopLoss.triggerPrice - price) * sign >= 0) {
    return { kind: 'rejected', code, attached: 'stopLoss' };
  }
  return undefined;
}

/**
 * Rejects a take profit that is not on the winning side of the stop loss. Nothing else is known about the price at which
 * legs with terms of their own are activated.
 */
function validateOtoPrices(
  side: Side,
  takeProfit: OcoLeg | null,
  stopLoss: OcoLeg | null,
): Rejection | undefined {
  if (takeProfit === null || stopLoss === null || stopLoss.trailing !== undefined) return undefined;
  const profit = (takeProfit.triggerPrice || takeProfit.price) - stopLoss.triggerPrice;
  return (side === Side.sell ? profit : -profit) > 0
    ? undefined
    : { kind: 'rejected', code: RejectionCode.bracketOnWrongSide, attached: 'takeProfit' };
}

/**
 * Activates the legs of bracket orders that have ended, in the order in which they ended: for the
 * filled quantity, or as rejected orders if they cannot be placed. Without a fill, or if a bulk cancel
 * dropped them, legs whose ids were reserved are canceled. This never trades.
 */
export function activateBrackets(state: State): void {
  const { attachments, events } = state;
  if (!attachments.mayBeDue) return;
  attachments.mayBeDue = false;
  const { length } = events;
  for (let at = attachments.seenEvents; at < length; at++) {
    const event = events[at]!;
    if (event.kind !== 'order' || event.status === OrderStatus.open) continue;
    if (event.attached === null) continue;
    if (activatesLegs(event, event.attached) && !attachments.dropped.has(event.id))
      activateLegs(state, event, event.attached);
    else if (event.attached.firstOrderId !== undefined) cancelLegs(state, event);
  }
  attachments.seenEvents = length;
  attachments.dropped.clear();
  state.connections.clearBrackets();
}

function activatesLegs({ status, remaining, amount }: OrderRecord, { oto }: Attached): boolean {
  return oto === undefined ? remaining < amount : status === OrderStatus.filled;
}

function activateLegs(state: State, parent: OrderRecord, attached: Attached): void {
  const account = state.accounts[parent.account]!;
  const market = state.markets[parent.market]!;
  const legs = bracketLegs(parent, attached, protectedQuantity(parent, market));
  const { firstOrderId } = attached;
  const orderIds = legs.map((_, place) =>
    firstOrderId === undefined ? assignOrderId(state, account, null, 0) : firstOrderId + place,
  );
  const createdAt = firstOrderId === undefined ? state.time : parent.createdAt;
  const origin = { parentId: parent.id, createdAt };
  const reason = findRejectReason(legs, account, market);
  if (reason === OrderReason.none) {
    const { connections } = state;
    connections.current = connections.findBracket(parent.id);
    placeLegs(state, legs, orderIds, account, market, origin);
    connections.current = 0;
    // The trade that filled the bracket order may already have crossed the stop: then it runs next.
    state.triggerReached(market);
    return;
  }
  const end = { status: OrderStatus.rejected, reason, updatedAt: state.time };
  const records =
    firstOrderId === undefined
      ? legs.map((leg, place) => legRecord(leg, orderIds[place]!, origin))
      : legRecords(legs, firstOrderId, origin);
  for (const record of records) state.events.push({ ...record, ...end });
}

/** Reports legs that end without having been activated, for the reason for which their order was canceled. */
function cancelLegs(state: State, parent: OrderRecord): void {
  const isCanceled = parent.status === OrderStatus.canceled;
  const reason = isCanceled ? parent.reason : OrderReason.linked;
  const end = { status: OrderStatus.canceled, reason, updatedAt: state.time };
  for (const leg of listPendingLegs(parent)) state.events.push({ ...leg, ...end });
}

/**
 * Returns why the legs cannot be opened, as an OrderReason. As for resting orders, prices are not
 * validated again even if tick or bounds have changed; the open order limit was checked for the
 * bracket order.
 */
function findRejectReason(legs: readonly Leg[], account: Account, market: Market): number {
  if (validateLegFunds(legs, account, market)) return OrderReason.insufficientBalance;
  if (legs.some((leg) => isTooSmall(leg, market))) return OrderReason.tooSmall;
  for (const leg of legs) {
    if (!acceptsOrder(market.currentStatus, leg)) return OrderReason.marketUnavailable;
    if (leg.postOnly && wouldTake(leg as PlaceOrder, market)) return OrderReason.postOnlyWouldTake;
  }
  return OrderReason.none;
}

function isTooSmall(leg: Leg, market: Market): boolean {
  const { minAmount, minNotional } = market.rules;
  const price = leg.kind === CommandKind.placeOrder ? market.price : initialTrigger(leg, market);
  return leg.amount < minAmount || market.notional(leg.price || price, leg.amount) < minNotional;
}

/**
 * Returns the filled quantity, for a buy less its fees, rounded down to whole steps so that it can
 * be sold.
 */
function protectedQuantity({ side, amount, remaining, fees }: OrderRecord, market: Market): number {
  let traded = amount - remaining;
  if (side === Side.buy && fees !== 0) {
    const left = BigInt(market.baseAmount(traded)) - BigInt(fees);
    traded = Number(left / BigInt(market.baseUnit));
  }
  return traded - (traded % market.rules.step);
}
