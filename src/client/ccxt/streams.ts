import type {
  Balances,
  Dict,
  Int,
  OHLCV,
  Order,
  OrderBook,
  Str,
  Strings,
  Ticker,
  Tickers,
  Trade,
} from 'ccxt';
import { type Client, Connection, type Target } from './connection.ts';
import { Recent } from './recent.ts';
import { type Topic, topicKey } from './requests.ts';

/** Default number of rows kept per stream. */
const KEPT = 1000;
const KEPT_OPTIONS: Dict = {
  trades: 'tradesLimit',
  fills: 'tradesLimit',
  orders: 'ordersLimit',
  candles: 'OHLCVLimit',
};

/** CCXT's watch methods: each call returns what is new since the last one. */
export class Streams extends Connection {
  private readonly recent = new Map<string, Recent<never>>();

  override async watchTicker(symbol: string, _params: Dict = {}): Promise<Ticker> {
    return this.listen(await this.topic('prices', symbol));
  }

  /** Watches all markets unless some are given. Each call returns one that changed, or all with newUpdates off. */
  override async watchTickers(symbols: Strings = undefined, _params: Dict = {}): Promise<Tickers> {
    const targets = (await this.topics('prices', symbols)).map(toTarget);
    const { value } = await this.listenToAny<Ticker>(targets);
    if (this.newUpdates) return { [value.symbol as string]: value };
    return this.filterByArrayTickers(this.tickers, 'symbol', this.marketSymbols(symbols));
  }

  /** Like watchTickers, but returns a market only if its best bid or ask, or the amount there, changed. */
  override async watchBidsAsks(symbols: Strings = undefined, _params: Dict = {}): Promise<Tickers> {
    const topics = await this.topics('prices', symbols);
    const targets = topics.map((topic) => ({ topic, hash: bestKey(topic) }));
    const { value } = await this.listenToAny<Ticker>(targets);
    if (this.newUpdates) return { [value.symbol as string]: value };
    return this.filterByArrayTickers(this.bidsasks, 'symbol', this.marketSymbols(symbols));
  }

