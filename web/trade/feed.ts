import { batch, computed, effect, signal, untracked } from '@preact/signals';
import {
  type ChannelData,
  OrderBook,
  type StreamMessage,
  type Topic,
  type Trade,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { streamedStatus } from '../components/exchange-notice.tsx';
import { announceError } from '../components/toast.tsx';
import { openStreams } from '../live.ts';
import { applyMarketChanges, refreshMarkets } from './market-updates.ts';
import { markets, prices, symbol } from './markets.ts';
import type { ExactPrice } from './records.ts';
import { throttle } from './throttle.ts';

type ExactTrade = Trade<string>;

/** Order book of the current market. Not a signal: read it when `bookFrame` changes. */
export let book = new OrderBook<string>();
/** The latest trades, newest first. */
export let trades: readonly ExactTrade[] = [];
/** Incremented at most once per animation frame in which the book has changed. */
export const bookFrame = signal(0);
/** Incremented when there are new trades. */
export const tradeFrame = signal(0);
/** Taker side of the last trade, which colors the last price; undefined before the first trade. */
export const lastSide = computed(() => {
  void tradeFrame.value;
  return trades[0]?.side;
});
/** Whether the order book of the current market has loaded. */
export const hasBook = signal(false);

const MAX_TRADES = 80;
/** Incremented on each reconnection, after which data that streams do not replay must be read again. */
export const reconnections = signal(0);

const { streams } = openStreams(false, announceError, () => {
  reconnections.value++;
});
type TopicMessage<T extends Topic> = StreamMessage<ChannelData<string>[T['channel']]>;
// biome-ignore lint/suspicious/noExplicitAny: messages of all channels
type Listener = (message: any) => void;

/** A subscription and those who get its messages. */
interface Followed {
  readonly listeners: Set<Listener>;
  readonly stop: Promise<(() => void | Promise<void>) | undefined>;
}
const followed = new Map<string, Followed>();
const unsubscribing = new Map<string, Promise<void>>();

/**
 * Subscribes to a topic until the returned function is called; errors are shown as toasts. Listeners to the same topic
 * share a subscription: only the first gets its snapshot.
 */
export function follow<T extends Topic>(
  topic: T,
  onMessage: (message: TopicMessage<T>) => void,
): () => void {
  const key = JSON.stringify(topic);
  const shared = followed.get(key) ?? subscribe(key, topic);
  shared.listeners.add(onMessage);
  return () => {
    shared.listeners.delete(onMessage);
    if (shared.listeners.size > 0) return;
    followed.delete(key);
    unsubscribing.set(
      key,
      shared.stop.then((stop) => stop?.()),
    );
  };
}

function subscribe(key: string, topic: Topic): Followed {
  const listeners = new Set<Listener>();
  // A topic can be subscribed only once, so wait until an earlier subscription has ended.
  const stop = (unsubscribing.get(key) ?? Promise.resolve())
    .then(() =>
      listeners.size === 0
        ? undefined
        : streams.subscribe(topic, (message) => {
            for (const listener of listeners) listener(message);
          }),
    )
    .catch((error) => {
      announceError(error);
      return undefined;
    });
  const shared = { listeners, stop };
  followed.set(key, shared);
  return shared;
}

/** Intervals of the updates, as short as eyes can follow. */
const BOOK_EVERY_MS = 50;
const TRADES_EVERY_MS = 100;
const PRICES_EVERY_MS = 250;

let isFrameRequested = false;
const newPrices = new Map<string, ExactPrice>();

/** Requests one repaint of the order book, however often it has changed since the last one. */
function requestBookFrame(): void {
  if (isFrameRequested) return;
  isFrameRequested = true;
  requestAnimationFrame(() => {
    isFrameRequested = false;
    batch(() => {
      hasBook.value = book.sequence >= 0;
      bookFrame.value++;
    });
  });
}

/** Shows the prices of all markets together. */
const showPricesSoon = throttle(PRICES_EVERY_MS, () => {
  prices.value = new Map([...prices.value, ...newPrices]);
  newPrices.clear();
});

/** @param latest Earliest first. The stream and the initial request may deliver in either order. */
function addTrades(latest: readonly ExactTrade[]): void {
  const known = new Set(trades.map(({ id }) => id));
  const unknown = latest.filter(({ id }) => !known.has(id)).reverse();
  const newest = trades[0];
  const isOlder =
    newest !== undefined && unknown.some(({ timestamp }) => timestamp < newest.timestamp);
  trades = (isOlder ? [...trades, ...unknown] : [...unknown, ...trades]).slice(0, MAX_TRADES);
  tradeFrame.value++;
}

function followMarket(shown: string): () => void {
  book = new OrderBook();
  trades = [];
  hasBook.value = false;
  bookFrame.value = bookFrame.peek() + 1;
  tradeFrame.value = tradeFrame.peek() + 1;
  let isOver = false;
  const ends = [
    follow({ channel: 'orderbook', symbol: shown, everyMs: BOOK_EVERY_MS }, (message) => {
      book.apply(message);
      requestBookFrame();
    }),
    follow({ channel: 'trades', symbol: shown, everyMs: TRADES_EVERY_MS }, ({ data }) =>
      addTrades(data.trades),
    ),
  ];
  // Trades from before the subscription.
  api
    .getTrades({ symbol: shown, limit: MAX_TRADES })
    .then((earlier) => {
      if (!isOver) addTrades([...earlier.trades].reverse());
    })
    .catch(announceError);
  return () => {
    isOver = true;
    for (const end of ends) end();
  };
}

/** Subscribes to the current market's book and trades, and to the prices of all markets. */
export function startFeed(): void {
  effect(() => {
    const shown = symbol.value;
    return shown === '' ? undefined : followMarket(shown);
  });
  const snapshots = signal(0);
  follow({ channel: 'markets' }, ({ op, data }) => {
    streamedStatus.value = data;
    applyMarketChanges(data);
    if (op === 'snapshot') snapshots.value++;
  });
  const isLoaded = computed(() => markets.value.length > 0);
  effect(() => {
    // Snapshots have no rules, which may have changed before the subscription.
    if (isLoaded.value && snapshots.value > 0) {
      untracked(() => refreshMarkets().catch(announceError));
    }
  });
  const followed = new Set<string>();
  effect(() => {
    for (const { symbol: each } of markets.value) {
      if (followed.has(each)) continue;
      followed.add(each);
      follow({ channel: 'prices', symbol: each, everyMs: PRICES_EVERY_MS }, ({ data }) => {
        newPrices.set(each, data);
        showPricesSoon();
      });
    }
  });
}
