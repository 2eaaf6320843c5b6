import type { TradeEvent } from '../../../engine/event.ts';
import type { Exchange } from '../../../engine/exchange.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { MarketStatus, NONE, oppositeSide, Side, sides } from '../../../engine/terms.ts';
import { type FlowOrder, MirrorSide } from './mirror-side.ts';

/**
 * Writes what happens in the book of a market as limit orders and cancels, from which an engine makes the same trades and the
 * same book. It keeps a mirror of the book that a reader of the rows has: after every command, whatever differs from the real
 * book is canceled and placed again behind it. So amended orders and the parts of icebergs get further rows, and a taker that
 * does not rest becomes a limit order of what it traded.
 */
export class OrderFlow {
  private readonly mirror = [new MirrorSide(Side.buy), new MirrorSide(Side.sell)] as const;
  /** Rows that each order of the book has had, so that ids do not repeat. */
  private readonly rows = new Map<number, number>();
  private isInCall = false;
  private time = 0;

  /** @param write Called with each row, as `time,type,id,side,price,amount`. */
  constructor(
    private readonly exchange: Exchange,
    private readonly market: Market,
    private readonly write: (row: string) => void,
  ) {}

  /** Notes a command that was just applied. */
  note(): void {
    const { exchange, market } = this;
    this.time = exchange.state.time;
    const trades: TradeEvent[] = [];
    const touched = new Set<number>();
    for (const event of exchange.events) {
      if (event.kind === 'trade' && event.market === market.index) trades.push(event);
      else if (event.kind === 'order' && event.market === market.index) touched.add(event.id);
    }
    this.playTrades(trades);
    const isInCall = market.status === MarketStatus.auction || this.isCrossed;
    if (isInCall) this.clear();
    else if (this.isInCall) this.syncAll();
    else this.sync(touched);
    this.isInCall = isInCall;
    for (const id of touched) if (this.findSlot(id) === NONE) this.rows.delete(id);
  }

  /** Writes the orders that rest in the book. @param time Milliseconds since 1970. */
  begin(time: number): void {
    this.time = time;
    if (!this.isInCall) this.syncAll();
  }

  /** Cancels all orders that were written and rest. @param time Milliseconds since 1970. */
  end(time: number): void {
    this.time = time;
    this.clear();
  }

  /** Orders of an auction may cross, also while a restriction of all markets delays its end. */
  private get isCrossed(): boolean {
    const { book } = this.market;
    const [bid, ask] = [book.bestPrice(Side.buy), book.bestPrice(Side.sell)];
    return bid !== undefined && ask !== undefined && bid >= ask;
  }

  private playTrades(trades: readonly TradeEvent[]): void {
    for (let start = 0; start < trades.length; ) {
      const { takerOrderId, isAuction } = trades[start]!;
      let end = start + 1;
      while (trades[end]?.takerOrderId === takerOrderId && !isAuction) end++;
      const group = trades.slice(start, end);
      if (isAuction) this.playAuctionTrade(group[0]!);
      else this.playTaker(group, trades.slice(end));
      start = end;
    }
  }

  /** In an auction both orders rest at limits that cross, so both are written at the price of their trade. */
  private playAuctionTrade(trade: TradeEvent): void {
    const { makerOrderId, takerOrderId, takerSide, price, amount } = trade;
    this.clear();
    this.emit(this.newOrder(makerOrderId, oppositeSide(takerSide), price, amount));
    this.emit(this.newOrder(takerOrderId, takerSide, price, amount));
  }

  private playTaker(trades: readonly TradeEvent[], later: readonly TradeEvent[]): void {
    const { takerOrderId, takerSide } = trades[0]!;
    const makers = this.mirror[oppositeSide(takerSide)]!;
    const worst = trades.at(-1)!.price;
    const amended = this.mirror[takerSide]!.find(takerOrderId);
    if (amended !== undefined) this.cancel(amended);
    if (!makers.wouldFill(trades)) {
      for (const order of makers.ordersUpTo(worst)) this.cancel(order);
      // Orders that the command canceled before its trades would trade with the makers.
      const best = trades[0]!.price;
      for (const order of this.mirror[takerSide]!.ordersUpTo(best)) this.cancel(order);
      for (const { makerOrderId, price, amount } of trades) {
        this.place(makerOrderId, makers.side, price, amount);
      }
    }
    makers.fill(trades);
    const traded = trades.reduce((all, { amount }) => all + amount, 0);
    const rest = this.findRest(takerOrderId, makers, later);
    const order = this.newOrder(takerOrderId, takerSide, rest?.price ?? worst, traded);
    this.emit({ ...order, remaining: traded + (rest?.remaining ?? 0) });
    if (rest !== undefined) this.mirror[takerSide]!.add({ ...order, remaining: rest.remaining });
  }

