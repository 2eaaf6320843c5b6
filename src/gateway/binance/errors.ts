import * as logger from '../../monitoring/logger.ts';
import { newRequestId } from '../http/response/envelope.ts';
import { type ApiError, type ErrorCode, quoteSender } from '../http/response/errors.ts';
import { knownError } from '../http/response/known-errors.ts';

/**
 * An error in Binance's form, `{"code":…,"msg":…}`. Codes and texts are facts of the Binance Spot API (errors.md); bots
 * compare both, so they are exact.
 */
export class BinanceError extends Error {
  constructor(
    /** Negative. */
    readonly code: number,
    message: string,
    /** HTTP status. */
    readonly status = 400,
    /** Seconds after which to try again, with 418, 429 and 503. */
    readonly retryAfter?: number,
    /** Further fields, as JSON. */
    readonly data?: string,
  ) {
    super(message);
  }
}

export const SERVER_BUSY = -1008;
export const NEW_ORDER_REJECTED = -2010;
export const CANCEL_REJECTED = -2011;

export const unknownOrder = (): BinanceError =>
  new BinanceError(CANCEL_REJECTED, 'Unknown order sent.');
export const badListPrices = (): BinanceError =>
  new BinanceError(
    NEW_ORDER_REJECTED,
    'The relationship of the prices for the orders is not correct.',
  );
export const noSuchOrder = (): BinanceError => new BinanceError(-2013, 'Order does not exist.');
export const noSuchListenKey = (): BinanceError =>
  new BinanceError(-1125, 'This listenKey does not exist.');
export const invalidSignature = (): BinanceError =>
  new BinanceError(-1022, 'Signature for this request is not valid.');
export const invalidSymbol = (): BinanceError => new BinanceError(-1121, 'Invalid symbol.');

/** Returns the error for a request that came too late, or too early. */
export function outsideWindow(isAhead: boolean): BinanceError {
  const message = isAhead
    ? "Timestamp for this request was 1000ms ahead of the server's time."
    : 'Timestamp for this request is outside of the recvWindow.';
  return new BinanceError(-1021, message);
}

/** Returns `{"code":…,"msg":…}`, with `data` if there is any. */
export function errorText({ code, message, data }: BinanceError): string {
  const rest = data === undefined ? '' : `,"data":${data}`;
  return `{"code":${code},"msg":${JSON.stringify(message)}${rest}}`;
}

/** Returns a failure in Binance's form. One that is not known is logged and becomes -1000. */
export function toBinanceError(thrown: unknown): BinanceError {
  if (thrown instanceof BinanceError) return thrown;
  const known = knownError(thrown);
  if (known !== undefined) return translate(known);
  const requestId = newRequestId();
  logger.error('request failed', thrown, { requestId });
  const message = `An unknown error occurred while processing the request. Report ${requestId} to the operator.`;
  return new BinanceError(-1000, message, 500);
}

type Translation = (error: ApiError) => BinanceError;

const filter =
  (name: string): Translation =>
  () =>
    new BinanceError(-1013, `Filter failure: ${name}`);
const rejected =
  (message: string): Translation =>
  () =>
    new BinanceError(NEW_ORDER_REJECTED, message);
