import { type CancelOrders, CommandKind, type PlaceOrder } from '../engine/command.ts';
import type { Market } from '../engine/markets/markets.ts';
import { NONE, OrderType, SelfTradePrevention, type Side } from '../engine/terms.ts';

/** The terms of a limit order, in units of its market. */
export interface Terms {
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
}

/** Returns the command that places a limit order of an account of the sandbox. @param market Index. */
export function placeLimit(
  account: number,
  market: number,
  { side, price, amount }: Terms,
  timeInForce: number,
  clientOrderId: string | null = null,
): PlaceOrder {
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market,
    side,
    type: OrderType.limit,
    timeInForce,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price,
    amount,
    cost: 0,
    expiresAt: 0,
    clientOrderId,
  };
}

/** Returns the command that cancels orders in a market: some by id or client order id, or all. */
export function cancelIn(
  account: number,
  market: Market,
  selection: { readonly orderIds?: readonly number[]; readonly clientOrderId?: string },
): CancelOrders {
  return {
    kind: CommandKind.cancelOrders,
    account,
    key: NONE,
    market: market.index,
    orderIds: selection.orderIds ?? null,
    clientOrderId: selection.clientOrderId ?? null,
  };
}
