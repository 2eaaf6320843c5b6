import {
  type Balances,
  type Currency,
  type Dict,
  type Int,
  type LedgerEntry,
  type Market,
  type Order,
  Precise,
  type Ticker,
  type Trade,
} from 'ccxt';
import { Transport } from './transport.ts';

/** CCXT's names of order statuses: `filled` is `closed`, the others are the same. */
const ORDER_STATUSES: Dict = { filled: 'closed' };

/** Converts the records of the exchange to CCXT's structures. */
export class Base extends Transport {
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
        // Fees are entries of their own.
        fee: { cost: '0', currency: this.safeCurrencyCode(entry.asset) },
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
