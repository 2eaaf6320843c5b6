import type { Event, OrderRecord, TradeEvent } from '../../../engine/event.ts';
import { difference, type Exact } from '../../../engine/numbers/exact.ts';

/** One side of a trade, with the state of its order right after it. */
export interface OrderFill {
  readonly trade: TradeEvent;
  readonly isMaker: boolean;
  /** The first record of the order after the trade. Further fills of the same command may be in it. */
  readonly order: OrderRecord;
  /** Filled by this and all earlier trades: amount in the market's units, cost in minor units of the quote asset. */
  readonly filled: number;
  readonly filledCost: Exact;
}

/** The fills of one command, joined with their orders. */
export class JoinedFills {
  private readonly fills = new Map<TradeEvent, readonly OrderFill[]>();
  private readonly filledRecords = new Set<OrderRecord>();

  /**
   * The engine reports a taker once, after all its trades. The totals after each trade follow by going back from that
   * record.
   * @param events Of one command, in order.
   */
  constructor(events: readonly Event[]) {
    const after = new Map<number, { order: OrderRecord; filled: number; filledCost: Exact }>();
    for (let at = events.length - 1; at >= 0; at--) {
      const event = events[at]!;
      if (event.kind === 'order') {
        const { id, amount, remaining, filledCost } = event;
        after.set(id, { order: event, filled: amount - remaining, filledCost });
      } else if (event.kind === 'trade') {
        const sides: OrderFill[] = [];
        for (const isMaker of [true, false]) {
          const totals = after.get(isMaker ? event.makerOrderId : event.takerOrderId);
          if (totals === undefined) continue;
          sides.push({ trade: event, isMaker, ...totals });
          this.filledRecords.add(totals.order);
          totals.filled -= event.amount;
          totals.filledCost = difference(totals.filledCost, event.cost);
        }
        this.fills.set(event, sides);
      }
    }
  }

  /** Returns the sides of a trade, the maker's first. */
  get(trade: TradeEvent): readonly OrderFill[] {
    return this.fills.get(trade)!;
  }

  /** Returns whether a record is the first one after a trade of its order. */
  hasFills(order: OrderRecord): boolean {
    return this.filledRecords.has(order);
  }
}
