import type { OrderRecord, Outcome, TradeEvent } from '../src/engine/event.ts';
import type { State } from '../src/engine/state.ts';
import { NONE, OrderStatus, OrderType, oppositeSide, Side } from '../src/engine/terms.ts';
import type { AuditedLedger } from './audited-ledger.ts';
import { AuditedMarket } from './audited-market.ts';
import { AuditedTrails } from './audited-trails.ts';
import { check } from './failure.ts';

/** Totals of an order's trades. */
interface Traded {
  amount: bigint;
  cost: bigint;
  fees: bigint;
}

const NOTHING: Traded = { amount: 0n, cost: 0n, fees: 0n };

/** Every order from its first report to its last (invariants 3 to 7). */
export class AuditedOrders {
  private readonly open = new Map<number, OrderRecord>();
  private readonly ended = new Set<number>();
  private readonly traded = new Map<number, Traded>();
  /** Orders with a pending trigger, and triggered ones that have not run yet. */
  private readonly waiting = new Set<number>();
  private readonly triggered = new Set<number>();
  private readonly trails = new AuditedTrails();
  /** The quantities that the book shows of icebergs, by order id. */
  private readonly shown = new Map<number, number>();
  /** The other leg of an OCO order, by order id. */
  private readonly pairs = new Map<number, number>();
  /** The orders that the audited command touched, as last reported. */
  private readonly touched = new Map<number, OrderRecord>();
  private trades: TradeEvent[] = [];
  /** By market: the price of an auction of the command, and the quantity that it has still to trade. */
  private readonly auctions = new Map<number, { readonly price: number; left: bigint }>();
  private changedMarkets = new Set<number>();

  constructor(
    private readonly markets: readonly AuditedMarket[],
    private readonly ledger: AuditedLedger,
  ) {}

  isOpen(id: number): boolean {
    return this.open.has(id);
  }

  /** Returns whether an account has an open order. */
  hasOpen(account: number): boolean {
    return [...this.open.values()].some((order) => order.account === account);
  }

  /** Records a trade and the orders it triggers. Its maker must be first in the book, and set the price. */
  trade(trade: TradeEvent): void {
    const { market: index, price, amount, cost } = trade;
    const market = this.markets[index]!;
    if (trade.isAuction) this.auctionTrade(trade, market);
    else this.continuousTrade(trade, market);
    this.count(trade.makerOrderId, amount, cost, trade.makerFee);
    this.count(trade.takerOrderId, amount, cost, trade.takerFee);
    this.trades.push(trade);
    market.lastPrice = price;
    for (const id of this.waiting) {
      const order = this.open.get(id)!;
      if (order.market !== index) continue;
      const isReached =
        order.trailing === undefined
          ? AuditedMarket.isReached(order, price)
          : this.trails.follow(order, price);
      if (isReached) this.trigger(id);
    }
  }

  /** Checks that the maker is the first order of its side, at whose price the trade is. */
  private continuousTrade(trade: TradeEvent, market: AuditedMarket): void {
    const { price, amount, takerSide } = trade;
    const maker = this.checkFirst(trade, market, oppositeSide(takerSide));
    check(
      price === maker.price,
      `trade ${trade.id} is at ${price}, its maker's price ${maker.price}`,
    );
    check(
      amount > 0 && amount <= this.shownAmount(maker),
      `trade ${trade.id} takes ${amount} of ${this.shownAmount(maker)}`,
    );
    if (maker.displayAmount !== undefined)
      this.shown.set(maker.id, this.shownAmount(maker) - amount);
  }

  /**
   * Checks that both orders are first on their sides and within their limits, and that all trades of an auction have one
   * price and the largest possible volume.
   */
  private auctionTrade(trade: TradeEvent, market: AuditedMarket): void {
    const { id, market: index, price, amount, takerSide } = trade;
    let auction = this.auctions.get(index);
    if (auction === undefined) {
      const left = market.maxVolume((orderId) => this.open.get(orderId)!.remaining);
      auction = { price, left };
      this.auctions.set(index, auction);
    }
    check(price === auction.price, `trade ${id} at ${price} is of an auction at ${auction.price}`);
    auction.left -= BigInt(amount);
    for (const side of [takerSide, oppositeSide(takerSide)]) {
      const order = this.checkFirst(trade, market, side);
      const isWithin = side === Side.buy ? price <= order.price : price >= order.price;
      check(isWithin, `trade ${id} at ${price} is beyond the limit of order ${order.id}`);
      check(amount > 0 && amount <= order.remaining, `trade ${id} takes ${amount} of ${order.id}`);
      if (order.displayAmount === undefined) continue;
      // The hidden part of an iceberg order is filled first, and the order keeps its place in the queue.
      const shown = Math.min(this.shownAmount(order), order.remaining - amount);
      this.shown.set(order.id, shown);
    }
  }

