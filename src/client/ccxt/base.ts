import {
  ArgumentsRequired,
  BadResponse,
  type Balances,
  type Currency,
  type Dict,
  Exchange,
  ExchangeError,
  type Int,
  type LedgerEntry,
  type Market,
  type Num,
  type Order,
  Precise,
  type Str,
  type Ticker,
  type Trade,
} from 'ccxt';
import { Signer } from '../signing.ts';
import { description } from './describe.ts';
import { ERROR_CLASSES } from './errors.ts';
import { parseQuotingNumbers, requestBody } from './exact-json.ts';
import { RateWindows } from './rate-windows.ts';

/** CCXT's names of order statuses: `filled` is `closed`, the others are the same. */
const ORDER_STATUSES: Dict = { filled: 'closed' };

/** Sends requests and converts responses; the base of all methods. */
export class Base extends Exchange {
  /** The signer of the current credentials, which may be set at any time. */
  private signing:
    | { readonly apiKey: string; readonly privateKey: string; readonly signer: Signer }
    | undefined;
  private readonly windows = new RateWindows(this.rollingWindowSize);

  override describe(): Dict {
    return this.deepExtend(super.describe(), description());
  }

  /** Returns the base URL of the exchange. @throws ArgumentsRequired if none is configured */
  protected baseUrl(): string {
    const url = this.implodeHostname(this.urls.api as unknown as string).replace(/\/+$/, '');
    if (!/^https?:\/\/./.test(url)) {
      throw new ArgumentsRequired(`${this.id}: set hostname, urls.api or sandbox: true`);
    }
    return url;
  }

  override sign(
    path: string,
    api = 'public',
    method = 'GET',
    params: Dict = {},
    headers: Dict | undefined = undefined,
    body: Str = undefined,
  ): Dict {
    const inPath = this.extractParams(path) as string[];
    const isSent = ([name, value]: [string, unknown]) =>
      value !== undefined && !inPath.includes(name);
    const rest: Dict = Object.fromEntries(Object.entries(params).filter(isSent));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const isInUrl = method === 'GET' || method === 'DELETE';
    const query = isInUrl && Object.keys(rest).length > 0 ? `?${this.urlencode(rest)}` : '';
    const sent: Dict = { ...headers };
    if (api === 'private') {
      this.checkRequiredCredentials();
      sent.Authorization = `Bearer ${this.apiKey}`;
      // With a private key, `fetch` adds the signature.
      if (this.getSigner() === undefined) sent['X-API-Secret'] = this.secret;
    }
    if (!isInUrl) {
      sent['Content-Type'] = 'application/json';
      body = requestBody(rest);
    }
    return { url: `${this.baseUrl()}/api/${filled}${query}`, method, body, headers: sent };
  }

  /** Every attempt, including CCXT's own retries, waits for capacity in the rate window of its endpoint. */
  override async fetch(url: string, method = 'GET', headers?: Dict, body?: Str): Promise<unknown> {
    return this.paced(method, url, async () =>
      super.fetch(url, method, await this.withSignature(url, method, headers, body), body),
    );
  }

  /** Sends a request when the rate window of its endpoint allows it. */
  protected paced<Answer>(
    method: string,
    url: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    return this.enableRateLimit ? this.windows.get(method, url).run(send) : send();
  }

  /** Adopts the limit of an endpoint that a response reports. */
  protected adoptLimit(method: string, url: string, limit: number): void {
    this.windows.get(method, url).adopt(limit);
  }

  /** Signs a private request, after it waited for its turn, so that its timestamp is new. */
  private async withSignature(
    url: string,
    method: string,
    headers?: Dict,
    body?: Str,
  ): Promise<Dict | undefined> {
    const signer = this.getSigner();
    if (headers?.Authorization === undefined || signer === undefined) return headers;
    return { ...headers, ...(await signer.headers(method, url, body)) };
  }

