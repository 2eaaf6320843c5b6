import {
  ArgumentsRequired,
  type Dict,
  type Int,
  type Num,
  type Order,
  OrderNotFound,
  type OrderRequest,
  type OrderSide,
  type OrderType,
  type Str,
} from 'ccxt';
import { ALL_ROWS, MarketData } from './market-data.ts';
import { amendRequest } from './order-request.ts';
import { batchRequest, type Placement, toPlacement } from './placement.ts';

/** Placing, amending, canceling and listing orders. */
export class Orders extends MarketData {
  /**
   * Places an order of any type: `limit` or `market`, with triggerPrice, stopLossPrice, takeProfitPrice, or
   * trailingAmount or trailingPercent (and trailingTriggerPrice, from which it trails) in `params`, or a type name of
   * the exchange. With a take profit and a stop loss it is an OCO order, of which the take-profit order is returned.
   * Other `params`: icebergAmount (how much of a limit order the book shows), cost (market orders), timeInForce, postOnly,
   * expiresAt (makes the order GTD), clientOrderId, selfTradePrevention, deadline (the time after which the order is not
   * executed, milliseconds since 1970), test (returns the order that would be placed, without an id, and places nothing).
   */
  override async createOrder(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount: Num,
    price: Num = undefined,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const placement = toPlacement(this, { symbol, type, side, amount, price, params });
    const method = `privatePostOrders${placement.isOco ? 'Oco' : ''}${placement.isTest ? 'Test' : ''}`;
    const { data } = await this[method](placement.body);
    return this.parsePlaced(placement, data);
  }

  /** Converts the result of placing or testing an order. */
  protected parsePlaced({ isOco, isTest }: Placement, data: Dict): Order {
    if (!isOco)
      return isTest ? { ...this.parseOrder(data.order), info: data } : this.parseOrder(data);
    const [takeProfit, stopLoss] = data.orders.map((order: Dict) => this.parseOrder(order));
    return { ...takeProfit, stopLossPrice: stopLoss.triggerPrice, info: data };
  }

  /** Buys as many whole steps as `cost` of the quote asset pays for. */
  override async createMarketBuyOrderWithCost(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createMarketOrderWithCost(symbol, 'buy', cost, params);
  }

  /** Sells as many whole steps as reach `cost` of the quote asset, and never for more. */
  override async createMarketSellOrderWithCost(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createMarketOrderWithCost(symbol, 'sell', cost, params);
  }

  override async createMarketOrderWithCost(
    symbol: string,
    side: OrderSide,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrder(symbol, 'market', side, undefined, undefined, { ...params, cost });
  }

  /** Returns one result per order, in the same order; a rejected order has the status `rejected`. `deadline` as for one. */
  override async createOrders(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const sent = batchRequest(this, orders, params);
    const { data } = await this.privatePostOrdersBatch({ orders: sent, ...params });
    return this.parseResults(sent, data.results);
  }

  /** Converts the results of a batch. */
  protected parseResults(sent: readonly Dict[], results: readonly Dict[]): Order[] {
    return results.map((result, place) =>
      result.success === true ? this.parseOrder(result.data) : this.refused(sent[place]!, result),
    );
  }

  private refused(sent: Dict, result: Dict): Order {
    const { symbol, side, type, amount, price, clientOrderId } = sent;
    const terms = { symbol, side, type, amount, price, clientOrderId };
    return this.safeOrder({ ...terms, filled: '0', status: 'rejected', info: result });
  }

  /** @param amount New total amount, including the filled part @param params `deadline` as in createOrder */
  override async editOrder(
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
    const { data } = await this.privatePatchOrdersId({ id: this.orderId(id), ...request });
    return this.parseOrder(data);
  }

  /** Identifies the order by `id`, or by clientOrderId in `params`. */
  override async cancelOrder(
    id: string,
    _symbol: Str = undefined,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const { clientOrderId } = params;
    if (clientOrderId === undefined) {
      const { data } = await this.privateDeleteOrdersId({ id: this.orderId(id), ...params });
      return this.parseOrder(data);
    }
    const { data } = await this.privateDeleteOrders(params);
    return this.parseOnly(clientOrderId, data.orders);
  }

  /** Resolves once all are canceled. Orders that are not open are ignored. */
  override async cancelOrders(
    ids: string[],
    _symbol: Str = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const { data } = await this.privateDeleteOrders({ ids: ids.join(), ...params });
    return this.parseOrders(data.orders);
  }

  override async cancelAllOrders(symbol: Str = undefined, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const { data } = await this.privateDeleteOrders({ ...this.allOf(symbol), ...params });
    return this.parseOrders(data.orders);
  }

  /** Returns the parameters that select all orders, or those of one market. */
  protected allOf(symbol: Str): Dict {
    return symbol === undefined ? { all: true } : { symbol: this.market(symbol).id };
  }

  /** @param timeout Milliseconds, rounded up to whole seconds; 0 disarms */
  override async cancelAllOrdersAfter(timeout: Int, params: Dict = {}): Promise<Dict> {
    const seconds = Math.ceil((timeout ?? 0) / 1000);
    return (await this.privatePostOrdersCancelAfter({ timeout: seconds, ...params })).data;
  }

  /** Identifies the order by `id`, or by clientOrderId in `params`. */
  override async fetchOrder(
    id: string,
    _symbol: Str = undefined,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const { clientOrderId } = params;
    if (clientOrderId === undefined) {
      const { data } = await this.privateGetOrdersId({ id: this.orderId(id), ...params });
      return this.parseOrder(data);
    }
    const orders = await this.pages('privateGetOrders', 'orders', params, undefined, 1);
    return this.parseOnly(clientOrderId, orders);
  }

  /** Returns the earliest from `since` on, else the latest; default limit 100, as for other lists of orders. */
  override async fetchOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.listOrders(symbol, since, limit, params);
  }

  /** Returns all open orders unless `limit` is given. */
  override async fetchOpenOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.listOrders(symbol, since, limit ?? ALL_ROWS, { status: 'open', ...params });
  }

  override async fetchClosedOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchOrders(symbol, since, limit, { status: 'filled', ...params });
  }

  override async fetchCanceledOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchOrders(symbol, since, limit, { status: 'canceled', ...params });
  }

  /** All final statuses. */
  override async fetchCanceledAndClosedOrders(
    symbol: Str = undefined,
    since: Int = undefined,
    limit: Int = undefined,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.fetchOrders(symbol, since, limit, { status: 'closed', ...params });
  }

  private async listOrders(symbol: Str, since: Int, limit: Int, params: Dict): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const request = { ...(market && { symbol: market.id }), ...params };
    const orders = await this.pages('privateGetOrders', 'orders', request, since, limit);
    return this.parseOrders(orders, market, since, limit);
  }

  /** Requires an id, since the path without one addresses all orders. */
  protected orderId(id: Str): string {
    if (id === undefined || id === '') throw new ArgumentsRequired(`${this.id} needs an order id`);
    return id;
  }

  /** Returns the order that a client order id has selected. @throws OrderNotFound */
  protected parseOnly(clientOrderId: string, [order]: readonly Dict[]): Order {
    if (order !== undefined) return this.parseOrder(order);
    throw new OrderNotFound(`${this.id} has no such order with clientOrderId ${clientOrderId}`);
  }
}
