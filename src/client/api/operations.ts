// Generated from the OpenAPI document by `npm run generate`. Do not edit.

import type { CallOptions, Route } from '../route.ts';
import type {
  AmendOrderParameters,
  CancelAfterParameters,
  CancelOrderParameters,
  CancelOrdersParameters,
  GetBalancesParameters,
  GetOrderParameters,
  ListOrdersParameters,
  PlaceOrderParameters,
  PlaceOrdersParameters,
  PlacePairParameters,
  TestOcoParameters,
  TestOrderParameters,
} from './parameters.ts';
import type { Balance, Deadline, Order, OrderHold, TestedFill, TestedOrder } from './records.ts';

/** The endpoint of each operation of `/ws`. */
export const OPERATIONS = {
  balances: { method: 'GET', path: '/api/portfolio/balances' },
  'order.place': { method: 'POST', path: '/api/orders' },
  'orders.open': { method: 'GET', path: '/api/orders' },
  'order.cancelAll': { method: 'DELETE', path: '/api/orders' },
  'order.get': { method: 'GET', path: '/api/orders/{id}' },
  'order.cancel': { method: 'DELETE', path: '/api/orders/{id}' },
  'order.amend': { method: 'PATCH', path: '/api/orders/{id}' },
  'order.batch': { method: 'POST', path: '/api/orders/batch' },
  'order.oco': { method: 'POST', path: '/api/orders/oco' },
  'order.test': { method: 'POST', path: '/api/orders/test' },
  'order.testOco': { method: 'POST', path: '/api/orders/oco/test' },
  'order.cancelAfter': { method: 'POST', path: '/api/orders/cancel-after' },
} as const satisfies Readonly<Record<string, Route>>;
export type OperationName = keyof typeof OPERATIONS;

/** A method for each operation of `/ws`; prices and amounts of the answers are of the type N. */
export abstract class Operations<N extends number | string> {
  protected abstract execute<Data>(
    operation: OperationName,
    parameters: object,
    options: CallOptions | undefined,
  ): Promise<Data>;

  /** `balances`: Balances of every asset that the account ever had */
  getBalances(
    parameters: GetBalancesParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly balances: readonly Balance<N>[];
  }> {
    return this.execute('balances', parameters, options);
  }

  /** `order.place`: Place an order */
  placeOrder(parameters: PlaceOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.execute('order.place', parameters, options);
  }

  /** `orders.open`: The account's orders, newest first (status open) */
  listOpenOrders(
    parameters: Omit<ListOrdersParameters, 'status'> = {},
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly Order<N>[];
    readonly nextCursor: string | null;
  }> {
    return this.execute('orders.open', parameters, options);
  }

  /** `order.cancelAll`: Cancel several orders */
  cancelOrders(
    parameters: CancelOrdersParameters = {},
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly Order<N>[];
  }> {
    return this.execute('order.cancelAll', parameters, options);
  }

  /** `order.get`: One of the account's orders */
  getOrder(parameters: GetOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.execute('order.get', parameters, options);
  }

  /** `order.cancel`: Cancel an open order */
  cancelOrder(parameters: CancelOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.execute('order.cancel', parameters, options);
  }

  /** `order.amend`: Amend an open order */
  amendOrder(parameters: AmendOrderParameters, options?: CallOptions): Promise<Order<N>> {
    return this.execute('order.amend', parameters, options);
  }

  /** `order.batch`: Place several orders in one request */
  placeOrders(
    parameters: PlaceOrdersParameters,
    options?: CallOptions,
  ): Promise<{
    readonly results: readonly (
      | {
          readonly success: true;
          readonly data: Order<N>;
        }
      | {
          readonly success: false;
          readonly error: {
            readonly code:
              | 'INVALID_REQUEST'
              | 'INVALID_SYMBOL'
              | 'INVALID_SIDE'
              | 'INVALID_TYPE'
              | 'INVALID_AMOUNT'
              | 'INVALID_PRICE'
              | 'MIN_NOTIONAL'
              | 'INSUFFICIENT_BALANCE'
              | 'POST_ONLY_WOULD_TAKE'
              | 'MARKET_UNAVAILABLE'
              | 'NO_LIQUIDITY'
              | 'TOO_MANY_OPEN_ORDERS'
              | 'ACCOUNT_LIMIT'
              | 'ORDER_NOT_OPEN'
              | 'NETWORK_UNAVAILABLE'
              | 'INVALID_ADDRESS'
              | 'ADDRESS_COOLING'
              | 'WITHDRAWAL_LIMIT'
              | 'WITHDRAWAL_NOT_PENDING'
              | 'DEPOSIT_NOT_IN_REVIEW'
              | 'UNSUPPORTED_VERSION'
              | 'UNAUTHORIZED'
              | 'INSUFFICIENT_PERMISSIONS'
              | 'IP_NOT_ALLOWED'
              | 'ACCOUNT_FROZEN'
              | 'WITHDRAWALS_BLOCKED'
              | 'APPROVAL_NOT_ALLOWED'
              | 'BROWSER_NOT_ALLOWED'
              | 'ORDER_NOT_FOUND'
              | 'NOT_FOUND'
              | 'METHOD_NOT_ALLOWED'
              | 'PAYLOAD_TOO_LARGE'
              | 'DUPLICATE_CLIENT_ORDER_ID'
              | 'DUPLICATE_REFERENCE'
              | 'DUPLICATE_WITHDRAWAL'
              | 'DEPOSIT_CONFLICT'
              | 'RATE_LIMIT_EXCEEDED'
              | 'INTERNAL_ERROR'
              | 'OUTCOME_UNKNOWN'
              | 'CLOCK_OFF'
              | 'OVERLOADED'
              | 'STALE';
            readonly message: string;
            readonly details: Readonly<Record<string, unknown>>;
          };
        }
    )[];
  }> {
    return this.execute('order.batch', parameters, options);
  }

  /** `order.oco`: Place an OCO order (one cancels the other) */
  placePair(
    parameters: PlacePairParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly Order<N>[];
  }> {
    return this.execute('order.oco', parameters, options);
  }

  /** `order.test`: Test an order without placing it */
  testOrder(
    parameters: TestOrderParameters,
    options?: CallOptions,
  ): Promise<{
    readonly order: TestedOrder<N>;
    readonly fills: readonly TestedFill<N>[];
    readonly hold: OrderHold<N> | null;
  }> {
    return this.execute('order.test', parameters, options);
  }

  /** `order.testOco`: Test an OCO order without placing it */
  testOco(
    parameters: TestOcoParameters,
    options?: CallOptions,
  ): Promise<{
    readonly orders: readonly TestedOrder<N>[];
    readonly hold: OrderHold<N> | null;
  }> {
    return this.execute('order.testOco', parameters, options);
  }

  /** `order.cancelAfter`: Cancel this key's open orders if it stops sending heartbeats (dead man's switch) */
  cancelAfter(
    parameters: CancelAfterParameters,
    options?: CallOptions,
  ): Promise<{
    readonly armed: readonly Deadline[];
  }> {
    return this.execute('order.cancelAfter', parameters, options);
  }
}
