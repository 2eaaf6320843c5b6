import type { Dict, Dictionary, Int, OHLCV, Order, OrderBook, Trade } from 'ccxt';
import type { Target } from './connection.ts';
import { type Topic, topicKey } from './requests.ts';
import { Streams, toTarget } from './streams.ts';

/** CCXT's watch methods of several markets: each call returns what is new of one of them. */
export class StreamsForSymbols extends Streams {
  override async watchTradesForSymbols(
    symbols: string[],
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Trade[]> {
    const topic = await this.changedTopic(await this.topics('trades', symbols));
    return this.newRowsSince(topic, undefined, since, limit);
  }

  override async watchOrderBookForSymbols(
    symbols: string[],
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<OrderBook> {
    const targets = (await this.topics('orderbook', symbols)).map(toTarget);
    const { value } = await this.listenToAny<OrderBook>(targets);
    return this.bestLevels(value, limit);
  }

  /** @param symbolsAndTimeframes Pairs such as `['BTC/USDT', '1m']` */
  override async watchOHLCVForSymbols(
    symbolsAndTimeframes: string[][],
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Dictionary<Dictionary<OHLCV[]>>> {
    const topic = await this.changedTopic(await this.candleTopics(symbolsAndTimeframes));
    const candles: OHLCV[] = this.newRows(topic);
    const chosen = this.filterBySinceLimit(candles, since, limit, 0, true);
    return this.createOHLCVObject(topic.symbol!, topic.interval!, chosen);
  }

  override async watchOrdersForSymbols(
    symbols: string[],
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Order[]> {
    return this.newAccountRowsOfAny('orders', symbols, since, limit);
  }

  override async watchMyTradesForSymbols(
    symbols: string[],
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Trade[]> {
    return this.newAccountRowsOfAny('fills', symbols, since, limit);
  }

  override async unWatchTradesForSymbols(symbols: string[], _params: Dict = {}): Promise<true> {
    return this.unsubscribeFromAll(await this.topics('trades', symbols));
  }

  override async unWatchOrderBookForSymbols(symbols: string[], _params: Dict = {}): Promise<true> {
    return this.unsubscribeFromAll(await this.topics('orderbook', symbols));
  }

  override async unWatchOHLCVForSymbols(
    symbolsAndTimeframes: string[][],
    _params: Dict = {},
  ): Promise<true> {
    return this.unsubscribeFromAll(await this.candleTopics(symbolsAndTimeframes));
  }

  private candleTopics(symbolsAndTimeframes: string[][]): Promise<Topic[]> {
    return Promise.all(
      symbolsAndTimeframes.map(([symbol, timeframe]) => this.topic('candles', symbol!, timeframe)),
    );
  }

  /** Waits until one of the topics has changed, and returns it. */
  private async changedTopic(topics: readonly Topic[]): Promise<Topic> {
    const { hash } = await this.listenToAny(topics.map(toTarget));
    return topics.find((topic) => topicKey(topic) === hash)!;
  }

  /** Returns the new rows of one of the markets of an account's channel. */
  private async newAccountRowsOfAny<Row>(
    channel: string,
    symbols: string[],
    since: Int,
    limit: Int,
  ): Promise<Row[]> {
    await this.loadMarkets();
    const topic = { channel };
    const unified = this.marketSymbols(symbols) as string[];
    const targets: Target[] = unified.map((symbol) => ({ topic, hash: `${channel} ${symbol}` }));
    const { hash } = await this.listenToAny(targets);
    return this.newRowsSince(topic, hash.slice(channel.length + 1), since, limit);
  }
}
