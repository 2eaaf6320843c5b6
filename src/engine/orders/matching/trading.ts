import { limitWithinBands } from '../../auction/bands.ts';
import type { Attached, PlaceOrder, Trailing } from '../../command.ts';
import type { OrderRecord, Outcome } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { hold, releaseHold } from '../../ledger/holds.ts';
import type { Market } from '../../markets/markets.ts';
import { difference, type Exact, sum } from '../../numbers/exact.ts';
import { RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import {
  MarketStatus,
  OrderReason,
  OrderStatus,
  oppositeSide,
  SelfTradePrevention,
  TimeInForce,
} from '../../terms.ts';
import {
  endOrder,
  expireReason,
  isStoppedByBands,
  reduceOrder,
  settleLink,
} from '../endings/endings.ts';
import { addLinks, withRareTerms } from '../order-records.ts';
import { canRest, fingerprintOrder, hasLimit, isBeyond } from '../order-terms.ts';
import { assignOrderId, checkClientOrderId } from '../placement.ts';
import { validateOrder } from '../validate.ts';
import { refill, setRemaining } from './icebergs.ts';
import { type CrossHandler, canFill, cross, STOP } from './matching.ts';
import { noteFill, noteTrade, settleTrade } from './settlement.ts';

/** The fields of a record that connect an order with others. */
type Links = Pick<OrderRecord, 'attached' | 'parentId' | 'ocoId'>;
const NO_LINKS: Links = { attached: null, parentId: 0 };

/**
 * Places and matches orders. While an order is matched it is the taker, whose terms are in the
 * fields of this class; it only takes a slot of the store if a part of it rests.
 */
export class Trading implements CrossHandler {
  private market!: Market;
  private taker!: PlaceOrder;
  private takerAccount!: Account;
  private takerId = 0;
  private takerAmount = 0;
  private takerCreatedAt = 0;
  private takerLastFillAt = 0;
  private takerFilledCost: Exact = 0;
  private takerFees: Exact = 0;
  /** Cost that self-trade prevention deducted from a taker by cost. */
  private takerSkippedCost: Exact = 0;
  private takerReason: number = OrderReason.none;
  /** The worst price at which the taker may trade. */
  private takerLimit = 0;
  /** `takerLimit` within the price bands. */
  private takerReach = 0;
  private takerTriggerPrice = 0;
  /** Set by the caller that runs a triggered order. */
  takerTriggeredAt = 0;
  private takerTrailing: Trailing | undefined;
  private takerLinks: Links = NO_LINKS;
  /** Id of the connection whose end cancels the taker if it rests; 0 for none. */
  private takerConnection = 0;
  /** Whether self-trade prevention has ended the taker. */
  private takerEnded = false;

  constructor(private readonly state: State) {}

  place(command: PlaceOrder): Outcome {
    const { state } = this;
    const account = state.accounts[command.account]!;
    const market = state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const fingerprint = command.clientOrderId === null ? 0 : fingerprintOrder(command);
    const outcome =
      checkClientOrderId(state, account, command, fingerprint) ??
      validateOrder(state, command, account, market);
    if (outcome !== undefined) return outcome;
    const orderId = assignOrderId(state, account, command.clientOrderId, fingerprint);
    return { kind: 'order', order: this.start(command, account, market, orderId, null) };
  }

  /** Matches a validated order under a new id. */
  start(
    command: PlaceOrder,
    account: Account,
    market: Market,
    orderId: number,
    attached: Attached | null,
  ): OrderRecord {
    this.begin(command, account, market, orderId);
    this.takerLinks = attached === null ? NO_LINKS : { attached, parentId: 0 };
    return this.execute();
  }

  /**
   * Matches an open order again as `taker`, whose amount is the quantity still to fill. The order
   * gives up its hold and its place in the queue, and gets new ones if a part of it rests.
   */
  replace(slot: number, taker: PlaceOrder, before: OrderRecord, reason: number): OrderRecord {
    this.reopenAsTaker(slot, taker, before);
    this.takerReason = reason;
    return this.execute();
  }

  /** Removes an open order from the book and makes it the taker, under the same id. */
  reopenAsTaker(slot: number, taker: PlaceOrder, before: OrderRecord): void {
    const { state } = this;
    settleLink(state, slot);
    state.excludeOrder(slot);
    releaseHold(state, slot, before.remaining);
    state.removeOrder(slot);
    const connection = state.connections.find(slot);
    state.unlink(slot);
    const account = state.accounts[taker.account]!;
    this.begin(taker, account, state.markets[taker.market]!, before.id);
    this.takerAmount += before.amount - before.remaining;
    this.takerFilledCost = before.filledCost;
    this.takerFees = before.fees;
    this.takerCreatedAt = before.createdAt;
    this.takerLastFillAt = before.lastFillAt;
    this.takerTriggerPrice = before.triggerPrice;
    this.takerTriggeredAt = before.triggeredAt ?? 0;
    this.takerTrailing = before.trailing;
    this.takerReason = before.reason;
    this.takerLinks = before;
    this.takerConnection = connection;
  }

  /** Makes a validated order the taker; the caller sets its bracket legs. */
  private begin(command: PlaceOrder, account: Account, market: Market, orderId: number): void {
    this.market = market;
    this.taker = command;
    this.takerAccount = account;
    this.takerId = orderId;
    this.takerAmount = command.amount;
    this.takerCreatedAt = this.state.time;
    this.takerLastFillAt = 0;
    this.takerFilledCost = 0;
    this.takerFees = 0;
    this.takerSkippedCost = 0;
    this.takerReason = OrderReason.none;
    this.takerEnded = false;
    this.takerLimit = hasLimit(command.type) ? command.price : market.marketLimit(command.side);
    this.takerTriggerPrice = 0;
    this.takerTriggeredAt = 0;
    this.takerTrailing = undefined;
    this.takerConnection = this.state.connections.current;
    this.state.scan.examined = 0;
  }

  /** Matches the taker; the remaining quantity rests or expires. */
  execute(): OrderRecord {
    const { taker: command, market } = this;
    // The call phase of an auction accepts only orders that rest.
    if (market.status === MarketStatus.auction) return this.rest(command.amount);
    const remaining = command.cost === 0 ? this.match() : this.matchCost();
    if (remaining === 0 && !this.takerEnded) {
      return this.report(this.takerRecord(0, OrderStatus.filled));
    }
    const isHalted = !this.takerEnded && this.haltIfStopped();
    if (canRest(command) && !this.takerEnded) return this.rest(remaining);
    if (isHalted) this.takerReason = OrderReason.volatilityHalt;
    else if (!this.takerEnded) this.takerReason = expireReason(command, market, this.takerLimit);
    return this.report(this.takerRecord(remaining, OrderStatus.expired));
  }

  /** Returns the worst price at which the taker may trade now. */
  private findReach(): number {
    const { market, taker, takerLimit, state } = this;
    this.takerReach = limitWithinBands(state.parts.auctions, market, taker.side, takerLimit);
    return this.takerReach;
  }

  /** Halts the market if only its price bands have stopped the taker. @returns Whether they have. */
  private haltIfStopped(): boolean {
    const { market, taker, state } = this;
    const best = market.book.bestPrice(oppositeSide(taker.side));
    const isStopped = isStoppedByBands(taker, best, this.takerLimit, this.takerReach);
    if (isStopped) state.parts.auctions.halt(market);
    return isStopped;
  }

  /** Fills as much as the terms of the order allow. @returns The remaining quantity in amount units. */
  private match(): number {
    const { taker, market, state } = this;
    const { side, amount, timeInForce } = taker;
    const owner = this.takerAccount.owner.index;
    const limit = this.findReach();
    const skipsOwn = taker.selfTradePrevention === SelfTradePrevention.expireMaker;
    // An order of the same owner is not liquidity: either it ends or the taker does.
    if (
      timeInForce === TimeInForce.fok &&
      !canFill(market.book, state.orders, side, limit, amount, owner, skipsOwn, state.scan)
    ) {
      return amount;
    }
    return cross(market.book, state.orders, side, limit, amount, owner, this);
  }

  /**
   * Spends or receives `cost` down to the last step that it pays for, up to `Market.capacity`. The amount of
   * the order becomes the quantity it traded, and 0 remains. The order expires if it could have traded more.
   */
  private matchCost(): number {
    const { market, taker, state } = this;
    const { side } = taker;
    const owner = this.takerAccount.owner.index;
    const limit = this.findReach();
    this.takerAmount = 0;
    let price = 0;
    let remaining = market.capacity(side, this.takerAccount.available(market.base.index));
    const isShort = remaining < market.rules.maxAmount;
    for (;;) {
      const best = market.book.bestPrice(oppositeSide(side));
      const isOver = best === undefined || isBeyond(side, best, limit);
      if (!isOver) price = best;
      const payable = price === 0 ? 0 : this.payable(price);
      if (payable === 0 && this.takerAmount > 0) return 0;
      const amount = Math.min(payable, remaining);
      if (isOver || amount === 0) {
        const isHalted = isOver && this.haltIfStopped();
        this.takerEnded = true;
        this.takerReason = isHalted
          ? OrderReason.volatilityHalt
          : expireReason(taker, market, this.takerLimit);
        if (isShort && !isOver && payable > 0) this.takerReason = OrderReason.insufficientBalance;
        return 0;
      }
      remaining -= amount - cross(market.book, state.orders, side, price, amount, owner, this);
      if (this.takerEnded) return 0;
    }
  }

  /** Returns the amount in whole steps that the rest of the taker's cost pays for at `price`. */
  private payable(price: number): number {
    const spent = sum(this.takerFilledCost, this.takerSkippedCost);
    return this.market.payable(price, difference(this.taker.cost, spent));
  }

  /** Settles one match, before the book changes. */
  fill(maker: number, quantity: number): void {
    const { state, market, takerAccount } = this;
    if (state.links.size > 0) settleLink(state, maker);
    const { orders, details, feeTiers, time } = state;
    const price = orders.price(maker);
    const makerAccount = state.accounts[orders.account(maker)]!;
    const makerRate = feeTiers.makerFee(makerAccount, market, time);
    const takerRate = feeTiers.takerFee(takerAccount, market, time);
    const { takerId, taker } = this;
    const trade = settleTrade(
      state,
      market,
      maker,
      takerId,
      takerAccount,
      taker.side,
      price,
      quantity,
      makerRate,
      takerRate,
    );
    state.events.push(trade);
    this.takerFilledCost = sum(this.takerFilledCost, trade.cost);
    this.takerFees = sum(this.takerFees, trade.takerFee);
    this.takerLastFillAt = time;
    if (taker.cost !== 0) this.takerAmount += quantity;
    noteTrade(state, market, trade);
    const shown = orders.remaining(maker) - quantity;
    noteFill(state, maker, shown + details.hidden(maker), shown, trade.cost, trade.makerFee);
  }

  /** Frees the slot of a filled maker, which has left the book; an iceberg may show its next part. */
  filled(maker: number): void {
    if (this.state.details.hidden(maker) > 0) refill(this.state, maker, this.market);
    else this.state.unlink(maker);
  }

  /** Applies self-trade prevention. @returns The remaining quantity of the taker, or STOP. */
  selfTrade(maker: number, remaining: number): number {
    const mode = this.taker.selfTradePrevention;
    if (mode === SelfTradePrevention.decrement) return this.decrement(maker, remaining);
    if (mode !== SelfTradePrevention.expireTaker) {
      endOrder(this.state, maker, OrderStatus.expired, OrderReason.selfTrade);
    }
    if (mode === SelfTradePrevention.expireMaker) return remaining;
    this.takerReason = OrderReason.selfTrade;
    this.takerEnded = true;
    return STOP;
  }

  /** Reduces both orders by the quantity that they would have traded; the smaller one ends. */
  private decrement(maker: number, remaining: number): number {
    const { state } = this;
    const quantity = Math.min(remaining, state.remaining(maker));
    this.takerReason = OrderReason.selfTrade;
    // An order by cost has no amount to reduce, so it loses the cost that it would have spent or received.
    if (this.taker.cost === 0) this.takerAmount -= quantity;
    else {
      const skippedCost = this.market.notional(state.orders.price(maker), quantity);
      this.takerSkippedCost = sum(this.takerSkippedCost, skippedCost);
    }
    reduceOrder(state, maker, quantity, OrderReason.selfTrade, OrderStatus.expired);
    if (quantity === remaining) this.takerEnded = true;
    return remaining - quantity;
  }

  /** Adds the remaining quantity of the taker to the book and holds its maximum cost. */
  private rest(remaining: number): OrderRecord {
    const { state, market, taker, takerId } = this;
    const { orders, details } = state;
    const slot = orders.allocate();
    orders.side[slot] = taker.side;
    orders.setAccount(slot, taker.account);
    orders.setPrice(slot, taker.price);
    details.set(slot, takerId, this.takerAmount, state.time, this.takerReason, taker);
    setRemaining(state, slot, remaining, taker.displayAmount);
    details.setTimes(slot, this.takerCreatedAt, this.takerLastFillAt);
    if (this.takerTriggerPrice !== 0) details.setTriggerPrice(slot, this.takerTriggerPrice);
    if (this.takerTriggeredAt !== 0) details.triggers.setTime(slot, this.takerTriggeredAt);
    if (this.takerFilledCost !== 0) {
      details.setFilled(slot, { cost: this.takerFilledCost, fees: this.takerFees });
    }
    state.addToBook(slot, market);
    state.noteBookChange(market);
    state.link(slot);
    if (this.takerConnection !== 0) state.connections.register(slot, this.takerConnection);
    if (this.takerLinks !== NO_LINKS) addLinks(state, slot, this.takerLinks);
    hold(state, this.takerAccount, taker.side, market, taker.price, remaining, takerId);
    return this.report(this.takerRecord(remaining, OrderStatus.open));
  }

  /** Rejects the taker before it trades. */
  reject(reason: number): OrderRecord {
    this.takerReason = reason;
    return this.report(this.takerRecord(this.takerAmount, OrderStatus.rejected));
  }

  /** Sets the worst price at which the taker may trade. */
  limitTo(price: number): void {
    this.takerLimit = price;
  }

  private takerRecord(remaining: number, status: number): OrderRecord {
    const { taker, state, takerTrailing, takerLinks } = this;
    const order: OrderRecord = {
      kind: 'order',
      id: this.takerId,
      account: taker.account,
      key: taker.key,
      market: taker.market,
      side: taker.side,
      type: taker.type,
      timeInForce: taker.timeInForce,
      postOnly: taker.postOnly,
      selfTradePrevention: taker.selfTradePrevention,
      price: taker.price,
      triggerPrice: this.takerTriggerPrice,
      amount: this.takerAmount,
      remaining,
      cost: taker.cost,
      filledCost: this.takerFilledCost,
      fees: this.takerFees,
      status,
      reason: this.takerReason,
      clientOrderId: taker.clientOrderId,
      createdAt: this.takerCreatedAt,
      updatedAt: state.time,
      lastFillAt: this.takerLastFillAt,
      expiresAt: taker.expiresAt,
      attached: takerLinks.attached,
      parentId: takerLinks.parentId,
    };
    return withRareTerms(order, taker.displayAmount, takerTrailing, takerLinks.ocoId);
  }

  private report(taker: OrderRecord): OrderRecord {
    const triggeredAt = this.takerTriggeredAt;
    const order = triggeredAt === 0 ? taker : { ...taker, triggeredAt };
    this.state.events.push(order);
    return order;
  }
}
