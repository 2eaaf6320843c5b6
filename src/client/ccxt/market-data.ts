import type {
  Currencies,
  Dict,
  Int,
  LastPrice,
  LastPrices,
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
import { MAX_PAGE, type Pagination, readPagination } from './pagination.ts';

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

  /** Currencies are active, because they can be traded, also without a network for deposits and withdrawals. */
  override async fetchCurrencies(params: Dict = {}): Promise<Currencies> {
    const [{ data }, { data: transfers }] = await Promise.all([
      this.publicGetAssets(params),
      this.publicGetNetworks(),
    ]);
    const currencies = data.assets.map((asset: Dict) => {
      const networks = (transfers.networks as Dict[]).filter((each) => each.asset === asset.asset);
      return this.safeCurrencyStructure({
        id: asset.asset,
        code: this.safeCurrencyCode(asset.asset),
        name: asset.name,
        type: 'crypto',
        active: true,
        deposit: networks.some(({ deposits }) => deposits === true),
        withdraw: networks.some(({ withdrawals }) => withdrawals === true),
        precision: this.parseNumber(this.parsePrecision(asset.decimals)),
        networks: Object.fromEntries(
          networks.map((each) => [each.network, this.parseNetwork(each)]),
        ),
        info: asset,
      });
    });
    return this.indexBy(currencies, 'code');
  }

  private parseNetwork(network: Dict): Dict {
    const { network: id, deposits, withdrawals } = network;
    const range = (min: string) => ({ min: this.safeNumber(network, min), max: undefined });
    return {
      info: network,
      ...{ id, network: id, name: id },
      ...{ active: deposits && withdrawals, deposit: deposits, withdraw: withdrawals },
      fee: this.safeNumber(network, 'withdrawalFee'),
      precision: this.parseNumber(this.parsePrecision(network.decimals)),
      limits: {
        amount: { min: undefined, max: undefined },
        deposit: range('minDeposit'),
        withdraw: range('minWithdrawal'),
      },
    };
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

  /** Returns the tickers, which have the best bids and asks. */
  override async fetchBidsAsks(symbols: Strings = undefined, params: Dict = {}): Promise<Tickers> {
    return this.fetchTickers(symbols, params);
  }

  /** Returns the last prices, or before a market's first trade its reference price. */
  override async fetchLastPrices(
    symbols: Strings = undefined,
    params: Dict = {},
  ): Promise<LastPrices> {
    await this.loadMarkets();
    const { data } = await this.publicGetPrices(params);
    return this.parseLastPrices(data.prices, this.marketSymbols(symbols));
  }

  override parseLastPrice(price: Dict, market?: Market): LastPrice {
    const timestamp = this.parse8601(price.timestamp);
    return {
      symbol: this.safeSymbol(price.symbol, market),
      timestamp,
      datetime: this.iso8601(timestamp),
      price: this.safeNumber(price, 'price'),
      side: undefined,
      info: price,
    } as unknown as LastPrice;
  }

  /** @param limit Levels per side, at most 1000 */
  override fetchOrderBook(
    symbol: string,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<OrderBook> {
    const toLevel = (numbers: string[]) => numbers.map((number) => this.parseNumber(number));
    return this.readBook('publicGetOrderbook', 'depth', toLevel, symbol, limit, params);
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
    return this.readBook('publicGetLevel3', 'limit', toLevel, symbol, limit, params);
  }

  /** Reads a book whose rows are already sorted. CCXT would convert them to doubles, or sort them as texts. */
  private async readBook(
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

  /** Returns at most 1000 candles, with `paginate` more: the earliest from `since` on, else the latest. */
  override async fetchOHLCV(
    symbol: string,
    timeframe = '1m',
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<OHLCV[]> {
    await this.loadMarkets();
    const market = this.market(symbol);
    const { pages, rest } = readPagination(this, params);
    const interval = this.safeString(this.timeframes, timeframe, timeframe);
    const request = { symbol: market.id, interval, ...rest };
    const candles = await this.candlePages(request, since, limit, pages);
    return this.parseOHLCVs(candles, market, timeframe, since, limit);
  }

  /** Reads pages one after the other, since a page of short candles may have fewer than its limit. */
  private async candlePages(
    request: Dict,
    since: Int,
    limit: Int,
    pages: Pagination | undefined,
  ): Promise<Dict[]> {
    const candles: Dict[] = [];
    let next: Dict = since === undefined ? {} : { since };
    for (let calls = 0; calls < (pages?.calls ?? 1); calls++) {
      const size = Math.min((limit ?? ALL_ROWS) - candles.length, pages?.rows ?? MAX_PAGE);
      const given = limit === undefined && pages === undefined ? {} : { limit: size };
      const { data } = await this.publicGetCandles({ ...given, ...request, ...next });
      const page: Dict[] = data.candles;
      if (page.length === 0) break;
      if (since === undefined) candles.unshift(...page);
      else candles.push(...page);
      if (candles.length >= (limit ?? ALL_ROWS)) break;
      next =
        since === undefined
          ? { until: this.parse8601(page[0]!.timestamp)! - 1 }
          : { since: this.parse8601(page.at(-1)!.timestamp)! + 1 };
    }
    return candles;
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
    limit: Int,
  ): Promise<Dict[]> {
    const { pages, rest } = readPagination(this, request);
    const wanted = limit ?? (pages === undefined ? USUAL_ROWS : ALL_ROWS);
    const rows: Dict[] = [];
    const terms = since === undefined ? {} : { since, sort: 'asc' };
    let cursor: Str;
    for (let calls = 0; calls < (pages?.calls ?? ALL_ROWS); calls++) {
      const size = Math.min(wanted - rows.length, pages?.rows ?? MAX_PAGE);
      const next = cursor === undefined ? {} : { cursor };
      const data = await read({ ...terms, limit: size, ...rest, ...next });
      rows.push(...data[field]);
      cursor = data.nextCursor ?? undefined;
      if (cursor === undefined || rows.length >= wanted) break;
    }
    return since === undefined ? rows.reverse() : rows;
  }
}
