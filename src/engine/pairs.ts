import { notAdmitted, outOfBounds, shortOf } from './acceptance.ts';
import type { Account } from './accounts.ts';
import { CommandKind, type PlaceOrder, type PlacePair, type PlaceStopOrder } from './command.ts';
import type { Outcome } from './event.ts';
import type { Exact } from './exact.ts';
import { hold } from './holds.ts';
import { MAX_OPEN_ORDERS_PER_ACCOUNT } from './limits.ts';
import type { Market } from './markets.ts';
import { fingerprintOfPair, ordersOf } from './order-terms.ts';
import { placedBefore, putDown, takeOrderId } from './placement.ts';
import { type Rejection, RejectionCode, rejected } from './rejection.ts';
import type { State } from './state.ts';
import { stopNotAdmitted, stopOutOfBounds, worstPrice } from './stops.ts';
import { OrderStatus, Side } from './terms.ts';

type Leg = PlaceOrder | PlaceStopOrder;

/** Two orders of which one cancels the other. Neither trades when they are placed. */
export class Pairs {
  constructor(private readonly state: State) {}

  place(command: PlacePair): Outcome {
    const { state } = this;
    const account = state.accounts[command.account]!;
    const market = state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const { clientOrderId } = command;
    const fingerprint = clientOrderId === null ? 0 : fingerprintOfPair(command);
    const legs = ordersOf(command);
    const outcome =
      placedBefore(account, clientOrderId, fingerprint) ?? this.refusalOf(legs, account, market);
    if (outcome !== undefined) return outcome;

    const firstId = takeOrderId(state, account, clientOrderId, fingerprint);
    const secondId = takeOrderId(state, account, null, 0);
    const [first, second] = legs.map((leg) => priceOf(leg, market)) as [number, number];
    const slots = [
      putDown(state, legs[0], first, firstId),
      putDown(state, legs[1], second, secondId),
    ] as const;
    const firstHolds = first >= second;
    state.join(slots[firstHolds ? 0 : 1], slots[firstHolds ? 1 : 0]);
    const { side, amount } = command;
    const holderId = firstHolds ? firstId : secondId;
    hold(state, account, side, market, Math.max(first, second), amount, holderId);
    const records = slots.map((slot) => state.record(slot, amount, OrderStatus.open));
    state.events.push(...records);
    return { kind: 'pair', orders: [records[0]!, records[1]!] };
  }

  /** With several reasons the first counts; the take profit is looked at first. */
  private refusalOf(legs: readonly Leg[], account: Account, market: Market): Rejection | undefined {
    const { state } = this;
    const [{ side, amount }] = legs as readonly [Leg];
    const worst = Math.max(...legs.map((leg) => priceOf(leg, market)));
    const isBuy = side === Side.buy;
    const needed: Exact = isBuy ? market.notional(worst, amount) : market.baseAmount(amount);
    const refusal = shortOf(account, (isBuy ? market.quote : market.base).index, needed);
    if (refusal !== undefined) return refusal;
    for (const leg of legs) {
      const isStop = leg.kind === CommandKind.placeStopOrder;
      const broken = isStop ? stopOutOfBounds(leg, market) : outOfBounds(leg, market);
      if (broken !== undefined) return broken;
    }
    for (const leg of legs) {
      const broken =
        leg.kind === CommandKind.placeStopOrder
          ? stopNotAdmitted(state, leg, account, market)
          : notAdmitted(state, leg, account, market);
      if (broken !== undefined) return broken;
    }
    return account.openOrders + legs.length > MAX_OPEN_ORDERS_PER_ACCOUNT
      ? rejected(RejectionCode.tooManyOpenOrders)
      : undefined;
  }
}

/** What an order's hold is reckoned by. */
function priceOf(leg: Leg, market: Market): number {
  return leg.kind === CommandKind.placeStopOrder ? worstPrice(leg, market) : leg.price;
}
