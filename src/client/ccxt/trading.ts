import type {
  Balances,
  Dict,
  Int,
  Num,
  Order,
  OrderRequest,
  OrderSide,
  OrderType,
  Str,
} from 'ccxt';
import { ALL_ROWS } from './market-data.ts';
import { Operations } from './operations.ts';
import { amendRequest } from './order-request.ts';
import { batchRequest, toPlacement } from './placement.ts';

/**
 * CCXT's methods that trade over a socket, with the parameters and results of the methods without `Ws`. An order whose
 * connection breaks before the response is sent again with its clientOrderId; other methods reject with RequestTimeout.
 */
export class Trading extends Operations {
  override async createOrderWs(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount: number,
    price: Num = undefined,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const placement = toPlacement(this, { symbol, type, side, amount, price, params });
    const { isOco, isTest, body } = placement;
    // There is no operation that tests OCO orders.
    if (isOco && isTest) return super.createOrder(symbol, type, side, amount, price, params);
    const name = isOco ? 'order.oco' : isTest ? 'order.test' : 'order.place';
    return this.parsePlaced(placement, await this.operateIdempotently(name, body));
  }

  /** Buys as many whole steps as `cost` of the quote asset pays for. */
  async createMarketBuyOrderWithCostWs(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createMarketOrderWithCostWs(symbol, 'buy', cost, params);
  }

  /** Sells as many whole steps as reach `cost` of the quote asset, and never for more. */
  async createMarketSellOrderWithCostWs(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createMarketOrderWithCostWs(symbol, 'sell', cost, params);
  }

  override async createMarketOrderWithCostWs(
    symbol: string,
    side: OrderSide,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrderWs(symbol, 'market', side, cost, undefined, { ...params, cost });
  }

  override async createOrdersWs(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const sent = batchRequest(this, orders, params);
    const { results } = await this.operate('order.batch', { orders: sent, ...params });
    return this.parseResults(sent, results);
  }

  /** @param amount New total amount, including the filled part */
  override async editOrderWs(
    id: string,
    symbol: string,
    _type: OrderType,
    _side: OrderSide,
    amount: Num = undefined,
    price: Num = undefined,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const request = amendRequest(this, symbol, amount, price, params);
    const orderId = this.orderId(id);
    return this.parseOrder(await this.operate('order.amend', { orderId, ...request }));
  }

  /** Identifies the order by `id`, or by clientOrderId in `params`. */
  override async cancelOrderWs(
    id: string,
    _symbol: Str = undefined,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const { clientOrderId } = params;
    if (clientOrderId === undefined) {
      const request = { orderId: this.orderId(id), ...params };
      return this.parseOrder(await this.operate('order.cancel', request));
    }
    const { orders } = await this.operate('order.cancelAll', params);
    return this.parseOnly(clientOrderId, orders);
  }

  override async cancelOrdersWs(
    ids: string[],
    _symbol: Str = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const { orders } = await this.operate('order.cancelAll', { ids: ids.join(), ...params });
    return this.parseOrders(orders);
  }

  override async cancelAllOrdersWs(symbol: Str = undefined, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const request = { ...this.allOf(symbol), ...params };
    const { orders } = await this.operate('order.cancelAll', request);
    return this.parseOrders(orders);
  }

  /** Identifies the order by `id`. With clientOrderId in `params` it asks over REST, which also finds closed orders. */
  override async fetchOrderWs(
    id: string,
    symbol: Str = undefined,
    params: Dict = {},
  ): Promise<Order> {
    if (params.clientOrderId !== undefined) return super.fetchOrder(id, symbol, params);
    await this.loadMarkets();
    const request = { orderId: this.orderId(id), ...params };
    return this.parseOrder(await this.operateIdempotently('order.get', request));
  }

  /** Returns all open orders unless `limit` is given. */
  override async fetchOpenOrdersWs(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const request = { ...(market && { symbol: market.id }), ...params };
    const read = (page: Dict) => this.operateIdempotently('orders.open', page);
    const orders = await this.readPages(read, 'orders', request, since, limit ?? ALL_ROWS);
    return this.parseOrders(orders, market, since, limit ?? ALL_ROWS);
  }

  override async fetchBalanceWs(params: Dict = {}): Promise<Balances> {
    await this.loadMarkets();
    const data = await this.operateIdempotently('balances', params);
    return this.mergeBalances({ info: data }, data.balances as Dict[]);
  }
}
