import {
  AccountSuspended,
  AuthenticationError,
  BadRequest,
  BadSymbol,
  type BaseError,
  DuplicateOrderId,
  ExchangeNotAvailable,
  InsufficientFunds,
  InvalidAddress,
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
 * CCXT error class by API error code. CCXT retries subclasses of OperationFailed, so only the last five codes may use
 * those.
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
  ACCOUNT_LIMIT: OperationRejected,
  // Bots expect this class for a cancel after the fill; it extends InvalidOrder.
  ORDER_NOT_OPEN: OrderNotFound,
  NETWORK_UNAVAILABLE: OperationRejected,
  INVALID_ADDRESS: InvalidAddress,
  ADDRESS_COOLING: OperationRejected,
  WITHDRAWAL_LIMIT: OperationRejected,
  WITHDRAWAL_NOT_PENDING: OperationRejected,
  DEPOSIT_NOT_IN_REVIEW: OperationRejected,
  WITHDRAWALS_BLOCKED: PermissionDenied,
  APPROVAL_NOT_ALLOWED: PermissionDenied,
  DUPLICATE_WITHDRAWAL: BadRequest,
  DEPOSIT_CONFLICT: BadRequest,
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
  // CCXT's class for a request with an unknown outcome.
  OUTCOME_UNKNOWN: RequestTimeout,
  CLOCK_OFF: ExchangeNotAvailable,
  OVERLOADED: ExchangeNotAvailable,
  STALE: ExchangeNotAvailable,
};

/**
 * CCXT error class by HTTP status, for responses without a known code. CCXT's own table maps most to the retryable
 * ExchangeNotAvailable, but of 4xx only 408 and 429 are transient.
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
