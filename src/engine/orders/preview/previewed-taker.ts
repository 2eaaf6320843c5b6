import { limitWithinBands } from '../../auction/bands.ts';
import type { PlaceOrder } from '../../command.ts';
import type { Account } from '../../ledger/accounts.ts';
import { feeOn } from '../../ledger/ledger.ts';
import type { Market } from '../../markets/markets.ts';
import { difference, type Exact, sum } from '../../numbers/exact.ts';
import type { State } from '../../state.ts';
import {
  MarketStatus,
  NONE,
  OrderReason,
  oppositeSide,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../terms.ts';
import { expireReasonAt, isStoppedByBands } from '../endings/endings.ts';
import { canFill } from '../matching/matching.ts';
import { hasLimit, isBeyond } from '../order-terms.ts';

/** A fill that an order would get; price and amount in units, cost and fee in minor units. */
export interface PreviewedFill {
  readonly price: number;
  readonly amount: number;
  readonly cost: Exact;
  /** In the asset received. */
  readonly fee: Exact;
}

/**
 * Maximum fills that the preview of an order computes. Orders have no such maximum: their funds bound
 * them, but a preview costs none.
 */
export const MAX_PREVIEWED_FILLS = 1_000;

/** Result of `meetOwn` that ends the taker with its remaining quantity unfilled. */
const STOP = -1;

/**
 * Computes what `Trading` would do with a validated order, without changing the state: it goes through the
 * book with a cursor where `Trading` removes orders. A property test compares the two.
 */
export class PreviewedTaker {
  readonly fills: PreviewedFill[] = [];
  amount: number;
  filledCost: Exact = 0;
  fees: Exact = 0;
  reason: number = OrderReason.none;
  /** Whether self-trade prevention or the end of the book has ended the order. */
  hasEnded = false;
  /** Whether the order has more fills than a preview computes, so that the rest is not known. */
  hasTooManyFills = false;
  private skippedCost: Exact = 0;
  private readonly limit: number;
  /** `limit` within the price bands. */
  private readonly reach: number;
  /** The next order to trade with, or NONE, what the book shows of it, and what it does not show. */
  private maker: number;
  private available = 0;
  private hidden = 0;
  /** Icebergs at the price of the maker whose shown part was filled; their next parts trade after the queue. */
  private readonly refills: { readonly maker: number; readonly hidden: number }[] = [];
  /** Whether the maker is an iceberg of which a later part is at the end of the queue. */
  private isRefill = false;

  /** @param state The state as of the time of the preview. */
  constructor(
    private readonly state: State,
    private readonly command: PlaceOrder,
    private readonly account: Account,
    private readonly market: Market,
  ) {
    this.amount = command.amount;
    this.limit = hasLimit(command.type) ? command.price : market.marketLimit(command.side);
    const { auctions } = state.parts;
    this.reach = limitWithinBands(auctions, market, command.side, this.limit);
    this.maker = NONE;
    this.meet(market.book.best(oppositeSide(command.side)));
  }

  /** Fills as much as the terms of the order allow. @returns The remaining quantity. */
  run(): number {
    if (this.market.status === MarketStatus.auction) return this.command.amount;
    return this.command.cost === 0 ? this.match() : this.matchCost();
  }

  /** Returns why the remaining quantity expires if it does not rest. */
  get expireReason(): number {
    const best = this.maker === NONE ? undefined : this.state.orders.price(this.maker);
    if (isStoppedByBands(this.command, best, this.limit, this.reach)) {
      return OrderReason.volatilityHalt;
    }
    return expireReasonAt(this.command, best, this.limit);
  }

  private match(): number {
    const { command, market, state } = this;
    const { timeInForce, side, amount, selfTradePrevention } = command;
    const owner = this.account.owner.index;
    if (timeInForce === TimeInForce.fok) {
      const skipsOwn = selfTradePrevention === SelfTradePrevention.expireMaker;
      const { book } = market;
      const { orders, scan } = state;
      if (!canFill(book, orders, side, this.reach, amount, owner, skipsOwn, scan)) return amount;
    }
    return this.cross(this.reach, amount);
  }

  /** Spends or receives the cost down to the last step that it pays for, as `Trading` does. */
  private matchCost(): number {
    const { market, state, reach } = this;
    const { side } = this.command;
    this.amount = 0;
    let price = 0;
    let room = market.capacity(side, this.account.available(market.base.index));
    const isShort = room < market.rules.maxAmount;
    for (;;) {
      const best = this.maker === NONE ? undefined : state.orders.price(this.maker);
      const isOver = best === undefined || isBeyond(side, best, reach);
      if (!isOver) price = best;
      const payable = price === 0 ? 0 : this.payable(price);
      if (payable === 0 && this.amount > 0) return 0;
      const amount = Math.min(payable, room);
      if (isOver || amount === 0) {
        const isOut = isShort && !isOver && payable > 0;
        this.hasEnded = true;
        this.reason = isOut ? OrderReason.insufficientBalance : this.expireReason;
        return 0;
      }
      room -= amount - this.cross(price, amount);
      if (this.hasEnded || this.hasTooManyFills) return 0;
    }
  }

  /** Returns the amount in whole steps that the rest of the cost pays for at `price`. */
  private payable(price: number): number {
    const gone = sum(this.filledCost, this.skippedCost);
    return this.market.payable(price, difference(this.command.cost, gone));
  }

  /** Matches `quantity` within a limit. @returns The unfilled part. */
  private cross(limit: number, quantity: number): number {
    const { orders } = this.state;
    const { side } = this.command;
    const owner = this.account.owner.index;
    let left = quantity;
    while (left > 0 && this.maker !== NONE && !this.hasTooManyFills) {
      const price = orders.price(this.maker);
      if (isBeyond(side, price, limit)) break;
      if (orders.owner(this.maker) === owner) {
        const after = this.meetOwn(left, price);
        if (after === STOP) return left;
        left = after;
        continue;
      }
      const amount = Math.min(left, this.available);
      this.fill(price, amount);
      this.take(amount);
      left -= amount;
    }
    return left;
  }

  private fill(price: number, amount: number): void {
    const { state, market, account, command } = this;
    if (this.fills.length === MAX_PREVIEWED_FILLS) {
      this.hasTooManyFills = true;
      return;
    }
    const cost = market.notional(price, amount);
    // Every fill adds to the volume that decides the fee of the next one.
    const rate = state.feeTiers.takerFeeAfter(account, market, state.time, this.filledCost);
    const fee = feeOn(command.side === Side.buy ? market.baseAmount(amount) : cost, rate);
    this.fills.push({ price, amount, cost, fee });
    this.filledCost = sum(this.filledCost, cost);
    this.fees = sum(this.fees, fee);
    if (command.cost !== 0) this.amount += amount;
  }

  /** Applies self-trade prevention. @returns The quantity then left to the taker, or STOP. */
  private meetOwn(left: number, price: number): number {
    const mode = this.command.selfTradePrevention;
    if (mode === SelfTradePrevention.expireMaker) {
      this.skipMaker();
      return left;
    }
    this.reason = OrderReason.selfTrade;
    if (mode !== SelfTradePrevention.decrement) {
      this.hasEnded = true;
      return STOP;
    }
    const quantity = Math.min(left, this.available + this.hidden);
    if (this.command.cost === 0) this.amount -= quantity;
    else this.skippedCost = sum(this.skippedCost, this.market.notional(price, quantity));
    if (quantity === left) this.hasEnded = true;
    else this.skipMaker();
    return left - quantity;
  }

  /** Takes a quantity off the maker, and moves to the next one if nothing of it is shown any more. */
  private take(quantity: number): void {
    this.available -= quantity;
    if (this.available > 0) return;
    if (this.hidden > 0) this.refills.push({ maker: this.maker, hidden: this.hidden });
    this.skipMaker();
  }

  /** Moves to the next maker: in the queue of the level, then the next parts of icebergs, then the next level. */
  private skipMaker(): void {
    const { book } = this.market;
    const next = this.isRefill ? NONE : book.nextOrder(this.maker);
    if (next !== NONE) {
      this.meet(next);
      return;
    }
    const refill = this.refills.shift();
    if (refill !== undefined) {
      this.isRefill = true;
      this.maker = refill.maker;
      this.available = Math.min(this.state.details.displayAmount(refill.maker), refill.hidden);
      this.hidden = refill.hidden - this.available;
      return;
    }
    this.isRefill = false;
    const level = book.nextLevel(this.state.orders.level(this.maker));
    this.meet(level === NONE ? NONE : book.firstOrder(level));
  }

  private meet(maker: number): void {
    this.maker = maker;
    if (maker === NONE) return;
    this.available = this.state.orders.remaining(maker);
    this.hidden = this.state.details.hidden(maker);
  }
}
