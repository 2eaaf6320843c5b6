import { buttonwood } from '../../src/client/ccxt/index.ts';

/** Trades over the socket: its methods without `Ws` are those with `Ws`, so that a suite can test either. */
export class SocketBot extends buttonwood {
  override createOrder: buttonwood['createOrder'] = (symbol, type, side, amount, price, params) =>
    this.createOrderWs(symbol, type, side, amount as number, price, params);
  override createMarketBuyOrderWithCost = this.createMarketBuyOrderWithCostWs;
  override createOrders = this.createOrdersWs;
  override editOrder = this.editOrderWs;
  override cancelOrder: buttonwood['cancelOrder'] = (...terms) => this.cancelOrderWs(...terms);
  override cancelOrders: buttonwood['cancelOrders'] = (...terms) => this.cancelOrdersWs(...terms);
  override cancelAllOrders: buttonwood['cancelAllOrders'] = (...terms) =>
    this.cancelAllOrdersWs(...terms);
  override fetchOrder: buttonwood['fetchOrder'] = (...terms) => this.fetchOrderWs(...terms);
  override fetchOpenOrders: buttonwood['fetchOpenOrders'] = (...terms) =>
    this.fetchOpenOrdersWs(...terms);
  override fetchBalance: buttonwood['fetchBalance'] = (...terms) => this.fetchBalanceWs(...terms);
}
