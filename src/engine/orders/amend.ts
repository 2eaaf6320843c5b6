import type { AmendOrder, PlaceOrder } from '../command.ts';
import type { OrderRecord, Outcome } from '../event.ts';
import { requiredHold } from '../ledger/holds.ts';
import { difference } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { NONE, OrderReason, OrderStatus, Side } from '../terms.ts';
import { amendPending, rejectDisplay } from './amend-pending.ts';
import { rejectSpecialChange } from './amend-trailing.ts';
import { validateBracketPrices } from './contingent/brackets.ts';
import { reduceOrder } from './endings/endings.ts';
import type { Trading } from './matching/trading.ts';
import { toPlaceOrder } from './order-terms.ts';
import {
  acceptsOrder,
  insufficientFunds,
  validateAmount,
  validateDisplay,
  validatePrice,
  wouldTake,
} from './validate.ts';

/**
 * Amends open orders. Lowering only the amount keeps the place in the queue; any other change
 * matches the order again as a taker and moves it to the end of the queue. A rejected amendment
 * leaves the order unchanged.
 */
export class Amendments {
  constructor(
    private readonly state: State,
    private readonly trading: Trading,
  ) {}

  /** Amends an order within the limits of its account. */
  amend(command: AmendOrder): Outcome {
    const { state } = this;
    const slot = state.index.find(command.orderId);
    if (slot === NONE || state.orders.account(slot) !== command.account) {
      return rejected(RejectionCode.orderNotOpen);
    }
    const { tradingLimits } = state.parts;
    if (!tradingLimits.isActive || tradingLimits.isReduction(command, slot)) {
      return this.amendOpen(command, slot);
    }
    return (
      tradingLimits.checkAmendment(command, slot) ??
      tradingLimits.noteOrder(command.account, this.amendOpen(command, slot))
    );
  }

  private amendOpen(command: AmendOrder, slot: number): Outcome {
    const { state, trading } = this;
    const unreduced = command.reduceOnly && rejectUnreduced(command, state.details.amount(slot));
    if (unreduced) return unreduced;
    const mayTrade = !state.details.isPending(slot) && state.links.get(slot) === undefined;
    if (!mayTrade) return amendPending(state, command, slot);
    const order = state.openRecord(slot);
    const unfit = rejectSpecialChange(state, order, slot, command) ?? rejectDisplay(order, command);
    if (unfit !== undefined) return unfit;
    if (command.triggerPrice !== 0 && command.triggerPrice !== order.triggerPrice) {
      return rejected(RejectionCode.noPendingTrigger);
    }
    const price = command.price === 0 ? order.price : command.price;
    const amount = command.amount === 0 ? order.amount : command.amount;
    const displayAmount = command.displayAmount ?? order.displayAmount;
    const isShownAlike = displayAmount === order.displayAmount;
    if (price === order.price && amount === order.amount && isShownAlike) {
      return { kind: 'order', order };
    }
    const filled = order.amount - order.remaining;
    if (amount < filled) return rejected(RejectionCode.amountBelowFilled);

    const taker = {
      ...toPlaceOrder(order),
      price,
      amount: amount - filled,
      ...(displayAmount === undefined ? {} : { displayAmount }),
    };
    const rejection =
      this.validateFunds(order, taker) ?? this.validateBounds(order, price, amount, displayAmount);
    if (rejection !== undefined) return rejection;
    // A partial cancel, so it is allowed whenever cancels are.
    const isReduced = price === order.price && amount < order.amount && isShownAlike;
    if (amount === filled || isReduced) {
      const quantity = order.amount - amount;
      const reduced = reduceOrder(state, slot, quantity, OrderReason.amended, OrderStatus.filled);
      return { kind: 'order', order: reduced };
    }
    const market = state.markets[order.market]!;
    if (!acceptsOrder(market.currentStatus, taker))
      return rejected(RejectionCode.marketUnavailable);
    if (taker.postOnly && wouldTake(taker, market)) {
      return rejected(RejectionCode.postOnlyWouldTake);
    }
    return { kind: 'order', order: trading.replace(slot, taker, order, OrderReason.amended) };
  }

  /** Validates the funds that the amended order needs beyond its current hold. */
  private validateFunds(order: OrderRecord, taker: PlaceOrder): Rejection | undefined {
    const { state } = this;
    const market = state.markets[order.market]!;
    const asset = order.side === Side.buy ? market.quote : market.base;
    const needed = requiredHold(market, taker.side, taker.price, taker.amount);
    const held = requiredHold(market, order.side, order.price, order.remaining);
    return insufficientFunds(state.accounts[order.account]!, asset.index, difference(needed, held));
  }

  /** Validates only what changes, because the rules may have changed since the order was placed. */
  private validateBounds(
    order: OrderRecord,
    price: number,
    amount: number,
    displayAmount: number | undefined,
  ): Rejection | undefined {
    const market = this.state.markets[order.market]!;
    const { rules } = market;
    const rejection =
      (amount === order.amount ? undefined : validateAmount(amount, rules)) ??
      (displayAmount === order.displayAmount && amount <= order.amount
        ? undefined
        : validateDisplay(displayAmount, amount, rules)) ??
      (price === order.price ? undefined : validatePrice(price, rules)) ??
      (price === order.price || order.attached === null
        ? undefined
        : validateBracketPrices({ ...order, price }, order.attached, market));
    if (rejection !== undefined) return rejection;
    return market.notional(price, amount) < rules.minNotional
      ? rejected(RejectionCode.minNotional)
      : undefined;
  }
}

/** @param current The order's amount. */
function rejectUnreduced({ amount }: AmendOrder, current: number): Rejection | undefined {
  if (amount !== 0 && amount < current) return undefined;
  return rejected(RejectionCode.amountNotReduced, amount > current ? 'increase' : 'same');
}
