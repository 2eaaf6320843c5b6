import type { OrderRecord, TradeEvent } from '../../engine/event.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { NONE, OrderStatus, orderStatuses } from '../../engine/terms.ts';
import { type Ahead, measureAhead } from './queue-ahead.ts';
import type { QueuePoint, TimelineEvent, TimelineEventKind } from './timeline.ts';

const MAX_EVENTS = 1000;
const MAX_POINTS = 256;

/** Records the life of one order while commands are replayed. */
export class OrderObserver {
  readonly events: TimelineEvent[] = [];
  private samples: QueuePoint[] = [];
  /** The last record of the order; undefined before it was placed. */
  private last: OrderRecord | undefined;
  private filled = 0;
  private isResting = false;
  private isActivated = true;
  private marketStatus = 0;
  private bookSequence = -1;
  /** Only every so many changes of the book are looked at, doubled when there are too many points. */
  private stride = 1;
  private changes = 0;
  private position = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly orderId: number,
    private readonly maxEvents = MAX_EVENTS,
    private readonly maxPoints = MAX_POINTS,
  ) {}

  /** Whether the order has ended, or has more events than a timeline shows. */
  get isDone(): boolean {
    return this.hasEnded || this.events.length >= this.maxEvents;
  }

  get hasEnded(): boolean {
    return this.last !== undefined && this.last.status !== OrderStatus.open;
  }

  /** Points at which what is ahead of the order has changed, oldest first. */
  get points(): readonly QueuePoint[] {
    return this.samples;
  }

  /** Notes a command that was just applied. @param position Its batch. */
  note(position: number): void {
    if (this.hasEnded) return;
    this.position = position;
    const fills: TradeEvent[] = [];
    let record: OrderRecord | undefined;
    for (const event of this.exchange.events) {
      if (event.kind === 'order' && event.id === this.orderId) record = event;
      else if (event.kind === 'trade' && this.isOwn(event)) fills.push(event);
    }
    if (record !== undefined) this.noteChange(record, fills);
    if (this.last === undefined || this.hasEnded) return;
    this.noteMarket();
    this.noteActivation();
    this.notePlace(fills);
    this.sample();
  }

  private isOwn({ makerOrderId, takerOrderId }: TradeEvent): boolean {
    return makerOrderId === this.orderId || takerOrderId === this.orderId;
  }

  /** Adds the events of a command that changed the order, in the order in which they follow from each other. */
  private noteChange(record: OrderRecord, fills: readonly TradeEvent[]): void {
    const before = this.last;
    this.last = record;
    if (before === undefined) {
      this.marketStatus = this.market.currentStatus;
      this.isActivated = (record.trailing?.activationPrice ?? 0) === 0;
      // A leg of an order that ended without it was never placed.
      const isDropped = this.hasEnded && record.parentId !== 0 && fills.length === 0;
      if (!isDropped) this.add('placed');
    } else if (isAmended(before, record)) this.add('amended', { reason: record.reason });
    if (record.triggeredAt !== before?.triggeredAt) this.add('triggered');
    for (const { id, price, amount, takerOrderId } of fills) {
      this.filled += amount;
      const isTaker = takerOrderId === this.orderId;
      this.add('fill', { price, amount, tradeId: id, isTaker });
    }
    if (!this.hasEnded) return;
    const kind = orderStatuses[record.status] as TimelineEventKind;
    this.add(kind, { reason: record.reason });
  }

  private noteMarket(): void {
    if (this.market.currentStatus === this.marketStatus) return;
    this.marketStatus = this.market.currentStatus;
    this.add('market_status');
  }

  /** No event of the engine reports that a trailing stop was activated. */
  private noteActivation(): void {
    if (this.isActivated) return;
    const { index, details } = this.exchange.state;
    const slot = index.find(this.orderId);
    this.isActivated = !details.isTrailing(slot) || details.trail(slot).bestPrice > 0;
    if (this.isActivated) this.add('activated');
  }

  /** Notes that the order has come to the end of a queue. */
  private notePlace(fills: readonly TradeEvent[]): void {
    const { index, details, freed } = this.exchange.state;
    const slot = index.find(this.orderId);
    const wasResting = this.isResting;
    this.isResting = slot !== NONE && !details.isPending(slot);
    if (!this.isResting) return;
    let hasMoved = false;
    for (let at = 3; at < freed.length; at += 4) hasMoved ||= freed[at] === this.orderId;
    if (wasResting && !hasMoved) return;
    const isRefilled =
      wasResting && fills.some(({ makerOrderId }) => makerOrderId === this.orderId);
    this.add(isRefilled ? 'replenished' : 'rested');
    this.bookSequence = -1;
  }

  /** Adds a point if what is ahead of the order has changed. */
  private sample(): void {
    const { bookSequence } = this.market;
    if (!this.isResting || bookSequence === this.bookSequence) return;
    const isForced = this.bookSequence < 0;
    this.bookSequence = bookSequence;
    if (!isForced && ++this.changes % this.stride !== 0) return;
    const ahead = measureAhead(this.exchange.state, this.orderId)!;
    const last = this.samples.at(-1);
    if (last !== undefined && isEqual(last.ahead, ahead)) return;
    // The last of several commands in a batch counts.
    if (last?.position === this.position) this.samples.pop();
    this.samples.push({ position: this.position, time: this.exchange.state.time, ahead });
    if (this.samples.length <= this.maxPoints) return;
    this.samples = this.samples.filter((_, index) => index % 2 === 0);
    this.stride *= 2;
  }

  private add(kind: TimelineEventKind, terms: Partial<TimelineEvent> = {}): void {
    const { price, amount, triggerPrice } = this.last!;
    const { state } = this.exchange;
    this.events.push({
      kind,
      position: this.position,
      time: state.time,
      price,
      amount,
      filled: this.filled,
      triggerPrice,
      reason: 0,
      tradeId: 0,
      isTaker: false,
      marketStatus: this.marketStatus,
      ahead: measureAhead(state, this.orderId),
      ...terms,
    });
  }

  private get market() {
    return this.exchange.state.markets[this.last!.market]!;
  }
}

/** Returns whether the terms of an order differ; the trigger of a trailing stop moves by itself. */
function isAmended(before: OrderRecord, after: OrderRecord): boolean {
  return (
    before.price !== after.price ||
    before.amount !== after.amount ||
    before.displayAmount !== after.displayAmount ||
    before.expiresAt !== after.expiresAt ||
    (after.trailing === undefined && before.triggerPrice !== after.triggerPrice)
  );
}

function isEqual(a: Ahead, b: Ahead): boolean {
  return a.levels === b.levels && a.queue === b.queue && a.amount === b.amount;
}
