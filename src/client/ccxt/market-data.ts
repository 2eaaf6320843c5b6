import type {
  Currencies,
  Dict,
  Int,
  Market,
  OHLCV,
  OrderBook,
  Status,
  Str,
  Strings,
  Ticker,
  Tickers,
  Trade,
} from 'ccxt';
import { Base } from './base.ts';

const MAX_PAGE = 1000;
/** Default limit of growing lists. */
const USUAL_ROWS = 100;
/** Limit of lists that are useful only as a whole. */
export const ALL_ROWS = Number.POSITIVE_INFINITY;

/** Public market data. */
export class MarketData extends Base {
  override async fetchTime(params: Dict = {}): Promise<Int> {
    const { data } = await this.publicGetTime(params);
    return this.parse8601(data.timestamp);
  }

  override async fetchStatus(params: Dict = {}): Promise<Status> {
    const { data } = await this.publicGetStatus(params);
    return {
      status: data.status === 'ok' ? 'ok' : 'error',
      updated: undefined,
      eta: undefined,
      url: undefined,
      info: data,
    } as unknown as Status;
  }

  /** Sets currencies active, since CCXT treats a currency without deposits and withdrawals as inactive. */
  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const { data } = await this.publicGetAssets(params);
    const currencies = data.assets.map((asset: Dict) =>
      this.safeCurrencyStructure({
        id: asset.asset,
        code: this.safeCurrencyCode(asset.asset),
        name: asset.name,
        type: 'crypto',
        active: false,
        deposit: false,
        withdraw: false,
        precision: this.parseNumber(this.parsePrecision(asset.decimals)),
        info: asset,
      }),
    );
    return this.indexBy(currencies, 'code');
  }

  override async fetchMarkets(params: Dict = {}): Promise<Market[]> {
    const { data } = await this.publicGetMarkets(params);
    return data.markets.map((market: Dict) => this.parseMarket(market));
  }

  override async fetchTicker(symbol: string, params: Dict = {}): Promise<Ticker> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const { data } = await this.publicGetPrices({ symbol: market.id, ...params });
    return this.parseTicker(data.prices[0], market);
  }

  override async fetchTickers(symbols: Strings = undefined, params: Dict = {}): Promise<Tickers> {
    await this.loadMarkets();
    const { data } = await this.publicGetPrices(params);
    return this.parseTickers(data.prices, this.marketSymbols(symbols));
  }

  /** @param limit Levels per side, at most 1000 */
  override fetchOrderBook(
    symbol: string,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<OrderBook> {
    const toLevel = (numbers: string[]) => numbers.map((number) => this.parseNumber(number));
    return this.fetchBook('publicGetOrderbook', 'depth', toLevel, symbol, limit, params);
  }

  /**
   * Returns each order as `[price, amount, id]`, with its public id, in order of the queue.
   * @param limit Orders per side, at most 1000
   */
  override fetchL3OrderBook(
    symbol: string,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<OrderBook> {
    const toLevel = ([id, price, amount]: string[]) => [
      this.parseNumber(price),
      this.parseNumber(amount),
      id,
    ];
    return this.fetchBook('publicGetLevel3', 'limit', toLevel, symbol, limit, params);
  }

  /** Reads a book whose rows are already sorted. CCXT would convert them to doubles, or sort them as texts. */
  private async fetchBook(
    method: string,
    limitField: string,
    toLevel: (row: string[]) => unknown[],
    symbol: string,
    limit: Int,
    params: Dict,
  ): Promise<OrderBook> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const { data } = await this[method]({
      symbol: market.id,
      ...(limit === undefined ? {} : { [limitField]: Math.min(limit, MAX_PAGE) }),
      ...params,
    });
    return {
      symbol: market.symbol,
      bids: data.bids.map(toLevel),
      asks: data.asks.map(toLevel),
      timestamp: this.parse8601(data.timestamp),
      datetime: data.timestamp,
      nonce: this.safeInteger(data, 'sequence'),
    } as OrderBook;
  }

  /** Returns the earliest from `since` on, else the latest. */
  override async fetchTrades(
    symbol: string,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const request = { symbol: market.id, ...params };
    const trades = await this.pages('publicGetTrades', 'trades', request, since, limit);
    return this.parseTrades(trades, market, since, limit);
  }

  /** Returns at most 1000 candles: the earliest from `since` on, else the latest. */
  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const { data } = await this.publicGetCandles({
      symbol: market.id,
      interval: this.safeString(this.timeframes, timeframe, timeframe),
      ...(since === undefined ? {} : { since }),
      ...(limit === undefined ? {} : { limit: Math.min(limit, MAX_PAGE) }),
      ...params,
    });
    return this.parseOHLCVs(data.candles, market, timeframe, since, limit);
  }

  override parseOHLCV(candle: Dict): OHLCV {
    return [
      this.parse8601(candle.timestamp),
      ...['open', 'high', 'low', 'close', 'volume'].map((field) => this.safeNumber(candle, field)),
    ] as OHLCV;
  }

  /**
   * Returns up to `limit` rows of a list, earliest first. A page may have fewer rows than its limit, even none, and
   * still be followed by another.
   */
  protected pages(
    method: string,
    field: string,
    request: Dict,
    since: Int,
    limit: Int,
  ): Promise<Dict[]> {
    const read = async (page: Dict) => (await this[method](page)).data;
    return this.readPages(read, field, request, since, limit);
  }

  /** Like `pages`, with a function that returns the `data` of a page. */
  protected async readPages(
    read: (request: Dict) => Promise<Dict>,
    field: string,
    request: Dict,
    since: Int,
    limit: Int = USUAL_ROWS,
  ): Promise<Dict[]> {
    const rows: Dict[] = [];
    const terms = since === undefined ? {} : { since, sort: 'asc' };
    for (let cursor: Str; ; ) {
      const page = Math.min(limit - rows.length, MAX_PAGE);
      const next = cursor === undefined ? {} : { cursor };
      const data = await read({ ...terms, limit: page, ...request, ...next });
      rows.push(...data[field]);
      cursor = data.nextCursor ?? undefined;
      if (cursor === undefined || rows.length >= limit) break;
    }
    return since === undefined ? rows.reverse() : rows;
  }
}