  /** Returns the order book after each change; `limit` restricts it to the best levels. */
  override async watchOrderBook(
    symbol: string,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<OrderBook> {
    const book = await this.listen<OrderBook>(await this.topic('orderbook', symbol));
    return this.bestLevels(book, limit);
  }

  /** Returns the order book, with the best levels only if there is a limit. */
  protected bestLevels(book: OrderBook, limit: Int): OrderBook {
    if (limit === undefined) return book;
    const best = (side: OrderBook['bids']) =>
      Array.from(side)
        .slice(0, limit)
        .map(([price, amount]) => [price, amount] as OrderBook['bids'][number]);
    return { ...book, bids: best(book.bids), asks: best(book.asks) };
  }

  override async watchTrades(
    symbol: string,
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Trade[]> {
    const topic = await this.topic('trades', symbol);
    await this.listen(topic);
    return this.newRowsSince(topic, undefined, since, limit);
  }

  override async watchOHLCV(
    symbol: string,
    timeframe = '1m',
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<OHLCV[]> {
    const topic = await this.topic('candles', symbol, timeframe);
    await this.listen(topic);
    const rows: OHLCV[] = this.newRows(topic);
    return this.filterBySinceLimit(rows, since, limit, 0, true);
  }

  override async watchOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Order[]> {
    return this.newAccountRows('orders', symbol, since, limit);
  }

  override async watchMyTrades(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    _params: Dict = {},
  ): Promise<Trade[]> {
    return this.newAccountRows('fills', symbol, since, limit);
  }

  override async watchBalance(_params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    return this.listen({ channel: 'balances' });
  }

  override async unWatchTicker(symbol: string, _params: Dict = {}): Promise<true> {
    return this.unsubscribeFrom(await this.topic('prices', symbol));
  }

  override async unWatchTickers(symbols: Strings = undefined, _params: Dict = {}): Promise<true> {
    return this.unsubscribeFromAll(await this.topics('prices', symbols));
  }

  /** Ends the tickers of the markets too, which are the same stream. */
  override async unWatchBidsAsks(symbols: Strings = undefined, params: Dict = {}): Promise<true> {
    return this.unWatchTickers(symbols, params);
  }

  override async unWatchOrderBook(symbol: string, _params: Dict = {}): Promise<true> {
    return this.unsubscribeFrom(await this.topic('orderbook', symbol));
  }

  override async unWatchTrades(symbol: string, _params: Dict = {}): Promise<true> {
    return this.unsubscribeFrom(await this.topic('trades', symbol));
  }

  override async unWatchOHLCV(symbol: string, timeframe = '1m', _params: Dict = {}): Promise<true> {
    return this.unsubscribeFrom(await this.topic('candles', symbol, timeframe));
  }

  /** Subscribes to all markets, since the stream is per account. */
  override async unWatchOrders(_symbol: Str = undefined, _params: Dict = {}): Promise<true> {
    return this.unsubscribeFrom({ channel: 'orders' });
  }

  /** Subscribes to all markets, since the stream is per account. */
  override async unWatchMyTrades(_symbol: Str = undefined, _params: Dict = {}): Promise<true> {
    return this.unsubscribeFrom({ channel: 'fills' });
  }

  override cleanWsData(): void {
    super.cleanWsData();
    this.recent.clear();
  }

  protected override receive(client: Client, topic: Topic, message: Dict): void {
    const { data } = message;
    const trades = (rows: Dict[]) => rows.map((row) => this.parseTrade(row));
    const { channel } = topic;
    if (channel === 'prices') this.price(client, topic, data);
    else if (channel === 'orderbook') this.book(client, topic, message);
    else if (channel === 'balances') this.balances(client, topic, message);
    else if (channel === 'trades') this.keep(client, topic, trades(data.trades), readId);
    // A self-trade would be two fills with the same id.
    else if (channel === 'fills')
      this.keep(client, topic, trades(data.fills), (fill) => `${fill.id} ${fill.order}`);
    else if (channel === 'orders') {
      const orders = (data.orders as Dict[]).map((order) => this.parseOrder(order));
      this.keep(client, topic, orders, readId);
    }
    // A market without trades has no candle.
    else if (data !== null)
      this.keep(client, topic, [this.parseOHLCV(data)], ([start]) => `${start}`);
  }

  private price(client: Client, topic: Topic, data: Dict): void {
    const ticker = this.parseTicker(data);
    const symbol = ticker.symbol as string;
    const before = this.bidsasks[symbol];
    const isNew =
      before === undefined || BEST_FIELDS.some((field) => before[field] !== ticker[field]);
    this.tickers[symbol] = ticker;
    this.bidsasks[symbol] = ticker;
    this.deliver(client, topicKey(topic), ticker);
    if (isNew) this.deliver(client, bestKey(topic), ticker);
  }

  private balances(client: Client, topic: Topic, { op, data }: Dict): void {
    if (op === 'update' && data.balances.length === 0) return;
    const before = op === 'snapshot' ? {} : this.balance;
    this.balance = this.mergeBalances({ ...before, info: data }, data.balances);
    this.deliver(client, topicKey(topic), this.balance);
  }

  private book(client: Client, topic: Topic, { op, sequence, data }: Dict): void {
    const symbol = topic.symbol!;
    if (op === 'snapshot' || this.orderbooks[symbol] === undefined) {
      this.orderbooks[symbol] = this.orderBook({ symbol }) as never;
    }
    const book = this.orderbooks[symbol] as never as Dict;
    for (const side of ['bids', 'asks']) {
      for (const [price, amount] of data[side]) {
        // CCXT looks levels up by double, and treats amount 0 as a removal.
        const row: unknown[] = [Number(price), amount === '0' ? 0 : this.parseNumber(amount)];
        book[side].storeArray(row);
        row[0] = this.parseNumber(price);
      }
    }
    book.nonce = Number(sequence);
    // Before its first change a book is as it was when the market was listed.
    book.timestamp = this.parse8601(data.updatedAt ?? undefined) ?? this.market(symbol).created;
    book.datetime = this.iso8601(book.timestamp);
    this.deliver(client, topicKey(topic), book);
  }

  private keep<Row>(client: Client, topic: Topic, rows: Row[], readId: (row: Row) => string): void {
    if (rows.length === 0) return;
    const key = topicKey(topic);
    const cache = this.cache<Row>(topic);
    const symbols = new Set<string>();
    for (const row of rows) {
      const { symbol } = row as { symbol?: string };
      cache.append(readId(row), row, symbol ?? '');
      if (topic.symbol === undefined) symbols.add(`${key} ${symbol}`);
    }
    for (const hash of [key, ...symbols]) this.deliver(client, hash, true);
  }

  /** Returns the rows of a topic, which CCXT also exposes as properties. */
  private cache<Row>(topic: Topic): Recent<Row> {
    const key = topicKey(topic);
    let cache = this.recent.get(key) as Recent<Row> | undefined;
    if (cache !== undefined) return cache;
    const { channel, symbol, interval } = topic;
    cache = new Recent<Row>(this.safeInteger(this.options, KEPT_OPTIONS[channel], KEPT)!);
    this.recent.set(key, cache as never);
    if (channel === 'trades') this.trades[symbol!] = cache as never;
    else if (channel === 'orders') this.orders = cache as never;
    else if (channel === 'fills') this.myTrades = cache as never;
    else this.ohlcvs[symbol!] = { ...this.ohlcvs[symbol!], [interval!]: cache as never };
    return cache;
  }

  private async newAccountRows<Row>(
    channel: string,
    symbol: Str,
    since: Int,
    limit: Int,
  ): Promise<Row[]> {
    await this.loadMarkets();
    const unified = symbol === undefined ? undefined : this.symbol(symbol);
    const topic = { channel };
    await this.listen(topic, unified === undefined ? channel : `${channel} ${unified}`);
    return this.newRowsSince(topic, unified, since, limit);
  }

  protected newRowsSince<Row>(topic: Topic, symbol: Str, since: Int, limit: Int): Row[] {
    const rows = this.newRows<Row>(topic, symbol);
    return this.filterBySymbolSinceLimit(rows, symbol, since, limit, true);
  }

  /** Marks all messages received until now as read, since the returned rows include them. */
  protected newRows<Row>(topic: Topic, scope?: string): Row[] {
    this.markSeen(scope === undefined ? topicKey(topic) : `${topicKey(topic)} ${scope}`);
    const cache = this.cache<Row>(topic);
    return this.newUpdates ? cache.takeNew(scope) : [...cache];
  }

  protected async topic(channel: string, symbol: string, interval?: string): Promise<Topic> {
    await this.loadMarkets();
    return { channel, symbol: this.market(symbol).id as string, ...(interval && { interval }) };
  }

  protected async topics(channel: string, symbols: Strings): Promise<Topic[]> {
    await this.loadMarkets();
    const names = this.marketSymbols(symbols) ?? this.symbols;
    return names.map((name: string) => ({ channel, symbol: this.market(name).id as string }));
  }
}

const readId = ({ id }: { id: Str }) => id!;
const BEST_FIELDS = ['bid', 'bidVolume', 'ask', 'askVolume'] as const;
/** The name under which changes of the best bid and ask are delivered. */
const bestKey = (topic: Topic) => `${topicKey(topic)} best`;
/** Returns the target of a call that waits for any change of a topic. */
export const toTarget = (topic: Topic): Target => ({ topic, hash: topicKey(topic) });