  /** Checks that the order of a trade is the first of its side. */
  private checkFirst(trade: TradeEvent, market: AuditedMarket, side: Side): OrderRecord {
    const isTaker = side === trade.takerSide;
    const id = isTaker ? trade.takerOrderId : trade.makerOrderId;
    const account = isTaker ? trade.takerAccount : trade.makerAccount;
    const order = this.open.get(id);
    const best = market.queue(side)[0];
    check(
      order !== undefined && best?.id === id && order.account === account,
      `trade ${trade.id} is with order ${id}, first to trade is ${best?.id}`,
    );
    return order;
  }

  /** Records and checks an order that the engine reports. */
  note(order: OrderRecord): void {
    const { id, amount, remaining, status, market: index } = order;
    check(!this.ended.has(id), `order ${id} changed after it had ended`);
    const before = this.open.get(id);
    if (before !== undefined) checkSameOrder(before, order);
    const { amount: filled, cost, fees } = this.traded.get(id) ?? NOTHING;
    const isSettled =
      BigInt(amount) - BigInt(remaining) === filled &&
      BigInt(order.filledCost) === cost &&
      BigInt(order.fees) === fees;
    check(isSettled, `amount, cost or fees of order ${id} differ from its trades`);
    check(remaining >= 0 && amount >= remaining, `order ${id} has ${remaining} left of ${amount}`);
    this.touched.set(id, order);
    this.changedMarkets.add(index);
    const market = this.markets[index]!;
    if (status === OrderStatus.open) {
      check(remaining > 0, `order ${id} is open with nothing left`);
      this.keep(market, before, order);
      return;
    }
    check(
      status !== OrderStatus.filled || remaining === 0,
      `order ${id} is filled with ${remaining} remaining`,
    );
    market.remove(before ?? order);
    for (const set of [this.waiting, this.triggered]) set.delete(id);
    this.open.delete(id);
    this.shown.delete(id);
    this.trails.end(order);
    this.ended.add(id);
  }

  /** Checks holds, limits and books after the last event of a command. */
  end(state: State, outcome: Outcome): void {
    if (outcome.kind === 'oco') this.pair(outcome.orders[0].id, outcome.orders[1].id);
    for (const id of this.touched.keys()) this.joinAttached(id);
    for (const id of this.touched.keys()) {
      this.checkHold(id);
      const other = this.pairs.get(id);
      if (other !== undefined) this.checkHold(other);
      if (this.open.has(id) || other === undefined) continue;
      this.pairs.delete(id);
      this.pairs.delete(other);
    }
    for (const trade of this.trades) if (!trade.isAuction) this.checkLimit(trade);
    for (const [index, { price, left }] of this.auctions) {
      check(
        left === 0n,
        `the auction of market ${index} at ${price} leaves ${left} that could trade`,
      );
    }
    this.auctions.clear();
    for (const index of this.changedMarkets) this.checkBook(state, index);
    check(
      state.orders.size === this.open.size,
      `${this.open.size} orders are open, the engine has ${state.orders.size}`,
    );
    this.touched.clear();
    this.trades = [];
    this.changedMarkets = new Set();
  }

  private count(
    id: number,
    amount: number,
    cost: TradeEvent['cost'],
    fee: TradeEvent['cost'],
  ): void {
    const so = this.traded.get(id) ?? NOTHING;
    this.traded.set(id, {
      amount: so.amount + BigInt(amount),
      cost: so.cost + BigInt(cost),
      // Rebates are in another asset than the fees of an order.
      fees: so.fees + (fee > 0 ? BigInt(fee) : 0n),
    });
  }

  /** Records an open order: in the book, or with a pending trigger. */
  private keep(market: AuditedMarket, before: OrderRecord | undefined, order: OrderRecord): void {
    const { id } = order;
    this.open.set(id, order);
    const price = market.lastPrice || market.rules.referencePrice;
    if (order.trailing !== undefined) {
      if (before === undefined) this.waiting.add(id);
      this.trails.keep(order, price);
      return;
    }
    if (before === undefined && order.triggerPrice !== 0) {
      this.waiting.add(id);
      // Only legs of a bracket order may be triggered as soon as they are activated.
      if (order.parentId !== 0 && AuditedMarket.isReached(order, price)) this.trigger(id);
      return;
    }
    if (before === undefined && order.parentId !== 0 && !order.postOnly) {
      // A leg without a trigger that may match.
      this.trigger(id);
      return;
    }
    if (this.waiting.has(id)) return;
    const wasResting = before !== undefined && !this.triggered.delete(id);
    const isFilled = this.show(before, order);
    const keepsPlace =
      wasResting &&
      !isFilled &&
      order.price === before.price &&
      order.amount <= before.amount &&
      order.displayAmount === before.displayAmount;
    if (keepsPlace) return;
    if (wasResting) market.remove(before);
    market.add(order);
  }

  private shownAmount({ id, displayAmount, remaining }: OrderRecord): number {
    return displayAmount === undefined ? remaining : this.shown.get(id)!;
  }