const denied: Translation = () =>
  new BinanceError(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
const unknownOutcome: Translation = () =>
  new BinanceError(
    -1007,
    'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
    504,
  );
const busy: Translation = () =>
  new BinanceError(
    SERVER_BUSY,
    'Server is currently overloaded with other requests. Please try again in a few minutes.',
    503,
    1,
  );

const asRejected: Translation = ({ message }) => new BinanceError(NEW_ORDER_REJECTED, message);

/** The Binance error of each of the exchange's own errors. A code that is missing here does not compile. */
const TRANSLATIONS: Readonly<Record<ErrorCode, Translation>> = {
  INVALID_REQUEST: ({ details, message }) => {
    if (details.rule === 'recvWindow') return outsideWindow(false);
    // A copy of a request that acts once. The field would name a header of the native API.
    if (details.rule === 'once') return invalidSignature();
    const name = typeof details.field === 'string' ? details.field : undefined;
    return name === undefined
      ? new BinanceError(-1130, message)
      : new BinanceError(
          -1130,
          `Data sent for parameter ${quoteSender(name).replaceAll('"', "'")} is not valid.`,
        );
  },
  INVALID_SYMBOL: invalidSymbol,
  INVALID_SIDE: () => new BinanceError(-1117, 'Invalid side.'),
  INVALID_TYPE: () => new BinanceError(-1116, 'Invalid orderType.'),
  INVALID_AMOUNT: ({ details: { rule, field } }) => {
    if (rule === 'icebergParts') return new BinanceError(-1013, 'Filter failure: ICEBERG_PARTS');
    return rule === 'amount' && field === 'displayAmount'
      ? new BinanceError(NEW_ORDER_REJECTED, 'IcebergQty exceeds QTY.')
      : new BinanceError(-1013, 'Filter failure: LOT_SIZE');
  },
  INVALID_PRICE: ({ details }) =>
    details.rule === 'notCrossed'
      ? new BinanceError(NEW_ORDER_REJECTED, 'Order would trigger immediately.')
      : details.rule === 'beyondPrice'
        ? badListPrices()
        : new BinanceError(-1013, 'Filter failure: PRICE_FILTER'),
  MIN_NOTIONAL: filter('NOTIONAL'),
  INSUFFICIENT_BALANCE: rejected('Account has insufficient balance for requested action.'),
  POST_ONLY_WOULD_TAKE: rejected('Order would immediately match and take.'),
  MARKET_UNAVAILABLE: rejected('Market is closed.'),
  NO_LIQUIDITY: rejected('Order book liquidity is less than symbol minimum quantity.'),
  TOO_MANY_OPEN_ORDERS: filter('EXCHANGE_MAX_NUM_ORDERS'),
  ACCOUNT_LIMIT: ({ details: { rule } }) =>
    rule === 'openNotional'
      ? new BinanceError(
          NEW_ORDER_REJECTED,
          'Order would exceed the open notional limit of the account.',
        )
      : new BinanceError(-1015, 'Too many new orders.'),
  // No endpoint of the dialect is about deposits or withdrawals.
  NETWORK_UNAVAILABLE: asRejected,
  INVALID_ADDRESS: asRejected,
  ADDRESS_COOLING: asRejected,
  WITHDRAWAL_LIMIT: asRejected,
  WITHDRAWALS_BLOCKED: asRejected,
  WITHDRAWAL_NOT_PENDING: asRejected,
  DUPLICATE_WITHDRAWAL: asRejected,
  APPROVAL_NOT_ALLOWED: asRejected,
  DEPOSIT_CONFLICT: asRejected,
  DEPOSIT_NOT_IN_REVIEW: asRejected,
  ORDER_NOT_OPEN: unknownOrder,
  UNSUPPORTED_VERSION: () => new BinanceError(-1020, 'This operation is not supported.'),
  UNAUTHORIZED: denied,
  INSUFFICIENT_PERMISSIONS: denied,
  IP_NOT_ALLOWED: denied,
  BROWSER_NOT_ALLOWED: denied,
  ACCOUNT_FROZEN: rejected('This account may not place or cancel orders.'),
  ORDER_NOT_FOUND: noSuchOrder,
  NOT_FOUND: () => new BinanceError(-1020, 'This operation is not supported.', 404),
  METHOD_NOT_ALLOWED: () => new BinanceError(-1020, 'This operation is not supported.', 405),
  PAYLOAD_TOO_LARGE: () =>
    new BinanceError(-1101, 'Too many parameters sent for this endpoint.', 413),
  DUPLICATE_CLIENT_ORDER_ID: rejected('Duplicate order sent.'),
  DUPLICATE_REFERENCE: rejected('Duplicate order sent.'),
  RATE_LIMIT_EXCEEDED: ({ details }) =>
    new BinanceError(-1003, 'Too many requests queued.', 429, Number(details.retryAfter ?? 1)),
  INTERNAL_ERROR: () =>
    new BinanceError(
      -1001,
      'Internal error; unable to process your request. Please try again.',
      500,
    ),
  OUTCOME_UNKNOWN: unknownOutcome,
  CLOCK_OFF: busy,
  OVERLOADED: busy,
  STALE: busy,
};

function translate(error: ApiError): BinanceError {
  return TRANSLATIONS[error.code](error);
}
