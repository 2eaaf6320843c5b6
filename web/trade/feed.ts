import { batch, computed, effect, signal } from '@preact/signals';
import {
  type ChannelData,
  OrderBook,
  type StreamMessage,
  type Topic,
  type Trade,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { announceError } from '../components/toast.tsx';
import { openStreams } from '../live.ts';
import { markets, prices, symbol } from './markets.ts';
import type { ExactPrice } from './records.ts';
import { throttle } from './throttle.ts';

export type ExactTrade = Trade<string>;

/** Of the market that is shown: read it when `bookFrame` has changed. */
export let book = new OrderBook<string>();
/** The latest trades, newest first. */
export let trades: readonly ExactTrade[] = [];
/** Grows with a frame before which the book has changed, however often it did. */
export const bookFrame = signal(0);
/** Grows when there are new trades, some times a second. */
export const tradeFrame = signal(0);
/** Who came last: the last price has their colour wherever it stands. Undefined before the first trade. */
export const lastSide = computed(() => {
  void tradeFrame.value;
  return trades[0]?.side;
});
/** Whether the book of the market that is shown has come. */
export const hasBook = signal(false);

const KEPT_TRADES = 80;
/** Grows when the connection is there again: what the streams do not make good is to be read anew. */
export const reconnections = signal(0);

const { streams } = openStreams(false, announceError, () => {
  reconnections.value++;
});
const ending = new Map<string, Promise<void>>();

type MessageOf<T extends Topic> = StreamMessage<ChannelData<string>[T['channel']]>;

/** Follows a topic until the returned function is called; refusals are shown. */
export function follow<T extends Topic>(
  topic: T,
  onMessage: (message: MessageOf<T>) => void,
): () => void {
  const key = JSON.stringify(topic);
  let isOver = false;
  // There can be no second subscription of a topic: the first must have ended.
  const begun = (ending.get(key) ?? Promise.resolve())
    .then(() =>
      isOver
        ? undefined
        : streams.subscribe(topic, (message) => {
            if (!isOver) onMessage(message);
          }),
    )
    .catch(announceError);
  return () => {
    isOver = true;
    ending.set(
      key,
      begun.then((stop) => stop?.()),
    );
  };
}

let isFrameAsked = false;
const newPrices = new Map<string, ExactPrice>();

/** A book that changes without end is painted as often as an eye tells pictures apart. */
const BOOK_EVERY_MS = 40;
let bookPaintedAt = 0;

/** However often the book changed, it is painted once, in an animation frame. */
function askForFrame(): void {
  if (isFrameAsked) return;
  isFrameAsked = true;
  const onFrame = (now: number) => {
    if (now - bookPaintedAt < BOOK_EVERY_MS) {
      requestAnimationFrame(onFrame);
      return;
    }
    isFrameAsked = false;
    bookPaintedAt = now;
    batch(() => {
      hasBook.value = book.sequence >= 0;
      bookFrame.value++;
    });
  };
  requestAnimationFrame(onFrame);
}

/** Figures that are read, not watched, change no more often than one can read them. */
const PRICES_EVERY_MS = 200;
const TRADES_EVERY_MS = 150;

const showPricesSoon = throttle(PRICES_EVERY_MS, () => {
  prices.value = new Map([...prices.value, ...newPrices]);
  newPrices.clear();
});
const showTradesSoon = throttle(TRADES_EVERY_MS, () => {
  tradeFrame.value++;
});

/** @param latest The earliest first, each once, in whatever order the two sources come. */
function takeTrades(latest: readonly ExactTrade[]): void {
  const known = new Set(trades.map(({ id }) => id));
  const unknown = latest.filter(({ id }) => !known.has(id)).reverse();
  const newest = trades[0];
  const isOlder =
    newest !== undefined && unknown.some(({ timestamp }) => timestamp < newest.timestamp);
  trades = (isOlder ? [...trades, ...unknown] : [...unknown, ...trades]).slice(0, KEPT_TRADES);
  showTradesSoon();
}

function followMarket(shown: string): () => void {
  book = new OrderBook();
  trades = [];
  hasBook.value = false;
  bookFrame.value = bookFrame.peek() + 1;
  tradeFrame.value = tradeFrame.peek() + 1;
  let isOver = false;
  const ends = [
    follow({ channel: 'orderbook', symbol: shown }, (message) => {
      book.apply(message);
      askForFrame();
    }),
    follow({ channel: 'trades', symbol: shown }, ({ data }) => takeTrades(data.trades)),
  ];
  // What was traded before the subscription, behind what has come since.
  api
    .getTrades({ symbol: shown, limit: KEPT_TRADES })
    .then((earlier) => {
      if (!isOver) takeTrades([...earlier.trades].reverse());
    })
    .catch(announceError);
  return () => {
    isOver = true;
    for (const end of ends) end();
  };
}

/** Follows the market that is shown, and the figures of all. */
export function startFeed(): void {
  effect(() => {
    const shown = symbol.value;
    return shown === '' ? undefined : followMarket(shown);
  });
  const followed = new Set<string>();
  effect(() => {
    for (const { symbol: each } of markets.value) {
      if (followed.has(each)) continue;
      followed.add(each);
      follow({ channel: 'prices', symbol: each }, ({ data }) => {
        newPrices.set(each, data);
        showPricesSoon();
      });
    }
  });
}
