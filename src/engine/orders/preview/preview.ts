import {
  CommandKind,
  type PlaceBracket,
  type PlaceOco,
  type PlaceOrder,
  type PlaceStopOrder,
  type PlacingCommand,
} from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { requiredHold } from '../../ledger/holds.ts';
import type { Market } from '../../markets/markets.ts';
import type { Exact } from '../../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { OrderReason, OrderStatus, Side } from '../../terms.ts';
import { validateBracket } from '../contingent/brackets.ts';
import { holdPrice, validateLegs } from '../contingent/legs.ts';
import { canRest, fingerprintPlacement, ocoLegs } from '../order-terms.ts';
import { checkClientOrderId } from '../placement.ts';
import { initialBest, initialTrigger } from '../triggers/initial-trigger.ts';
import { validateStop, worstPrice } from '../triggers/validate-stop.ts';
import { validateOrder } from '../validate.ts';
import { MAX_PREVIEWED_FILLS, type PreviewedFill, PreviewedTaker } from './previewed-taker.ts';

export { MAX_PREVIEWED_FILLS, type PreviewedFill };

/** The balance that an open order would hold, in minor units of the asset with this index. */
export interface PreviewedHold {
  readonly asset: number;
  readonly amount: Exact;
}

/** The result that placing an order would have. */
export type Preview =
  | Rejection
  /** The same order was already placed under the same client order id. */
  | { readonly kind: 'repeated'; readonly orderId: number }
  /** The order would have more fills than a preview computes. */
  | { readonly kind: 'tooManyFills' }
  | {
      readonly kind: 'order';
      /** The order after matching; its id is 0. */
      readonly order: OrderRecord;
      readonly fills: readonly PreviewedFill[];
      /** Null if nothing of the order would stay open. */
      readonly hold: PreviewedHold | null;
    }
  /** The take-profit leg, then the stop-loss leg, which share a hold. */
  | {
      readonly kind: 'oco';
      readonly orders: readonly [OrderRecord, OrderRecord];
      readonly hold: PreviewedHold;
    };

/** Returns what placing an order of an account that may trade would do at `time`. */
export function previewPlacement(state: State, command: PlacingCommand, time: number): Preview {
  const order = command.kind === CommandKind.placeBracket ? command.order : command;
  const account = state.accounts[order.account]!;
  const market = state.markets[order.market];
  if (market === undefined) return rejected(RejectionCode.unknownMarket);
  const present = stateAt(state, time);
  const fingerprint = order.clientOrderId === null ? 0 : fingerprintPlacement(command);
  const known: Outcome | undefined = checkClientOrderId(present, account, order, fingerprint);
  if (known !== undefined) return known as Preview;
  switch (command.kind) {
    case CommandKind.placeOrder:
      return (
        validateOrder(present, command, account, market) ??
        previewTaker(present, command, account, market)
      );
    case CommandKind.placeStopOrder:
      return (
        validateStop(present, command, account, market) ?? previewStop(present, command, market)
      );
    case CommandKind.placeOco:
      return previewOco(present, command, account, market);
    case CommandKind.placeBracket:
      return previewBracket(present, command, account, market);
  }
}

/** Returns the state as of a later time at which nothing else has changed; only for reading. */
function stateAt(state: State, time: number): State {
  if (time <= state.time) return state;
  return Object.create(state, { time: { value: time } }) as State;
}

function previewTaker(
  state: State,
  command: PlaceOrder,
  account: Account,
  market: Market,
): Preview {
  const taker = new PreviewedTaker(state, command, account, market);
  const remaining = taker.run();
  if (taker.hasTooManyFills) return { kind: 'tooManyFills' };
  const { amount, filledCost, fees, fills } = taker;
  const lastFillAt = fills.length === 0 ? 0 : state.time;
  const placed = newRecord(state, command, market);
  const record = { ...placed, amount, remaining, filledCost, fees, lastFillAt };
  if (remaining === 0 && !taker.hasEnded) {
    const order = { ...record, status: OrderStatus.filled, reason: taker.reason };
    return { kind: 'order', order, fills, hold: null };
  }
  if (canRest(command) && !taker.hasEnded) {
    const hold = previewHold(market, command.side, command.price, remaining);
    return { kind: 'order', order: { ...record, reason: taker.reason }, fills, hold };
  }
  const reason = taker.hasEnded ? taker.reason : taker.expireReason;
  const order = { ...record, status: OrderStatus.expired, reason };
  return { kind: 'order', order, fills, hold: null };
}

function previewStop(state: State, command: PlaceStopOrder, market: Market): Preview {
  const order = newRecord(state, command, market);
  const hold = previewHold(market, command.side, worstPrice(command, market), command.amount);
  return { kind: 'order', order, fills: [], hold };
}

function previewOco(state: State, command: PlaceOco, account: Account, market: Market): Preview {
  const legs = ocoLegs(command);
  const rejection = validateLegs(state, legs, account, market);
  if (rejection !== undefined) return rejection;
  const [takeProfit, stopLoss] = legs;
  const worst = Math.max(holdPrice(takeProfit, market), holdPrice(stopLoss, market));
  const orders = [
    newRecord(state, takeProfit, market),
    newRecord(state, stopLoss, market),
  ] as const;
  return { kind: 'oco', orders, hold: previewHold(market, command.side, worst, command.amount) };
}

/** The legs of a bracket order are not part of its preview: they are activated after it has ended. */
function previewBracket(
  state: State,
  command: PlaceBracket,
  account: Account,
  market: Market,
): Preview {
  const rejection = validateBracket(state, command, account, market);
  if (rejection !== undefined) return rejection;
  const { order, attached } = command;
  const preview = previewTaker(state, order, account, market);
  return preview.kind === 'order' ? { ...preview, order: { ...preview.order, attached } } : preview;
}

function previewHold(market: Market, side: Side, price: number, amount: number): PreviewedHold {
  const { index } = side === Side.buy ? market.quote : market.base;
  return { asset: index, amount: requiredHold(market, side, price, amount) };
}

/** Returns the record of an order that rests or is pending without having traded. */
function newRecord(
  { time }: State,
  command: PlaceOrder | PlaceStopOrder,
  market: Market,
): OrderRecord {
  const { account, key, side, type, timeInForce, postOnly } = command;
  const { selfTradePrevention, price, amount, cost, clientOrderId, expiresAt } = command;
  const { trailing } = command.kind === CommandKind.placeStopOrder ? command : {};
  const order: OrderRecord = {
    kind: 'order',
    id: 0,
    account,
    key,
    market: market.index,
    side,
    type,
    timeInForce,
    postOnly,
    selfTradePrevention,
    price,
    triggerPrice: command.kind === CommandKind.placeStopOrder ? firstTrigger(command, market) : 0,
    amount,
    remaining: amount,
    cost,
    filledCost: 0,
    fees: 0,
    status: OrderStatus.open,
    reason: OrderReason.none,
    clientOrderId,
    createdAt: time,
    updatedAt: time,
    lastFillAt: 0,
    expiresAt,
    attached: null,
    parentId: 0,
  };
  if (trailing !== undefined) return { ...order, trailing };
  return command.displayAmount === undefined
    ? order
    : { ...order, displayAmount: command.displayAmount };
}

/** Returns the trigger price of a stop; 0 for a trailing stop that waits for its activation. */
function firstTrigger(command: PlaceStopOrder, market: Market): number {
  const { side, trailing } = command;
  const isWaiting = trailing !== undefined && initialBest(side, trailing, market) === 0;
  return isWaiting ? 0 : initialTrigger(command, market);
}
