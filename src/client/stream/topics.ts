import type { Endpoints } from '../api/endpoints.ts';
import type { GetCandlesParameters } from '../api/parameters.ts';
import type {
  Balance,
  Candle,
  Deposit,
  Fill,
  Market,
  Order,
  Price,
  Trade,
  Withdrawal,
} from '../api/records.ts';

/** Levels of an order book; an update has the changed levels, with amount 0 for removed ones. */
export interface BookLevels<N> {
  readonly symbol: string;
  readonly bids: readonly (readonly [price: N, amount: N])[];
  readonly asks: readonly (readonly [price: N, amount: N])[];
  /** Time of the last change of the book, as ISO 8601; null if none is known. */
  readonly updatedAt: string | null;
  /** Whether the book is complete: false while parts of a long book are still to come, absent afterwards. */
  readonly complete?: boolean;
}

/** Orders of a book; an update has the changed orders. */
export interface BookOrders<N> {
  readonly symbol: string;
  /** Ids of orders to remove first. Absent in a snapshot. */
  readonly removed?: readonly string[];
  /** A known order keeps its place, a new one is the last at its price. */
  readonly bids: readonly (readonly [id: string, price: N, amount: N])[];
  readonly asks: readonly (readonly [id: string, price: N, amount: N])[];
  /** Time of the last change of the book, as ISO 8601; null if none is known. */
  readonly updatedAt: string | null;
  /** Whether the book is complete: false while parts of a long book are still to come, absent afterwards. */
  readonly complete?: boolean;
  /** CRC-32 of the best ten orders of each side. */
  readonly checksum: number;
}

type ExchangeStatus = Awaited<ReturnType<Endpoints<number>['getStatus']>>;

/** The restrictions of all markets, and statuses: of all markets in a snapshot, of those that changed in an update. */
export interface MarketStatuses<N>
  extends Pick<ExchangeStatus, 'trading' | 'maintenance' | 'announcements'> {
  readonly markets: readonly { readonly symbol: string; readonly status: string }[];
  /** Markets that are new or whose rules have changed; absent if there are none, and from snapshots. */
  readonly listings?: readonly Market<N>[];
}

/** Data of each channel's messages. */
export interface ChannelData<N> {
  readonly orderbook: BookLevels<N>;
  readonly level3: BookOrders<N>;
  readonly trades: {
    readonly trades: readonly Trade<N>[];
    /** Earlier trades that operators have reversed; absent if there are none. */
    readonly busts?: readonly Trade<N>[];
  };
  readonly prices: Price<N>;
  readonly candles: Candle<N> | null;
  readonly markets: MarketStatuses<N>;
  readonly orders: { readonly orders: readonly Order<N>[] };
  readonly fills: {
    readonly fills: readonly Fill<N>[];
    /** Fills of trades that operators have reversed; absent if there are none. */
    readonly busts?: readonly Fill<N>[];
  };
  readonly balances: { readonly balances: readonly Balance<N>[] };
  readonly deposits: { readonly deposits: readonly Deposit<N>[] };
  readonly withdrawals: { readonly withdrawals: readonly Withdrawal<N>[] };
}
export type Channel = keyof ChannelData<number>;

/** Merges the changes of an interval into one update, milliseconds; by default each change is sent at once. */
type Merged = { readonly everyMs?: 50 | 100 | 250 | 1000 | undefined };

/** A topic to subscribe to. With the `sequence` of the last message seen, all later messages are replayed. */
export type Topic =
  | ({ readonly channel: 'orderbook' | 'prices'; readonly symbol: string } & Merged)
  | { readonly channel: 'level3'; readonly symbol: string }
  | { readonly channel: 'markets' }
  | ({
      readonly channel: 'trades';
      readonly symbol: string;
      readonly sequence?: number | undefined;
    } & Merged)
  | ({
      readonly channel: 'candles';
      readonly symbol: string;
      readonly interval: NonNullable<GetCandlesParameters['interval']>;
    } & Merged)
  | {
      readonly channel: 'orders';
      readonly sequence?: number | undefined;
      /** Whether orders that rest have the amount that is ahead of them. */
      readonly queueAhead?: boolean | undefined;
      /** Whether updates have the fills that changed an order. */
      readonly fills?: boolean | undefined;
    }
  | {
      readonly channel: 'fills' | 'balances' | 'deposits' | 'withdrawals';
      readonly sequence?: number | undefined;
    };

export interface StreamMessage<Data> {
  /** A snapshot is the whole state. It comes first, and again if missed messages are no longer available. */
  readonly op: 'snapshot' | 'update';
  /** Sequence of the preceding message. Prices and candles have no sequences. */
  readonly prevSequence?: number;
  readonly sequence?: number;
  readonly data: Data;
}

/** Channels that replay messages after a sequence. */
export const RESUMABLE: ReadonlySet<Channel> = new Set([
  'trades',
  'orders',
  'fills',
  'balances',
  'deposits',
  'withdrawals',
]);

export interface TopicFields {
  readonly channel: Channel;
  readonly symbol?: string;
  readonly interval?: string;
  readonly everyMs?: number | undefined;
  readonly queueAhead?: boolean | undefined;
  readonly fills?: boolean | undefined;
  readonly sequence?: number | undefined;
}

/** Returns the key of a topic, which its messages share. */
export function topicKey({ channel, symbol = '', interval = '', everyMs }: TopicFields): string {
  return `${channel} ${symbol} ${interval} ${everyMs ?? ''}`;
}
