import type { OrderRecord } from '../../engine/event.ts';
import type { PastFailure } from './moment.ts';
import type { Ahead } from './queue-ahead.ts';

/** The kinds of events in the life of an order. */
export const timelineEvents = [
  'placed',
  'activated',
  'triggered',
  'amended',
  'fill',
  'rested',
  'replenished',
  'market_status',
  'filled',
  'canceled',
  'expired',
  'rejected',
] as const;
export type TimelineEventKind = (typeof timelineEvents)[number];

/** An event in the life of an order, in the units of its market. */
export interface TimelineEvent {
  readonly kind: TimelineEventKind;
  /** The batch of the log. */
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The price of a fill, or the limit price; 0 without one. */
  readonly price: number;
  /** The amount of a fill, or of the order. */
  readonly amount: number;
  /** The amount filled up to now, this event included. */
  readonly filled: number;
  /** 0 for an order without a trigger, and before the activation of a trailing stop. */
  readonly triggerPrice: number;
  /** The reason of an amendment or of the end. */
  readonly reason: number;
  /** The trade of a fill, otherwise 0. */
  readonly tradeId: number;
  /** Whether the order was the taker of a fill. */
  readonly isTaker: boolean;
  readonly marketStatus: number;
  /** Undefined if the order does not rest. */
  readonly ahead: Ahead | undefined;
}

/** The orders ahead of a resting order after a batch. */
export interface QueuePoint {
  readonly position: number;
  readonly time: number;
  readonly ahead: Ahead;
}

/** Why an open order has not filled, by the first condition that keeps it from that. */
export const obstacles = [
  'market_unavailable',
  'auction',
  'awaiting_activation',
  'awaiting_trigger',
  'triggered',
  'orders_ahead',
  'no_counter_orders',
  'price_not_reached',
] as const;

/** Why an open order has not filled, in the units of its market. */
export interface Obstacle {
  readonly code: (typeof obstacles)[number];
  readonly marketStatus: number;
  /** Price of the last trade; 0 before the first. */
  readonly lastPrice: number;
  /** 0 without one. */
  readonly triggerPrice: number;
  /** 0 without one. */
  readonly activationPrice: number;
  /** The best price of the other side; 0 if that is empty. */
  readonly counterPrice: number;
  readonly ahead: Ahead | undefined;
}

/** The life of an order. */
export type Timeline =
  | {
      readonly kind: 'timeline';
      readonly order: OrderRecord;
      /** Oldest first. */
      readonly events: readonly TimelineEvent[];
      /** Oldest first. */
      readonly points: readonly QueuePoint[];
      /** Whether the events are all up to the end of the order, or of the log. */
      readonly isComplete: boolean;
      /** The last batch that was replayed, and the time of the state after it. */
      readonly position: number;
      readonly time: number;
      /** Undefined if the order is not open. */
      readonly obstacle: Obstacle | undefined;
    }
  /** The account has no such order. */
  | { readonly kind: 'unknown' }
  | PastFailure;
