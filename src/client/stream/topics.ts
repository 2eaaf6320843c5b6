import type { GetCandlesParameters } from '../api/parameters.ts';
import type { Balance, Candle, Fill, Order, Price, Trade } from '../api/records.ts';

/** Levels of a book; in an update those that changed, with the amount 0 where one is gone. */
export interface BookLevels<N> {
  readonly symbol: string;
  readonly bids: readonly (readonly [price: N, amount: N])[];
  readonly asks: readonly (readonly [price: N, amount: N])[];
  /** Whether it is all of the book now: false while parts of a long one are to come, absent once all have. */
  readonly complete?: boolean;
}

/** What the messages of each channel hold. */
export interface ChannelData<N> {
  readonly orderbook: BookLevels<N>;
  readonly trades: { readonly trades: readonly Trade<N>[] };
  readonly prices: Price<N>;
  readonly candles: Candle<N> | null;
  readonly orders: { readonly orders: readonly Order<N>[] };
  readonly fills: { readonly fills: readonly Fill<N>[] };
  readonly balances: { readonly balances: readonly Balance<N>[] };
}
export type Channel = keyof ChannelData<number>;

/** What to subscribe to. With the `sequence` of the last message that was seen, what came since comes first. */
export type Topic =
  | { readonly channel: 'orderbook' | 'prices'; readonly symbol: string }
  | { readonly channel: 'trades'; readonly symbol: string; readonly sequence?: number | undefined }
  | {
      readonly channel: 'candles';
      readonly symbol: string;
      readonly interval: NonNullable<GetCandlesParameters['interval']>;
    }
  | { readonly channel: 'orders' | 'fills' | 'balances'; readonly sequence?: number | undefined };

export interface StreamMessage<Data> {
  /** A snapshot is all there is: it comes first, and again where what was missed could not be had. */
  readonly op: 'snapshot' | 'update';
  /** Of the message before; `sequence` is this one's. Prices and candles have neither. */
  readonly prevSequence?: number;
  readonly sequence?: number;
  readonly data: Data;
}

/** Channels that give what came since a sequence. */
export const RESUMABLE: ReadonlySet<Channel> = new Set(['trades', 'orders', 'fills', 'balances']);

export interface TopicFields {
  readonly channel: Channel;
  readonly symbol?: string;
  readonly interval?: string;
  readonly sequence?: number | undefined;
}

/** The same for the messages of a topic as for the topic. */
export function topicKey({ channel, symbol = '', interval = '' }: TopicFields): string {
  return `${channel} ${symbol} ${interval}`;
}