  /** Signs requests; undefined without a private key. */
  protected getSigner(): Signer | undefined {
    const { apiKey, privateKey } = this;
    if (!apiKey || !privateKey) return undefined;
    if (this.signing?.apiKey !== apiKey || this.signing.privateKey !== privateKey) {
      const recvWindowMs = this.safeInteger(this.options, 'recvWindow');
      this.signing = {
        apiKey,
        privateKey,
        signer: new Signer({ apiKey, privateKey, recvWindowMs }),
      };
    }
    return this.signing.signer;
  }

  /** A key needs a secret or a private key. */
  override checkRequiredCredentials(error = true): boolean {
    return this.getSigner() === undefined ? super.checkRequiredCredentials(error) : true;
  }

  /** Overridden because CCXT has one budget for all endpoints; the exchange limits each endpoint separately. */
  override async throttle(_cost?: Num): Promise<void> {}

  override parseJson(text: string): unknown {
    try {
      return parseQuotingNumbers(text);
    } catch (error) {
      // Not JSON, for example an error page of a proxy; handleErrors deals with it.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  override handleErrors(
    status: number,
    _reason: string,
    url: string,
    method: string,
    headers: Dict,
    body: string,
    answer: Dict | undefined,
  ): undefined {
    this.adoptLimit(method, url, Number(headers['X-Ratelimit-Limit']));
    if (answer?.success === true && status < 300) return undefined;
    const code = this.safeString(this.safeDict(answer, 'error'), 'code', '');
    this.throwFor(code, `${this.id} ${body}`);
    // For known statuses CCXT throws its own errors afterwards.
    if (String(status) in this.httpExceptions) return undefined;
    const message = `${this.id} ${method} ${url} ${status} ${body}`;
    throw status < 300 ? new BadResponse(message) : new ExchangeError(message);
  }

  /** Throws the CCXT error for an API error code, if it is known. */
  protected throwFor(code: Str, message: string): void {
    const known = code !== undefined && Object.hasOwn(ERROR_CLASSES, code);
    if (known) throw new ERROR_CLASSES[code]!(message);
  }

  override parseMarket(market: Dict): Market {
    const created = this.parse8601(this.safeString(market, 'listedAt'));
    return this.safeMarketStructure({
      id: market.symbol,
      symbol: market.symbol,
      base: market.base,
      quote: market.quote,
      baseId: market.base,
      quoteId: market.quote,
      type: 'spot',
      spot: true,
      margin: false,
      active: market.active,
      taker: this.safeNumber(market, 'takerFee'),
      maker: this.safeNumber(market, 'makerFee'),
      precision: {
        amount: this.safeNumber(market, 'stepSize'),
        price: this.safeNumber(market, 'tickSize'),
      },
      limits: {
        leverage: { min: undefined, max: undefined },
        amount: this.range(market, 'minAmount', 'maxAmount'),
        price: this.range(market, 'minPrice', 'maxPrice'),
        cost: this.range(market, 'minNotional', ''),
      },
      created,
      info: market,
    });
  }

  private range(market: Dict, min: string, max: string) {
    return { min: this.safeNumber(market, min), max: this.safeNumber(market, max) };
  }

  override parseTicker(price: Dict, market?: Market): Ticker {
    return this.safeTicker(
      {
        ...this.moment(price, 'timestamp'),
        symbol: this.safeSymbol(price.symbol, market),
        bid: price.bid,
        bidVolume: price.bidAmount,
        ask: price.ask,
        askVolume: price.askAmount,
        previousClose: price.previousClose,
        open: price.open,
        high: price.high,
        low: price.low,
        last: price.price,
        change: price.change,
        percentage: price.percentage,
        vwap: price.vwap,
        baseVolume: price.baseVolume,
        quoteVolume: price.quoteVolume,
        info: price,
      },
      market,
    );
  }

  /** Converts a public trade or a fill of the account. */
  override parseTrade(trade: Dict, market?: Market): Trade {
    const fee = this.safeDict(trade, 'fee');
    return this.safeTrade(
      {
        ...this.moment(trade, 'timestamp'),
        id: trade.id,
        symbol: this.safeSymbol(trade.symbol, market),
        order: trade.orderId,
        type: undefined,
        side: trade.side,
        takerOrMaker: trade.liquidity,
        price: trade.price,
        amount: trade.amount,
        cost: trade.cost,
        fee: fee && { cost: fee.cost, currency: this.safeCurrencyCode(fee.asset) },
        info: trade,
      },
      market,
    );
  }

  /** Keeps the order of the exchange. CCXT would sort trades of the same timestamp by id as text, 10 before 9. */
  override parseTrades(trades: Dict[], market?: Market, since?: Int, limit?: Int): Trade[] {
    const parsed = trades.map((trade) => this.parseTrade(trade, market));
    return this.filterBySymbolSinceLimit(parsed, market?.symbol, since, limit) as Trade[];
  }

  override parseOrder(order: Dict, market?: Market): Order {
    const type = this.safeString(order, 'type', '');
    const triggerPrice = this.safeString(order, 'triggerPrice');
    const fees = (this.safeList(order, 'fees') ?? []) as Dict[];
    const attached = this.safeDict(order, 'attached');
    const readTrigger = (exit: string) =>
      this.safeString(this.safeDict(attached, exit), 'triggerPrice');
    const parsed = this.safeOrder(
      {
        ...this.moment(order, 'timestamp'),
        id: order.orderId,
        clientOrderId: this.safeString(order, 'clientOrderId'),
        lastTradeTimestamp: this.parse8601(this.safeString(order, 'lastFillAt')),
        lastUpdateTimestamp: this.parse8601(this.safeString(order, 'updatedAt')),
        symbol: this.safeSymbol(order.symbol, market),
        type: type.endsWith('limit') ? 'limit' : 'market',
        // CCXT has no GTD.
        timeInForce: order.postOnly && order.timeInForce === 'GTC' ? 'PO' : order.timeInForce,
        postOnly: order.postOnly,
        side: order.side,
        price: this.safeString(order, 'price'),
        triggerPrice,
        // Its own trigger price, or that of its attached orders.
        stopLossPrice: type.startsWith('stop') ? triggerPrice : readTrigger('stopLoss'),
        takeProfitPrice: type.startsWith('take_profit') ? triggerPrice : readTrigger('takeProfit'),
        amount: order.amount,
        cost: order.cost,
        average: this.safeString(order, 'average'),
        filled: order.filled,
        remaining: order.remaining,
        status: this.safeString(ORDER_STATUSES, order.status, order.status),
        fees: fees.map((fee) => ({
          cost: fee.cost,
          currency: this.safeCurrencyCode(fee.asset),
        })),
        info: order,
      },
      market,
    );
    // Not in safeOrder, which would add the fees of the trades to those of the order.
    const fills = this.safeList(order, 'fills') as Dict[] | undefined;
    return fills === undefined ? parsed : { ...parsed, trades: this.parseTrades(fills, market) };
  }

  override parseLedgerEntry(entry: Dict, currency?: Currency): LedgerEntry {
    const amount = this.safeString(entry, 'amount');
    return this.safeLedgerEntry(
      {
        ...this.moment(entry, 'timestamp'),
        id: entry.id,
        account: 'spot',
        direction: amount?.startsWith('-') ? 'out' : 'in',
        referenceId: entry.reference,
        type: entry.type,
        currency: entry.asset,
        amount: Precise.stringAbs(amount),
        before: entry.before,
        after: entry.after,
        status: 'ok',
        info: entry,
      },
      currency ?? this.safeCurrency(entry.asset),
    ) as LedgerEntry;
  }

  /** Writes balances to a structure that may already hold others. */
  protected mergeBalances(into: Dict, balances: readonly Dict[]): Balances {
    for (const balance of balances) {
      into[this.safeCurrencyCode(balance.asset)!] = {
        free: this.safeString(balance, 'available'),
        used: this.safeString(balance, 'held'),
        total: this.safeString(balance, 'total'),
      };
    }
    return this.safeBalance(into) as Balances;
  }

  private moment(record: Dict, field: string) {
    const timestamp = this.parse8601(this.safeString(record, field));
    return { timestamp, datetime: this.iso8601(timestamp) };
  }
}
