import {
  AccountSuspended,
  AuthenticationError,
  BadRequest,
  BadSymbol,
  type BaseError,
  DuplicateOrderId,
  ExchangeNotAvailable,
  InsufficientFunds,
  InvalidOrder,
  MarketClosed,
  NotSupported,
  OperationRejected,
  OrderImmediatelyFillable,
  OrderNotFillable,
  OrderNotFound,
  PermissionDenied,
  RateLimitExceeded,
  RequestTimeout,
  RestrictedLocation,
} from 'ccxt';

export type ErrorClass = new (message: string) => BaseError;

/**
 * CCXT's class for every code of the API. What extends its OperationFailed is taken there as worth
 * trying again: of these only the last five are.
 */
export const ERROR_CLASSES: Readonly<Record<string, ErrorClass>> = {
  INVALID_REQUEST: BadRequest,
  INVALID_SYMBOL: BadSymbol,
  INVALID_SIDE: InvalidOrder,
  INVALID_TYPE: InvalidOrder,
  INVALID_AMOUNT: InvalidOrder,
  INVALID_PRICE: InvalidOrder,
  MIN_NOTIONAL: InvalidOrder,
  INSUFFICIENT_BALANCE: InsufficientFunds,
  POST_ONLY_WOULD_TAKE: OrderImmediatelyFillable,
  MARKET_UNAVAILABLE: MarketClosed,
  NO_LIQUIDITY: OrderNotFillable,
  TOO_MANY_OPEN_ORDERS: OperationRejected,
  // A cancel that comes after the fill: what bots expect then, and it extends InvalidOrder.
  ORDER_NOT_OPEN: OrderNotFound,
  UNSUPPORTED_VERSION: NotSupported,
  UNAUTHORIZED: AuthenticationError,
  INSUFFICIENT_PERMISSIONS: PermissionDenied,
  IP_NOT_ALLOWED: PermissionDenied,
  ACCOUNT_FROZEN: AccountSuspended,
  BROWSER_NOT_ALLOWED: PermissionDenied,
  ORDER_NOT_FOUND: OrderNotFound,
  NOT_FOUND: BadRequest,
  METHOD_NOT_ALLOWED: BadRequest,
  PAYLOAD_TOO_LARGE: BadRequest,
  DUPLICATE_CLIENT_ORDER_ID: DuplicateOrderId,
  DUPLICATE_REFERENCE: BadRequest,
  RATE_LIMIT_EXCEEDED: RateLimitExceeded,
  INTERNAL_ERROR: ExchangeNotAvailable,
  // In CCXT the class of a request whose outcome is not known.
  OUTCOME_UNKNOWN: RequestTimeout,
  CLOCK_OFF: ExchangeNotAvailable,
  OVERLOADED: ExchangeNotAvailable,
  STALE: ExchangeNotAvailable,
};

/**
 * For an answer without a known code. CCXT's own table makes most of these ExchangeNotAvailable, which
 * says to try again: what a client did wrong stays wrong. Of 4xx only 408 and 429 pass by themselves.
 */
export const HTTP_ERROR_CLASSES: Readonly<Record<string, ErrorClass>> = {
  '400': BadRequest,
  '401': AuthenticationError,
  '403': PermissionDenied,
  '404': BadRequest,
  '405': BadRequest,
  '409': BadRequest,
  '410': BadRequest,
  '413': BadRequest,
  '415': BadRequest,
  '418': BadRequest,
  '422': BadRequest,
  '429': RateLimitExceeded,
  '451': RestrictedLocation,
};
