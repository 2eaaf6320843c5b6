import { CommandKind, type PlacePair } from '../../src/engine/command.ts';
import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
} from '../../src/engine/limits.ts';
import { ordersOf } from '../../src/engine/order-terms.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType } from '../../src/engine/terms.ts';
import { refuse } from './naive-administration.ts';
import { held, orderOf } from './naive-matching.ts';
import type { NaiveState } from './naive-state.ts';
import { stopNotAdmitted, stopOutOfBounds, worstPrice } from './naive-stops.ts';
import { type NaiveTradeOutcome, notAdmitted, outOfBounds } from './naive-trading.ts';

/** Two orders with the hold of one: the one that needs more, of two that need as much the first. */
export function placePair(state: NaiveState, command: PlacePair): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return refuse(RejectionCode.unknownMarket);
  const { account, clientOrderId, kind, key, ...asked } = command;
  const terms = JSON.stringify(asked);
  const known = state.clientOrders.find(
    (each) => each.account === account && each.clientOrderId === clientOrderId,
  );
  if (known !== undefined) {
    return known.terms === terms
      ? { kind: 'repeated', orderId: known.orderId }
      : refuse(RejectionCode.duplicateClientOrderId);
  }
  const legs = ordersOf(command);
  const worst = legs.map((leg) =>
    leg.kind === CommandKind.placeStopOrder ? worstPrice(market, leg) : leg.price,
  );
  const hold = held(market, { side: command.side, price: Math.max(...worst) }, command.amount);
  const available = state.available(account, hold.asset);
  if (hold.amount > available) {
    const code = RejectionCode.insufficientBalance;
    return { kind: 'rejected', code, required: hold.amount, available, asset: hold.asset };
  }
  const refusals = [
    ...legs.map((leg) =>
      leg.kind === CommandKind.placeStopOrder
        ? stopOutOfBounds(market, leg)
        : outOfBounds(state, market, leg),
    ),
    ...legs.map((leg) =>
      leg.kind === CommandKind.placeStopOrder
        ? stopNotAdmitted(state, market, leg)
        : notAdmitted(state, market, leg),
    ),
  ];
  const refusal = refusals.find((each) => each !== undefined);
  if (refusal !== undefined) return refuse(refusal);
  const open = state.open.filter((order) => order.account === account).length;
  if (open + 2 > MAX_OPEN_ORDERS_PER_ACCOUNT) return refuse(RejectionCode.tooManyOpenOrders);

  const orders = legs.map((leg, place) => {
    const order = orderOf(state, leg, state.nextOrderId++);
    if (leg.kind === CommandKind.placeOrder) state.orders.push(order);
    else {
      state.worstPrices.set(order.id, worst[place]!);
      state.stops.push(order);
    }
    return order;
  });
  const [first, second] = orders as [(typeof orders)[0], (typeof orders)[0]];
  if (clientOrderId !== null) {
    const forgetAt = state.time + CLIENT_ORDER_ID_LIFETIME_MS;
    state.clientOrders.push({ account, clientOrderId, orderId: first.id, terms, forgetAt });
  }
  const firstHolds = worst[0]! >= worst[1]!;
  state.pairs.push(firstHolds ? [first, second] : [second, first]);
  const holder = firstHolds ? first : second;
  state.post(account, hold.asset, EntryType.hold, -hold.amount, holder.id);
  return { kind: 'pair', orders: orders.map((order) => state.report(order)) };
}