  /** Notes what the book shows of an iceberg. @returns Whether it shows the next part, at the end of its level. */
  private show(before: OrderRecord | undefined, order: OrderRecord): boolean {
    const { id, displayAmount, remaining } = order;
    if (displayAmount === undefined) return false;
    const shown = this.shown.get(id) ?? 0;
    const isNew = before?.displayAmount !== displayAmount || order.price !== before.price;
    const isNext = shown === 0 || isNew || order.amount > before.amount;
    this.shown.set(id, Math.min(isNext ? displayAmount : shown, remaining));
    return isNext;
  }

  private trigger(id: number): void {
    this.waiting.delete(id);
    this.triggered.add(id);
  }

  private pair(one: number, other: number): void {
    if (!this.open.has(one) || !this.open.has(other)) return;
    this.pairs.set(one, other);
    this.pairs.set(other, one);
  }

  /** Joins the legs of a bracket order, which are activated together, as an OCO order. */
  private joinAttached(id: number): void {
    const order = this.open.get(id);
    if (order === undefined || order.parentId === 0 || this.pairs.has(id)) return;
    for (const other of [id - 1, id + 1]) {
      if (this.open.get(other)?.parentId === order.parentId) this.pair(id, other);
    }
  }

  /** Checks that an order holds exactly the possible cost of its remainder. One leg of an OCO order holds it for both. */
  private checkHold(id: number): void {
    const held = this.ledger.heldBy(id);
    const order = this.open.get(id);
    if (order === undefined) {
      check(held === 0n, `order ${id} has ended and still holds ${held}`);
      return;
    }
    const other = this.open.get(this.pairs.get(id) ?? NONE);
    if (other === undefined) {
      this.checkNeed(order, held, held);
      return;
    }
    const others = this.ledger.heldBy(other.id);
    check(
      held === 0n || others === 0n,
      `orders ${id} and ${other.id} are legs of one OCO order and both hold funds`,
    );
    this.checkNeed(order, held + others, held);
  }

  /** @param held The hold available to it. @param own The hold of the order itself. */
  private checkNeed(order: OrderRecord, held: bigint, own: bigint): void {
    const { id, side, type, price, remaining, triggerPrice } = order;
    const { baseUnit, quoteUnit } = this.markets[order.market]!;
    const rest = BigInt(remaining);
    const hasLimit = !WITHOUT_LIMIT.includes(type);
    const need =
      side === Side.sell
        ? rest * baseUnit
        : rest * quoteUnit * BigInt(hasLimit ? price : triggerPrice);
    const isBounded = side === Side.buy && !hasLimit;
    const isExact = own === 0n || isBounded || own === need;
    check(held >= need && isExact, `order ${id} needs a hold of ${need} and has ${held}`);
    // The hold uses a price fixed in advance, beyond the trigger.
    check(
      !isBounded || own % (rest * quoteUnit) === 0n,
      `order ${id} holds ${own}, which is no multiple of a price`,
    );
  }

  private checkLimit({ id, takerOrderId, takerSide, price }: TradeEvent): void {
    const taker = this.touched.get(takerOrderId);
    check(taker !== undefined, `the taker of trade ${id} was not reported`);
    if (WITHOUT_LIMIT.includes(taker.type)) return;
    const isWithin = takerSide === Side.buy ? price <= taker.price : price >= taker.price;
    check(isWithin, `trade ${id} at ${price} is beyond its taker's limit ${taker.price}`);
  }

  /** Checks that the engine's book equals this one, order by order. */
  private checkBook({ markets, orders, details }: State, index: number): void {
    const { book, symbol, status } = markets[index]!;
    const market = this.markets[index]!;
    for (const side of [Side.buy, Side.sell]) {
      const queue = market.queue(side);
      let place = 0;
      book.forEachOrder(side, (slot) => {
        const expected = queue[place++];
        const id = details.id(slot);
        const isSame =
          expected?.id === id &&
          orders.price(slot) === expected.price &&
          orders.remaining(slot) === this.shownAmount(this.open.get(id)!) &&
          orders.remaining(slot) + details.hidden(slot) === this.open.get(id)?.remaining;
        check(
          isSame,
          `order ${id} is at place ${place} of a side of ${symbol}, expected ${expected?.id}`,
        );
      });
      check(
        place === queue.length,
        `${queue.length} orders rest on a side of ${symbol}, the engine has ${place}`,
      );
    }
    market.checkNotCrossed(symbol, status);
  }
}

const WITHOUT_LIMIT: readonly number[] = [
  OrderType.market,
  OrderType.stop,
  OrderType.takeProfit,
  OrderType.trailingStop,
];

/** Checks that the fixed fields of an order have not changed. */
function checkSameOrder(before: OrderRecord, after: OrderRecord): void {
  const isSame =
    before.account === after.account &&
    before.market === after.market &&
    before.side === after.side &&
    before.type === after.type &&
    before.clientOrderId === after.clientOrderId &&
    before.createdAt === after.createdAt &&
    before.updatedAt <= after.updatedAt;
  check(isSame, `fixed fields of order ${after.id} have changed`);
}
