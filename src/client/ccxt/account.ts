import type {
  Balances,
  Dict,
  Int,
  LedgerEntry,
  Str,
  Trade,
  TradingFeeInterface,
  TradingFees,
} from 'ccxt';
import { ALL_ROWS } from './market-data.ts';
import { Orders } from './orders.ts';

/** Balances, fills, ledger and fees of the account. */
export class Account extends Orders {
  override async fetchBalance(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    const { data } = await this.privateGetPortfolioBalances(params);
    return this.mergeBalances({ info: data }, data.balances);
  }

  /** Returns the earliest from `since` on, else the latest; default limit 100. */
  override async fetchMyTrades(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Trade[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const request = { ...(market && { symbol: market.id }), ...params };
    const fills = await this.pages('privateGetFills', 'fills', request, since, limit);
    return this.parseTrades(fills, market, since, limit);
  }

  /** Returns all trades of the order unless `limit` is given, so that they add up to the order's totals. */
  override async fetchOrderTrades(
    id: string,
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Trade[]> {
    const request = { orderId: this.orderId(id), ...params };
    return this.fetchMyTrades(symbol, since, limit ?? ALL_ROWS, request);
  }

  /**
   * Returns changes of the available balance, default limit 100. In addition to CCXT's types there are `hold` and
   * `release`.
   */
  override async fetchLedger(
    code: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<LedgerEntry[]> {
    await this.loadMarkets();
    const currency = code === undefined ? undefined : this.currency(code);
    const request = { ...(currency && { asset: currency.id }), ...params };
    const entries = await this.pages('privateGetLedger', 'entries', request, since, limit);
    return this.parseLedger(entries, currency, since, limit);
  }

  override async fetchTradingFees(params: Dict = {}): Promise<TradingFees> {
    await this.loadMarkets();
    const { data } = await this.privateGetFees(params);
    const fees = data.fees.map((fee: Dict) => ({
      info: fee,
      symbol: this.safeSymbol(fee.symbol),
      maker: this.safeNumber(fee, 'makerFee'),
      taker: this.safeNumber(fee, 'takerFee'),
      percentage: true,
      tierBased: true,
    }));
    return this.indexBy(fees, 'symbol');
  }

  override async fetchTradingFee(symbol: string, params: Dict = {}): Promise<TradingFeeInterface> {
    await this.loadMarkets();
    const { id, symbol: unified } = this.market(symbol);
    return (await this.fetchTradingFees({ symbol: id, ...params }))[unified]!;
  }
}