  /** Returns what rests of a taker right after its trades, if one row can express both. */
  private findRest(id: number, makers: MirrorSide, later: readonly TradeEvent[]) {
    const { orders, details } = this.exchange.state;
    const slot = this.findSlot(id);
    if (
      slot === NONE ||
      later.some((trade) => [trade.makerOrderId, trade.takerOrderId].includes(id))
    )
      return undefined;
    const remaining = orders.remaining(slot);
    const price = orders.price(slot);
    const hidesPart = details.amount(slot) !== orders.remaining(slot) && this.market.book.hasHidden;
    if (hidesPart || makers.hasOrdersUpTo(price)) return undefined;
    return { price, remaining };
  }

  /** Makes the mirror equal to the book at the prices of these orders, and at those that trades have changed. */
  private sync(touched: ReadonlySet<number>): void {
    const { orders } = this.exchange.state;
    for (const id of touched) {
      for (const side of this.mirror) side.touchOrder(id);
      const slot = this.findSlot(id);
      if (slot !== NONE) this.mirror[orders.side[slot] as Side]!.touch(orders.price(slot));
    }
    this.syncTouched();
  }

  private syncAll(): void {
    const { book } = this.market;
    for (const side of this.mirror) {
      for (let at = book.bestLevel(side.side); at !== NONE; at = book.nextLevel(at)) {
        side.touch(book.levelPrice(at));
      }
    }
    this.syncTouched();
  }

  /** Cancels first, because the mirror must not cross. */
  private syncTouched(): void {
    const missing: FlowOrder[] = [];
    for (const side of this.mirror) {
      for (const price of side.takeTouched()) {
        const wanted = this.queueAt(side.side, price);
        const present = side.queue(price);
        let same = 0;
        while (same < present.length && isEqual(present[same]!, wanted[same])) same++;
        for (const order of present.slice(same)) this.cancel(order);
        missing.push(...wanted.slice(same));
      }
    }
    for (const { orderId, side, price, remaining } of missing) {
      this.place(orderId, side, price, remaining);
    }
    for (const side of this.mirror) side.takeTouched();
  }

  /** Returns the queue of a price in the book. */
  private queueAt(side: Side, price: number): FlowOrder[] {
    const { book } = this.market;
    const { details, orders } = this.exchange.state;
    const level = book.levelAt(side, price);
    const queue: FlowOrder[] = [];
    if (level === NONE) return queue;
    for (let slot = book.firstOrder(level); slot !== NONE; slot = book.nextOrder(slot)) {
      const orderId = details.id(slot);
      queue.push({ id: '', orderId, side, price, remaining: orders.remaining(slot) });
    }
    return queue;
  }

  private clear(): void {
    for (const side of this.mirror) {
      for (const order of side.ordersUpTo(undefined)) this.cancel(order);
      side.takeTouched();
    }
  }

  private findSlot(id: number): number {
    const { index, details } = this.exchange.state;
    const slot = index.find(id);
    return slot === NONE || details.isPending(slot) ? NONE : slot;
  }

  private newOrder(orderId: number, side: Side, price: number, remaining: number): FlowOrder {
    const row = (this.rows.get(orderId) ?? 0) + 1;
    this.rows.set(orderId, row);
    return { id: row === 1 ? `${orderId}` : `${orderId}-${row}`, orderId, side, price, remaining };
  }

  private place(orderId: number, side: Side, price: number, remaining: number): void {
    const order = this.newOrder(orderId, side, price, remaining);
    this.emit(order);
    this.mirror[side]!.add(order);
  }

  private emit({ id, side, price, remaining }: FlowOrder): void {
    const { priceDecimals, amountDecimals } = this.market.rules;
    const amount = formatUnits(remaining, amountDecimals);
    this.write(
      `${this.time},order,${id},${sides[side]},${formatUnits(price, priceDecimals)},${amount}`,
    );
  }

  private cancel(order: FlowOrder): void {
    this.mirror[order.side]!.remove(order);
    this.write(`${this.time},cancel,${order.id},,,`);
  }
}

function isEqual(present: FlowOrder, wanted: FlowOrder | undefined): boolean {
  return present.orderId === wanted?.orderId && present.remaining === wanted.remaining;
}
