import { Side } from '../../../engine/terms.ts';
import { BookCursor } from './book-cursor.ts';
import type { BookMessage, FeedReader } from './book-feed.ts';
import { type Cursors, MAX_CHANGED_ORDERS, type OrderChanges } from './order-changes.ts';

/** Maximum orders of a side in a snapshot, and in each later part. */
export const PART_ORDERS = 1000;

/**
 * Brings one reader to the current orders of a book, in messages of bounded size, as `BookReader` does for its
 * levels. A long book comes in parts, best orders first. Each part also has the changes of earlier parts, so
 * after every message the reader has the best orders exactly as they are at the message's sequence, in order
 * of the queue.
 */
export class OrderReader implements FeedReader {
  private prevSequence: number | undefined;
  private nextOrderId = 0;
  private cursors: Cursors;

  /** @param isCaughtUp Whether the reader has received every update so far; otherwise it needs a snapshot. */
  constructor(
    private readonly orders: OrderChanges,
    isCaughtUp: boolean,
    private readonly partOrders = PART_ORDERS,
  ) {
    if (isCaughtUp) {
      const { state, market } = orders;
      this.prevSequence = orders.sequence;
      this.nextOrderId = orders.nextOrderId;
      this.cursors = [
        BookCursor.complete(state, market, Side.buy),
        BookCursor.complete(state, market, Side.sell),
      ];
    } else this.cursors = this.newCursors();
    orders.hold(this);
  }

  get isCaughtUp(): boolean {
    return this.isComplete && this.prevSequence === this.orders.sequence;
  }

  close(): void {
    this.orders.release(this);
  }

  next(): BookMessage | undefined {
    if (this.isCaughtUp) return undefined;
    const { orders, prevSequence, nextOrderId, cursors } = this;
    const changes = prevSequence === undefined ? undefined : orders.since(prevSequence);
    this.prevSequence = orders.sequence;
    this.nextOrderId = orders.nextOrderId;
    if (prevSequence === undefined || changes === undefined) return this.snapshot();
    const { changed, moved } = changes;
    const hasMoved = (id: number) => moved.has(id);
    const known = { sequence: prevSequence, nextOrderId, cursors, hasMoved };
    return { kind: 'update', body: orders.update(known, changed, this.partOrders) };
  }

  private snapshot(): BookMessage {
    const { orders } = this;
    if (orders.snapshot?.sequence !== orders.sequence) {
      const cursors = this.newCursors();
      const [bids, asks] = cursors.map((cursor) => cursor.next(this.partOrders));
      const isComplete = cursors.every((cursor) => cursor.isComplete);
      const body = orders.snapshotText(bids!, asks!, isComplete);
      orders.snapshot = { sequence: orders.sequence, body, cursors };
    }
    const { body, cursors } = orders.snapshot;
    this.cursors = [cursors[0].copy(), cursors[1].copy()];
    return { kind: 'snapshot', body };
  }

  private newCursors(): Cursors {
    const { state, market } = this.orders;
    return [
      new BookCursor(state, market, Side.buy, MAX_CHANGED_ORDERS),
      new BookCursor(state, market, Side.sell, MAX_CHANGED_ORDERS),
    ];
  }

  private get isComplete(): boolean {
    return this.cursors.every((cursor) => cursor.isComplete);
  }
}
