import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Side } from '../../../engine/terms.ts';

/** Period of a stream whose messages leave at the end of each turn of the event loop. */
export const REAL_TIME = 0;

/** The messages of one name, made once for all its subscribers. It exists while it has some. */
export abstract class Stream {
  constructor(
    readonly name: string,
    /** Undefined for a stream of all markets. */
    readonly market: Market | undefined,
    /** Time between two messages, milliseconds: a multiple of 100, or REAL_TIME. */
    readonly periodMs: number,
  ) {}

  /** Collects an event of the market. */
  note(_event: OrderRecord | TradeEvent): void {}

  /** Notes that an order left a level of the book without being filled. */
  noteFreed(_side: Side, _price: number): void {}

  /** Returns the messages that are due, as JSON. */
  abstract take(): readonly string[];

  /** Returns the current value for a new subscriber; undefined if the stream has changes only. */
  current(): string | undefined {
    return undefined;
  }

  /** Called when the last subscriber has left. */
  close(): void {}
}
